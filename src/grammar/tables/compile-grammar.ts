import { EmendError } from "../../text/index.ts";
import { buildLexer } from "../lexing/build-lexer.ts";
import { checkGrammar } from "./check-grammar.ts";
import type { CompiledGrammar, Layout, VirtualTerminal } from "./compiled-grammar.ts";
import { type GrammarIssue, hasErrors, placeOf } from "./grammar-issue.ts";
import type { GrammarSource, LayoutRule, NextTerminal, VirtualRule } from "./grammar-source.ts";
import { buildTables } from "./lalr.ts";
import { modesOfStates } from "./modes-of.ts";
import type { ParseTables } from "./parse-tables.ts";
import { toPlainGrammar } from "./plain-grammar.ts";

/** As many modes as there are bits to keep them in. */
const mostModes = 32;

/** A grammar ready for use, where its source has no errors, and what its author should know. */
export interface GrammarCompilation {
  readonly compiled?: CompiledGrammar;
  readonly issues: readonly GrammarIssue[];
}

/** Makes of a grammar the tables it is read with. */
export function compileGrammar(source: GrammarSource): GrammarCompilation {
  const { lexical } = source;
  const plain = toPlainGrammar(source);
  const issues: GrammarIssue[] = [...checkGrammar(source, plain)];
  if (lexical.modes.length > mostModes) {
    const message = `Make do with ${mostModes} modes; the grammar has ${lexical.modes.length}.`;
    issues.push({ code: "too-many-modes", severity: "error", message, ...placeOf(lexical.modes[mostModes]) });
  }
  if (hasErrors(issues)) return { issues };
  const { lex, issues: lexIssues } = buildLexer(lexical, plain.terminals);
  issues.push(...lexIssues);
  if (lex === undefined || hasErrors(issues)) return { issues };
  const tables = tryBuildTables(plain, issues);
  if (tables === undefined) return { issues };

  const terminalOf = new Map(plain.terminals.map((name, t) => [name, t]));
  const numberOf = (terminal: NextTerminal): number | undefined =>
    terminalOf.get(typeof terminal === "string" ? terminal : JSON.stringify(terminal.literal));
  const among = (terminals: readonly NextTerminal[]): Uint8Array => {
    const isAmong = new Uint8Array(plain.terminals.length);
    for (const terminal of terminals) {
      const number = numberOf(terminal);
      if (number !== undefined) isAmong[number] = 1;
    }
    return isAmong;
  };
  const virtuals = lexical.virtuals.map((rule) => toVirtualTerminal(rule, numberOf(rule.name)!, among));
  const layout = lexical.layout && toLayout(lexical.layout, numberOf, among);
  const modesOf = modesOfStates(tables, lex.modes, {
    virtuals: virtuals.map(({ terminal }) => terminal),
    layout: layout === undefined ? [] : [layout.newline, layout.indent, layout.dedent],
  });
  for (const [i, mode] of lex.modes.entries()) {
    if (modesOf.some((modes) => modes.includes(i))) continue;
    const message = `Take the mode ${mode.name} out: what it finds is found by fewer other modes wherever it is asked for.`;
    issues.push({ code: "unused-mode", severity: "warning", message, ...placeOf(lexical.modes[i]) });
  }
  const same = (source.same ?? []).map((each) => {
    const symbol = symbolOf(each.name, tables);
    if (symbol === undefined || !standsTwice(symbol, tables)) {
      const message = `Write ${each.name} twice into one rule, itself and not by another rule's name: \`same\` says that both agree.`;
      issues.push({ code: "same-once", severity: "error", message, ...placeOf(each) });
    }
    return symbol ?? 0;
  });
  if (hasErrors(issues)) return { issues };
  const { openings } = source;
  const compiled = { name: source.name, tables, lex, modesOf, virtuals };
  return {
    compiled: {
      ...compiled,
      ...(layout && { layout }),
      ...(same.length > 0 && { same }),
      ...(openings && { openings }),
    },
    issues,
  };
}

function symbolOf(name: string, { terminals, nonterminals }: ParseTables): number | undefined {
  const terminal = terminals.indexOf(name);
  const nonterminal = nonterminals.indexOf(name);
  return terminal > 0 ? terminal : nonterminal >= 0 ? terminals.length + nonterminal : undefined;
}

function standsTwice(symbol: number, { productionRight }: ParseTables): boolean {
  return productionRight.some((right) => right.indexOf(symbol) !== right.lastIndexOf(symbol));
}

function tryBuildTables(plain: Parameters<typeof buildTables>[0], issues: GrammarIssue[]): ParseTables | undefined {
  try {
    return buildTables(plain);
  } catch (error) {
    if (!(error instanceof EmendError)) throw error;
    issues.push({ code: error.code, severity: "error", message: error.message });
    return undefined;
  }
}

function toVirtualTerminal(
  { kind, when }: VirtualRule,
  terminal: number,
  among: (terminals: readonly NextTerminal[]) => Uint8Array,
): VirtualTerminal {
  return {
    terminal,
    kind,
    ...(when.newline !== undefined && { newline: when.newline }),
    ...(when.glued !== undefined && { glued: when.glued }),
    ...(when.nextIn !== undefined && { nextIn: among(when.nextIn) }),
    ...(when.nextNotIn !== undefined && { nextNotIn: among(when.nextNotIn) }),
  };
}

function toLayout(
  rule: LayoutRule,
  numberOf: (terminal: NextTerminal) => number | undefined,
  among: (terminals: readonly NextTerminal[]) => Uint8Array,
): Layout {
  const opens = among(rule.brackets.flatMap(({ open }) => open));
  const closes = among(rule.brackets.flatMap(({ close }) => close));
  return {
    newline: numberOf(rule.newline)!,
    indent: numberOf(rule.indent)!,
    dedent: numberOf(rule.dedent)!,
    bracket: opens.map((opensOne, t) => (opensOne === 1 ? 1 : closes[t] === 1 ? 2 : 0)),
  };
}
