import { EmendError } from "../../text/index.ts";
import type { LexTables } from "../lexing/lex-tables.ts";
import type { CompiledGrammar, Layout, ParseTables, VirtualTerminal } from "./compiled-grammar.ts";
import { checksumOf, PackedReader, PackedWriter, packedHeader } from "./packed-bytes.ts";

/**
 * Serializes a compiled grammar: a header, a checksum of the content, the content.
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

/**
 * Reads the bytes that `packGrammar` made.
 *
 * Throws `EmendError`: `grammar-unknown` where the bytes are not a packed grammar,
 * `grammar-version` for another version, `grammar-cut` where they end too early or were changed.
 */
export function unpackGrammar(bytes: Uint8Array): CompiledGrammar {
  const version = packedHeader.length - 1;
  if (packedHeader.slice(0, version).some((byte, i) => bytes[i] !== byte)) {
    throw new EmendError("grammar-unknown", "These bytes are no packed grammar.");
  }
  if (bytes[version] !== packedHeader[version]) {
    const versions = `version ${bytes[version] ?? "none"}, not ${packedHeader[version]}`;
    throw new EmendError("grammar-version", `The packed grammar is of ${versions}; pack it again.`);
  }
  const content = bytes.subarray(packedHeader.length + 4);
  const checksum = bytes.slice(packedHeader.length, packedHeader.length + 4);
  if (checksumOf(content) !== checksum.reduceRight((all, byte) => all * 256 + byte, 0)) {
    throw new EmendError("grammar-cut", "The packed grammar was cut or changed; pack it again.");
  }
  const from = new PackedReader(content);
  const name = from.text();
  const tables = unpackTables(from);
  const lex = unpackLexer(from);
  const modesOf = from.list(() => from.numbers(ofBytes));
  const virtuals = from.list(() => unpackVirtual(from));
  const layout = from.optional((): Layout => {
    const [newline, indent, dedent] = [from.number(), from.number(), from.number()];
    return { newline, indent, dedent, bracket: from.numbers(ofBytes) };
  });
  const same = Array.from(from.numbers(ofWords));
  const openings = from.list(() => from.text());
  const unpacked = { name, tables, lex, modesOf, virtuals };
  return {
    ...unpacked,
    ...(layout && { layout }),
    ...(same.length > 0 && { same }),
    ...(openings.length > 0 && { openings }),
  };
}

const ofBytes = (length: number): Uint8Array => new Uint8Array(length);
const ofWords = (length: number): Uint16Array => new Uint16Array(length);

function unpackTables(from: PackedReader): ParseTables {
  const terminals = from.list(() => from.text());
  const nonterminals = from.list(() => from.text());
  const productionLeft = from.numbers(ofWords);
  const productionRight = Array.from(productionLeft, () => from.numbers(ofWords));
  const stateCount = from.number();
  const shift = from.rows(terminals.length);
  const reduce = from.rows(terminals.length);
  const reductionLists = from.list(() => from.numbers(ofWords));
  const goto = nonterminals.length > 0 ? from.rows(nonterminals.length) : new Uint16Array(0);
  const acceptState = from.number();
  const acceptsEmpty = from.number() === 1;
  const itemStart = new Uint32Array(stateCount + 1);
  const productions: number[] = [];
  const dots: number[] = [];
  for (let state = 0; state < stateCount; state++) {
    for (let count = from.number(); count > 0; count--) {
      productions.push(from.number());
      dots.push(from.number());
    }
    itemStart[state + 1] = productions.length;
  }
  return {
    terminals,
    nonterminals,
    productionLeft,
    productionRight,
    stateCount,
    shift,
    reduce,
    reductionLists,
    goto,
    acceptState,
    acceptsEmpty,
    itemStart,
    itemProduction: Uint16Array.from(productions),
    itemDot: Uint8Array.from(dots),
  };
}

function unpackLexer(from: PackedReader): LexTables {
  const classOf = from.numbers(ofBytes);
  const classCount = from.number();
  const stateCount = from.number();
  const next = from.rows(classCount);
  const modes = from.list(() => ({ name: from.text(), start: from.number(), terminals: from.numbers(ofBytes) }));
  const match = from.numbers(ofWords);
  const matches = from.list(() => ({
    isTrivia: from.number() === 1,
    readings: from.list(() => from.numbers(ofWords)),
  }));
  const brokenLine = from.numbers(ofBytes);
  const shortest = from.list(() => from.numbers(ofBytes));
  return { classOf, classCount, stateCount, next, modes, match, matches, brokenLine, shortest };
}

function unpackVirtual(from: PackedReader): VirtualTerminal {
  const terminal = from.number();
  const kind = from.number() === 0 ? "require" : "insert";
  const newline = from.optional(() => (from.number() === 0 ? ("with" as const) : ("without" as const)));
  const glued = from.optional(() => from.number() === 1);
  const nextIn = from.optional(() => from.numbers(ofBytes));
  const nextNotIn = from.optional(() => from.numbers(ofBytes));
  return {
    terminal,
    kind,
    ...(newline !== undefined && { newline }),
    ...(glued !== undefined && { glued }),
    ...(nextIn !== undefined && { nextIn }),
    ...(nextNotIn !== undefined && { nextNotIn }),
  };
}
