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

/** Sets of modes are kept as the bits of one 32-bit number. */
const mostModes = 32;

/** The result of compiling a grammar: its tables, unless an issue is an error. */
export interface GrammarCompilation {
  readonly compiled?: CompiledGrammar;
  readonly issues: readonly GrammarIssue[];
}

/**
 * Compiles a grammar to its parse tables and its lexer. Never throws for a faulty grammar: each
 * fault is one of the issues. Where one of the issues is an error, `compiled` is absent; with
 * warnings alone, the result has both.
 */
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
  const terminalNumber = (terminal: NextTerminal): number | undefined =>
    terminalOf.get(typeof terminal === "string" ? terminal : JSON.stringify(terminal.literal));
  const terminalSet = (terminals: readonly NextTerminal[]): Uint8Array => {
    const members = new Uint8Array(plain.terminals.length);
    for (const terminal of terminals) {
      const number = terminalNumber(terminal);
      if (number !== undefined) members[number] = 1;
    }
    return members;
  };
  const virtuals = lexical.virtuals.map((rule) => toVirtualTerminal(rule, terminalNumber(rule.name)!, terminalSet));
  const layout = lexical.layout && toLayout(lexical.layout, terminalNumber, terminalSet);
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
    if (symbol === undefined || !occursTwice(symbol, tables)) {
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

function occursTwice(symbol: number, { productionRight }: ParseTables): boolean {
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
  terminalSet: (terminals: readonly NextTerminal[]) => Uint8Array,
): VirtualTerminal {
  return {
    terminal,
    kind,
    ...(when.newline !== undefined && { newline: when.newline }),
    ...(when.glued !== undefined && { glued: when.glued }),
    ...(when.nextIn !== undefined && { nextIn: terminalSet(when.nextIn) }),
    ...(when.nextNotIn !== undefined && { nextNotIn: terminalSet(when.nextNotIn) }),
  };
}

function toLayout(
  rule: LayoutRule,
  terminalNumber: (terminal: NextTerminal) => number | undefined,
  terminalSet: (terminals: readonly NextTerminal[]) => Uint8Array,
): Layout {
  const opens = terminalSet(rule.brackets.flatMap(({ open }) => open));
  const closes = terminalSet(rule.brackets.flatMap(({ close }) => close));
  return {
    newline: terminalNumber(rule.newline)!,
    indent: terminalNumber(rule.indent)!,
    dedent: terminalNumber(rule.dedent)!,
    bracket: opens.map((opensOne, t) => (opensOne === 1 ? 1 : closes[t] === 1 ? 2 : 0)),
  };
}
