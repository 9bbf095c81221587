import { EmendError, getOrInsert } from "../../text/index.ts";
import { buildLexer } from "../lexing/build-lexer.ts";
import type { LexMode } from "../lexing/lex-tables.ts";
import { checkGrammar } from "./check-grammar.ts";
import type { CompiledGrammar, Layout, ParseTables, VirtualTerminal } from "./compiled-grammar.ts";
import { uniteReached } from "./components.ts";
import { type GrammarIssue, hasErrors, placeOf } from "./grammar-issue.ts";
import type { GrammarSource, LayoutRule, NextTerminal, VirtualRule } from "./grammar-source.ts";
import { buildTables } from "./lalr.ts";
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

/** The terminals without text. */
interface TextlessTerminals {
  /** Virtual terminals: the text after them is recognised in the state before them. */
  readonly virtuals: readonly number[];
  /** Terminals of the layout, which the lexer does not recognise. */
  readonly layout: readonly number[];
}

/**
 * The fewest lexer modes for each parser state that recognise all terminals which the state can
 * take, virtual ones before them included.
 *
 * Where several sets of modes have the same size, the first in the order of `modes`; the first mode
 * where the state takes no terminal with text.
 */
function modesOfStates(
  tables: ParseTables,
  modes: readonly LexMode[],
  textless: TextlessTerminals,
): readonly Uint8Array[] {
  const words = (tables.terminals.length + 31) >>> 5;
  const soughtBits = soughtTerminals(tables, textless, words);
  const found = modes.map((mode) => {
    const bits = new Uint32Array(words);
    for (const [t, isFound] of mode.terminals.entries()) if (isFound === 1) bits[t >>> 5]! |= 1 << (t & 31);
    return bits;
  });
  const known = new Map<string, Uint8Array>();
  return Array.from({ length: tables.stateCount }, (_, state) => {
    const wanted = soughtBits.subarray(state * words, (state + 1) * words);
    const key = wanted.join();
    return getOrInsert(known, key, () => fewestCovering(wanted, found));
  });
}

/** The terminals with text that each state can take, as `words` 32-bit words a state. */
function soughtTerminals(tables: ParseTables, { virtuals, layout }: TextlessTerminals, words: number): Uint32Array {
  const { stateCount, shift, reduce } = tables;
  const terminalCount = tables.terminals.length;
  const textless = new Set([0, ...virtuals, ...layout]);
  // The nodes are the states, and for each virtual terminal a copy of the states, in which the
  // parser has decided to take it.
  const sets = new Uint32Array((virtuals.length + 1) * stateCount * words);
  const edges: number[][] = Array.from({ length: (virtuals.length + 1) * stateCount }, () => []);
  for (let state = 0; state < stateCount; state++) {
    for (let t = 1; t < terminalCount; t++) {
      const at = state * terminalCount + t;
      if (textless.has(t) || (shift[at] === 0 && reduce[at] === 0)) continue;
      sets[state * words + (t >>> 5)]! |= 1 << (t & 31);
    }
  }
  if (virtuals.length > 0) {
    const predecessors = predecessorsOf(tables);
    for (const [i, virtual] of virtuals.entries()) {
      const base = (i + 1) * stateCount;
      for (let state = 0; state < stateCount; state++) {
        const at = state * terminalCount + virtual;
        if (shift[at] !== 0) edges[base + state]!.push(shift[at]!);
        for (const production of tables.reductionLists[reduce[at]!]!) {
          for (const target of targetsOf(tables, predecessors, state, production))
            edges[base + state]!.push(base + target);
        }
        if (edges[base + state]!.length > 0) edges[state]!.push(base + state);
      }
    }
    uniteReached(edges, sets, words);
  }
  return sets.subarray(0, stateCount * words);
}

/** The predecessors of each state. */
function predecessorsOf({ stateCount, shift, goto, terminals, nonterminals }: ParseTables): readonly Set<number>[] {
  const predecessors = Array.from({ length: stateCount }, () => new Set<number>());
  for (let state = 0; state < stateCount; state++) {
    for (const [row, width] of [[shift, terminals.length] as const, [goto, nonterminals.length] as const]) {
      for (let i = state * width; i < (state + 1) * width; i++) if (row[i] !== 0) predecessors[row[i]!]!.add(state);
    }
  }
  return predecessors;
}

/** The states that a reduction in `state` can lead to, for any stack. */
function targetsOf(
  tables: ParseTables,
  predecessors: readonly Set<number>[],
  state: number,
  production: number,
): Set<number> {
  let bases = new Set([state]);
  for (let i = tables.productionRight[production]!.length; i > 0; i--) {
    const before = new Set<number>();
    for (const base of bases) for (const predecessor of predecessors[base]!) before.add(predecessor);
    bases = before;
  }
  const nonterminal = tables.productionLeft[production]!;
  const targets = new Set<number>();
  for (const base of bases) {
    const target = tables.goto[base * tables.nonterminals.length + nonterminal]!;
    if (target !== 0) targets.add(target);
  }
  return targets;
}

/**
 * The indexes of the fewest sets that together contain all members of `wanted` that any set
 * contains; 0 where none does.
 */
function fewestCovering(wanted: Uint32Array, sets: readonly Uint32Array[]): Uint8Array {
  const open: number[] = [];
  for (let t = 0; t < wanted.length * 32; t++) {
    if (has(wanted, t) && sets.some((set) => has(set, t))) open.push(t);
  }
  if (open.length === 0) return Uint8Array.of(0);
  const cover = (left: readonly number[], size: number): readonly number[] | undefined => {
    if (left.length === 0) return [];
    if (size === 0) return undefined;
    for (const [i, set] of sets.entries()) {
      if (!has(set, left[0]!)) continue;
      const others = cover(
        left.filter((t) => !has(set, t)),
        size - 1,
      );
      if (others !== undefined) return [i, ...others];
    }
    return undefined;
  };
  for (let size = 1; ; size++) {
    const found = cover(open, size);
    if (found !== undefined) return Uint8Array.from(found).sort();
  }
}

function has(bits: Uint32Array, t: number): boolean {
  return ((bits[t >>> 5]! >>> (t & 31)) & 1) === 1;
}
