import type { LexTables } from "../lexing/lex-tables.ts";
import type { CompiledGrammar, VirtualTerminal } from "./compiled-grammar.ts";
import { checksumOf, PackedWriter, packedHeader } from "./packed-bytes.ts";
import type { ParseTables } from "./parse-tables.ts";

/**
 * A compiled grammar as bytes: a header, a checksum of the rest, the rest.
 *
 * Law: `unpackGrammar(packGrammar(grammar))` equals `grammar`.
 */
export function packGrammar(grammar: CompiledGrammar): Uint8Array {
  const out = new PackedWriter();
  out.text(grammar.name);
  packTables(grammar.tables, out);
  packLexer(grammar.lex, out);
  out.list(grammar.modesOf, (modes) => out.numbers(modes));
  out.list(grammar.virtuals, (virtual) => packVirtual(virtual, out));
  out.optional(grammar.layout, ({ newline, indent, dedent, bracket }) => {
    for (const terminal of [newline, indent, dedent]) out.number(terminal);
    out.numbers(bracket);
  });
  out.numbers(Uint16Array.from(grammar.same ?? []));
  out.list(grammar.openings ?? [], (text) => out.text(text));
  const content = out.bytes;
  const checksum = checksumOf(content);
  const packed = new Uint8Array(packedHeader.length + 4 + content.length);
  packed.set(packedHeader);
  for (let i = 0; i < 4; i++) packed[packedHeader.length + i] = checksum >>> (8 * i);
  packed.set(content, packedHeader.length + 4);
  return packed;
}

function packTables(tables: ParseTables, out: PackedWriter): void {
  out.list(tables.terminals, (name) => out.text(name));
  out.list(tables.nonterminals, (name) => out.text(name));
  out.numbers(tables.productionLeft);
  for (const right of tables.productionRight) out.numbers(right);
  out.number(tables.stateCount);
  out.rows(tables.shift, tables.terminals.length);
  out.rows(tables.reduce, tables.terminals.length);
  out.list(tables.reductionLists, (list) => out.numbers(list));
  if (tables.nonterminals.length > 0) out.rows(tables.goto, tables.nonterminals.length);
  out.number(tables.acceptState);
  out.number(tables.acceptsEmpty ? 1 : 0);
  for (let state = 0; state < tables.stateCount; state++) {
    const end = tables.itemStart[state + 1]!;
    out.number(end - tables.itemStart[state]!);
    for (let i = tables.itemStart[state]!; i < end; i++) {
      out.number(tables.itemProduction[i]!);
      out.number(tables.itemDot[i]!);
    }
  }
}

function packLexer(lex: LexTables, out: PackedWriter): void {
  out.numbers(lex.classOf);
  out.number(lex.classCount);
  out.number(lex.stateCount);
  out.rows(lex.next, lex.classCount);
  out.list(lex.modes, ({ name, start, terminals }) => {
    out.text(name);
    out.number(start);
    out.numbers(terminals);
  });
  out.numbers(lex.match);
  out.list(lex.matches, ({ isTrivia, readings }) => {
    out.number(isTrivia ? 1 : 0);
    out.list(readings, (reading) => out.numbers(reading));
  });
  out.numbers(lex.brokenLine);
  out.list(lex.shortest, (lexeme) => out.numbers(lexeme));
}

function packVirtual({ terminal, kind, newline, glued, nextIn, nextNotIn }: VirtualTerminal, out: PackedWriter): void {
  out.number(terminal);
  out.number(kind === "require" ? 0 : 1);
  out.optional(newline, (value) => out.number(value === "with" ? 0 : 1));
  out.optional(glued, (value) => out.number(value ? 1 : 0));
  out.optional(nextIn, (terminals) => out.numbers(terminals));
  out.optional(nextNotIn, (terminals) => out.numbers(terminals));
}
