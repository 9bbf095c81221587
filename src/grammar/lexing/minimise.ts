import type { ByteStates } from "./byte-states.ts";

/** The least automaton, and what is said of each of its states. */
export interface LabelledStates extends ByteStates {
  readonly labels: Int32Array;
}

/**
 * The least automaton that tells the same texts apart: `labels[state]` is what is said of a text
 * that leads to `state`.
 *
 * A state from which no text leads to a label that `isMatch` holds of becomes the dead one. States
 * are numbered from the starts on, nearer ones first; those that cannot be reached are gone.
 * Source: Moore 1956, "Gedanken-experiments on sequential machines".
 */
export function minimise(states: ByteStates, labels: Int32Array, isMatch: (label: number) => boolean): LabelledStates {
  const { classCount, next, starts, ...trimmed } = mergeClasses(trim(states, labels, isMatch));
  const blockOf = blocksOf({ ...trimmed, classCount, next, starts }, labels);

  // The state of each block that is met first stands for it. The dead state's block is the first.
  const numberOf = new Int32Array(states.stateCount).fill(-1);
  numberOf[0] = 0;
  const kept: number[] = [0];
  const number = (state: number): number => {
    const block = blockOf[state]!;
    if (numberOf[block] === -1) numberOf[block] = kept.push(state) - 1;
    return numberOf[block]!;
  };
  const leastStarts = starts.map(number);
  const leastNext = new Uint16Array(next.length);
  for (let i = 1; i < kept.length; i++) {
    for (let c = 0; c < classCount; c++) leastNext[i * classCount + c] = number(next[kept[i]! * classCount + c]!);
  }
  const stateCount = kept.length;
  return {
    ...mergeClasses({ ...trimmed, classCount, stateCount, next: leastNext, starts: leastStarts }),
    labels: Int32Array.from(kept, (state) => (state === 0 ? 0 : labels[state]!)),
  };
}

/** Leads to the dead state whatever leads nowhere. */
function trim(states: ByteStates, labels: Int32Array, isMatch: (label: number) => boolean): ByteStates {
  const { classCount, stateCount, next } = states;
  const alive = new Uint8Array(stateCount);
  for (let state = 1; state < stateCount; state++) if (isMatch(labels[state]!)) alive[state] = 1;
  // States further from the start mostly come later, so that going backwards few rounds are needed.
  for (let changed = true; changed; ) {
    changed = false;
    for (let state = stateCount - 1; state > 0; state--) {
      if (alive[state] === 1) continue;
      const row = state * classCount;
      for (let c = 0; c < classCount && alive[state] === 0; c++) alive[state] = alive[next[row + c]!]!;
      changed ||= alive[state] === 1;
    }
  }
  const keep = (state: number): number => (alive[state] === 1 ? state : 0);
  return { ...states, next: next.map(keep), starts: states.starts.map(keep) };
}

/**
 * The block of each state: states are in one if no text tells them apart. That of the dead state is
 * 0, and no other is in it.
 */
function blocksOf({ classCount, stateCount, next }: ByteStates, labels: Int32Array): Int32Array {
  let blockOf: Int32Array = Int32Array.from({ length: stateCount }, (_, state) => (state === 0 ? -1 : labels[state]!));
  for (let count = 0; ; ) {
    const old = blockOf;
    const hashOf = (state: number): number => {
      let hash = old[state]!;
      const row = state * classCount;
      for (let c = row; c < row + classCount; c++) hash = Math.imul(hash ^ old[next[c]!]!, 0x9e3779b1);
      return hash;
    };
    const isSame = (a: number, b: number): boolean => {
      if (old[a] !== old[b]) return false;
      for (let c = 0; c < classCount; c++) {
        if (old[next[a * classCount + c]!] !== old[next[b * classCount + c]!]) return false;
      }
      return true;
    };
    const groups = groupsOf(stateCount, hashOf, isSame);
    blockOf = groups.groupOf;
    if (groups.firsts.length === count) return blockOf;
    count = groups.firsts.length;
  }
}

/** Makes one class of those that lead to the same states from everywhere. */
function mergeClasses(states: ByteStates): ByteStates {
  const { classCount, stateCount, next, classOf } = states;
  const hashOf = (c: number): number => {
    let hash = 0;
    for (let at = c; at < stateCount * classCount; at += classCount) hash = Math.imul(hash ^ next[at]!, 0x9e3779b1);
    return hash;
  };
  const isSame = (a: number, b: number): boolean => {
    for (let row = 0; row < stateCount * classCount; row += classCount) {
      if (next[row + a] !== next[row + b]) return false;
    }
    return true;
  };
  const { groupOf, firsts } = groupsOf(classCount, hashOf, isSame);
  const merged = new Uint16Array(stateCount * firsts.length);
  for (let state = 0; state < stateCount; state++) {
    for (const [i, c] of firsts.entries()) merged[state * firsts.length + i] = next[state * classCount + c]!;
  }
  return { ...states, classOf: classOf.map((c) => groupOf[c]!), classCount: firsts.length, next: merged };
}

/**
 * The numbers below `count` in groups of those that are the same, in the order of the first of
 * each.
 */
function groupsOf(
  count: number,
  hashOf: (index: number) => number,
  isSame: (a: number, b: number) => boolean,
): { readonly groupOf: Int32Array; readonly firsts: readonly number[] } {
  const groupOf = new Int32Array(count);
  const firsts: number[] = [];
  const byHash = new Map<number, number[]>();
  for (let index = 0; index < count; index++) {
    const hash = hashOf(index);
    const likely = byHash.get(hash) ?? [];
    if (likely.length === 0) byHash.set(hash, likely);
    const known = likely.find((group) => isSame(firsts[group]!, index));
    if (known === undefined) likely.push(firsts.length);
    groupOf[index] = known ?? firsts.push(index) - 1;
  }
  return { groupOf, firsts };
}
