import type { LexMode } from "../lexing/lex-tables.ts";
import { uniteReached } from "./components.ts";
import type { ParseTables } from "./parse-tables.ts";

/** The terminals that have no text. */
export interface TextlessTerminals {
  /** Those taken before another one; what comes after them is looked for in their place. */
  readonly virtuals: readonly number[];
  /** Those that lines make, which are not looked for. */
  readonly layout: readonly number[];
}

/**
 * For each state of the parser the fewest modes that find all terminals which the state can take,
 * also behind virtual ones.
 *
 * Among as few, the earlier ones, in the order of `modes`; the first mode where nothing is looked
 * for.
 */
export function modesOfStates(
  tables: ParseTables,
  modes: readonly LexMode[],
  textless: TextlessTerminals,
): readonly Uint8Array[] {
  const words = (tables.terminals.length + 31) >>> 5;
  const sought = soughtTerminals(tables, textless, words);
  const found = modes.map((mode) => {
    const bits = new Uint32Array(words);
    for (const [t, isFound] of mode.terminals.entries()) if (isFound === 1) bits[t >>> 5]! |= 1 << (t & 31);
    return bits;
  });
  const known = new Map<string, Uint8Array>();
  return Array.from({ length: tables.stateCount }, (_, state) => {
    const wanted = sought.subarray(state * words, (state + 1) * words);
    const key = wanted.join();
    let cover = known.get(key);
    if (cover === undefined) {
      cover = fewestCovering(wanted, found);
      known.set(key, cover);
    }
    return cover;
  });
}

/** The terminals with text that each state can take, as `words` words of bits a state. */
function soughtTerminals(tables: ParseTables, { virtuals, layout }: TextlessTerminals, words: number): Uint32Array {
  const { stateCount, shift, reduce } = tables;
  const terminalCount = tables.terminals.length;
  const textless = new Set([0, ...virtuals, ...layout]);
  // Nodes are the states, and for each virtual terminal the states again: there it has been decided
  // to take it.
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

/** The states that lead to each state. */
function predecessorsOf({ stateCount, shift, goto, terminals, nonterminals }: ParseTables): readonly Set<number>[] {
  const predecessors = Array.from({ length: stateCount }, () => new Set<number>());
  for (let state = 0; state < stateCount; state++) {
    for (const [row, width] of [[shift, terminals.length] as const, [goto, nonterminals.length] as const]) {
      for (let i = state * width; i < (state + 1) * width; i++) if (row[i] !== 0) predecessors[row[i]!]!.add(state);
    }
  }
  return predecessors;
}

/** The states that a reduction in `state` can lead to, whatever the stack. */
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
 * The indexes of the fewest sets that together hold all of `wanted` that any of them holds; 0 where
 * that is nothing.
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
