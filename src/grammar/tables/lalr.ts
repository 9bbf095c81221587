import { addToGroup, EmendError } from "../../text/index.ts";
import type { ParseTables } from "./compiled-grammar.ts";
import { uniteReached } from "./components.ts";
import type { PlainGrammar } from "./plain-grammar.ts";

/** The tables hold 16-bit numbers. */
const maxNumber = 0xffff;

/**
 * Builds the LALR(1) automaton of a grammar with all of its conflicts.
 *
 * Throws `EmendError` `grammar-too-large` where a count exceeds what the tables can hold. Law: as a
 * nondeterministic shift-reduce machine, the tables accept exactly the grammar's language. Source:
 * DeRemer and Pennello 1982; without empty rules, only their relations `includes` and `lookback`
 * are needed.
 */
export function buildTables(plain: PlainGrammar): ParseTables {
  assertFits(plain.productions.length, "productions");
  assertFits(plain.terminals.length + plain.nonterminals.length, "symbols");
  const automaton = buildAutomaton(plain);
  return { ...automaton.tables, ...buildReductions(plain, automaton) };
}

function assertFits(count: number, what: string): void {
  if (count <= maxNumber) return;
  throw new EmendError("grammar-too-large", `The grammar has ${count} ${what}; the tables hold ${maxNumber}.`);
}

/** The LR(0) automaton, before the lookaheads are computed. */
interface Automaton {
  readonly tables: Omit<ParseTables, "reduce" | "reductionLists">;
  /** The productions of each nonterminal. */
  readonly productionsOf: readonly (readonly number[])[];
  /** The productions that each state can reduce. */
  readonly complete: readonly (readonly number[])[];
}

/**
 * An item is a production with a dot, numbered `firstItem[production]` plus the number of symbols
 * before the dot.
 */
function buildAutomaton(plain: PlainGrammar): Automaton {
  const { productions, terminals, nonterminals } = plain;
  const terminalCount = terminals.length;
  const nonterminalCount = nonterminals.length;
  const symbolCount = terminalCount + nonterminalCount;

  const firstItem = new Int32Array(productions.length + 1);
  for (const [p, { right }] of productions.entries()) firstItem[p + 1] = firstItem[p]! + right.length + 1;
  const itemCount = firstItem[productions.length]!;
  // The symbol after the dot of each item; -1 at the end of its production.
  const after = new Int32Array(itemCount).fill(-1);
  const productionOf = new Int32Array(itemCount);
  for (const [p, { right }] of productions.entries()) {
    after.set(right, firstItem[p]!);
    productionOf.fill(p, firstItem[p]!, firstItem[p + 1]!);
  }
  const productionsOf: number[][] = nonterminals.map(() => []);
  for (const [p, { left }] of productions.entries()) productionsOf[left]!.push(p);

  const kernels: Int32Array[] = [new Int32Array(0)];
  const shiftRows: Uint16Array[] = [];
  const gotoRows: Uint16Array[] = [];
  const byHash = new Map<number, number[]>();
  const moved: number[][] = Array.from({ length: symbolCount }, () => []);
  const isOpen = new Int32Array(nonterminalCount).fill(-1);

  const stateOf = (items: Int32Array): number => {
    let hash = 0;
    for (const item of items) hash = (Math.imul(hash, 0x01000193) ^ item) | 0;
    const found = byHash.get(hash)?.find((state) => equal(kernels[state]!, items));
    if (found !== undefined) return found;
    const state = kernels.push(items) - 1;
    assertFits(state, "states");
    addToGroup(byHash, hash, state);
    return state;
  };

  // State 0 is the start: no transition leads to it, and its kernel is empty.
  let acceptState = 0;
  for (let state = 0; state < kernels.length; state++) {
    const symbols: number[] = [];
    const open: number[] = [];
    const move = (item: number): void => {
      const symbol = after[item]!;
      if (symbol < 0) return;
      const items = moved[symbol]!;
      if (items.length === 0) symbols.push(symbol);
      items.push(item + 1);
      const nonterminal = symbol - terminalCount;
      if (nonterminal < 0 || isOpen[nonterminal] === state) return;
      isOpen[nonterminal] = state;
      open.push(nonterminal);
    };
    for (const item of kernels[state]!) move(item);
    if (state === 0 && plain.start !== undefined) {
      isOpen[plain.start] = 0;
      open.push(plain.start);
    }
    // The list grows during the loop.
    for (const nonterminal of open) for (const p of productionsOf[nonterminal]!) move(firstItem[p]!);

    const shiftRow = new Uint16Array(terminalCount);
    const gotoRow = new Uint16Array(nonterminalCount);
    for (const symbol of symbols.sort((a, b) => a - b)) {
      const items = Int32Array.from(moved[symbol]!).sort();
      moved[symbol]!.length = 0;
      // The state after the start symbol is a state of its own, even where another one has the same
      // items.
      if (symbol < terminalCount) shiftRow[symbol] = stateOf(items);
      else if (state === 0 && symbol === terminalCount + plain.start!) acceptState = kernels.push(items) - 1;
      else gotoRow[symbol - terminalCount] = stateOf(items);
    }
    if (state === 0) {
      if (acceptState === 0) acceptState = kernels.push(new Int32Array(0)) - 1;
      if (plain.start !== undefined) gotoRow[plain.start] = acceptState;
    }
    shiftRows.push(shiftRow);
    gotoRows.push(gotoRow);
  }

  const stateCount = kernels.length;
  const itemStart = new Uint32Array(stateCount + 1);
  for (const [state, kernel] of kernels.entries()) itemStart[state + 1] = itemStart[state]! + kernel.length;
  const itemProduction = new Uint16Array(itemStart[stateCount]!);
  const itemDot = new Uint8Array(itemProduction.length);
  const complete: number[][] = kernels.map(() => []);
  let i = 0;
  for (const [state, kernel] of kernels.entries()) {
    for (const item of kernel) {
      const production = productionOf[item]!;
      itemProduction[i] = production;
      itemDot[i] = item - firstItem[production]!;
      i++;
      if (after[item]! < 0) complete[state]!.push(production);
    }
  }
  const shift = new Uint16Array(stateCount * terminalCount);
  for (const [state, row] of shiftRows.entries()) shift.set(row, state * terminalCount);
  const goto = new Uint16Array(stateCount * nonterminalCount);
  for (const [state, row] of gotoRows.entries()) goto.set(row, state * nonterminalCount);
  return {
    tables: {
      terminals,
      nonterminals,
      productionLeft: Uint16Array.from(productions, ({ left }) => left),
      productionRight: productions.map(({ right }) => Uint16Array.from(right)),
      stateCount,
      shift,
      goto,
      acceptState,
      acceptsEmpty: plain.acceptsEmpty,
      itemStart,
      itemProduction,
      itemDot,
    },
    productionsOf,
    complete,
  };
}

function equal(a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/**
 * Computes the lookaheads of the reductions.
 *
 * A _move_ is a nonterminal transition. Its follow set holds the terminals that the target state
 * can shift and, where the move ends a production, the follow set of the move over that
 * production's left side.
 */
function buildReductions(
  plain: PlainGrammar,
  { tables, productionsOf, complete }: Automaton,
): Pick<ParseTables, "reduce" | "reductionLists"> {
  const { stateCount, shift, goto, productionRight, acceptState } = tables;
  const terminalCount = plain.terminals.length;
  const nonterminalCount = plain.nonterminals.length;
  const words = (terminalCount + 31) >>> 5;

  // Moves, in the order of the goto table.
  const moveAt = new Int32Array(goto.length).fill(-1);
  const moveFrom: number[] = [];
  const moveOver: number[] = [];
  for (let at = 0; at < goto.length; at++) {
    if (goto[at] === 0) continue;
    moveAt[at] = moveFrom.length;
    moveFrom.push(Math.floor(at / nonterminalCount));
    moveOver.push(at % nonterminalCount);
  }
  const moveCount = moveFrom.length;

  const follow = new Uint32Array(moveCount * words);
  for (let m = 0; m < moveCount; m++) {
    const target = goto[moveFrom[m]! * nonterminalCount + moveOver[m]!]!;
    for (let t = 0; t < terminalCount; t++) {
      if (shift[target * terminalCount + t] !== 0) follow[m * words + (t >>> 5)]! |= 1 << (t & 31);
    }
    if (target === acceptState) follow[m * words]! |= 1;
  }

  // `includes`: the moves whose follow sets a move's set contains. `lookback`: the moves that each
  // reduction of a state makes.
  const includes: number[][] = moveFrom.map(() => []);
  const lookback = new Map<number, number[]>();
  for (let m = 0; m < moveCount; m++) {
    for (const p of productionsOf[moveOver[m]!]!) {
      const right = productionRight[p]!;
      let state = moveFrom[m]!;
      for (let i = 0; i < right.length; i++) {
        const symbol = right[i]!;
        if (symbol < terminalCount) state = shift[state * terminalCount + symbol]!;
        else {
          const at = state * nonterminalCount + symbol - terminalCount;
          if (i === right.length - 1) includes[moveAt[at]!]!.push(m);
          state = goto[at]!;
        }
      }
      const key = state * plain.productions.length + p;
      addToGroup(lookback, key, m);
    }
  }
  uniteReached(includes, follow, words);

  const reduce = new Uint16Array(stateCount * terminalCount);
  const reductionLists: Uint16Array[] = [new Uint16Array(0)];
  const numberOf = new Map<string, number>([["", 0]]);
  for (const [state, productions] of complete.entries()) {
    if (productions.length === 0) continue;
    const lists: number[][] = Array.from({ length: terminalCount }, () => []);
    for (const p of productions) {
      const lookahead = new Uint32Array(words);
      for (const m of lookback.get(state * plain.productions.length + p) ?? []) {
        for (let w = 0; w < words; w++) lookahead[w]! |= follow[m * words + w]!;
      }
      for (let t = 0; t < terminalCount; t++) if ((lookahead[t >>> 5]! >>> (t & 31)) & 1) lists[t]!.push(p);
    }
    for (const [t, list] of lists.entries()) {
      const key = list.join();
      let number = numberOf.get(key);
      if (number === undefined) {
        number = reductionLists.push(Uint16Array.from(list)) - 1;
        assertFits(number, "lists of reductions");
        numberOf.set(key, number);
      }
      reduce[state * terminalCount + t] = number;
    }
  }
  return { reduce, reductionLists };
}
