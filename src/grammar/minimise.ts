import type { ByteStates } from "./byte-states.ts";

/** The least automaton, and what is said of each of its states. */
export interface LabelledStates extends ByteStates {
  readonly labels: Int32Array;
}

/**
 * The least automaton that tells the same texts apart: `labels[state]` is what is said of a text that leads to `state`.
 *
 * A state from which no text leads to a label that `isMatch` holds of becomes the dead one. The states that can be reached are
 * numbered from the starts on, nearer ones first.
 * Source: Moore 1956, "Gedanken-experiments on sequential machines".
 */
export function minimise(states: ByteStates, labels: Int32Array, isMatch: (label: number) => boolean): LabelledStates {
  const trimmed = mergeClasses(trim(states, labels, isMatch));
  const { classCount, stateCount, next, starts } = trimmed;
  const blockOf = blocksOf(trimmed, labels);

  // The first state of each block stands for it.
  const numberOf = new Map<number, number>([[blockOf[0]!, 0]]);
  const kept: number[] = [0];
  const number = (state: number): number => {
    let known = numberOf.get(blockOf[state]!);
    if (known === undefined) {
      known = kept.push(state) - 1;
      numberOf.set(blockOf[state]!, known);
    }
    return known;
  };
  const newStarts = starts.map(number);
  const rows: number[] = new Array<number>(classCount).fill(0);
  for (let i = 1; i < kept.length; i++) {
    const row = kept[i]! * classCount;
    for (let c = 0; c < classCount; c++) rows.push(number(next[row + c]!));
  }
  const least = mergeClasses({
    ...trimmed,
    stateCount: Math.min(stateCount, kept.length),
    next: Uint16Array.from(rows),
    starts: newStarts,
  });
  return { ...least, labels: Int32Array.from(kept, (state) => (state === 0 ? 0 : labels[state]!)) };
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

/** The block of each state: states are in one if no text tells them apart. State 0 is alone but for others that are dead. */
function blocksOf(states: ByteStates, labels: Int32Array): Int32Array {
  const { classCount, stateCount, next } = states;
  // 0 is the block of the dead state, which says nothing, not even a label of 0.
  let blockOf = Int32Array.from({ length: stateCount }, (_, state) => (state === 0 ? -1 : labels[state]!));
  for (let count = 0; ; ) {
    const refined = new Int32Array(stateCount);
    const byHash = new Map<number, number[]>();
    let blocks = 0;
    for (let state = 0; state < stateCount; state++) {
      const row = state * classCount;
      let hash = blockOf[state]!;
      for (let c = 0; c < classCount; c++) hash = Math.imul(hash ^ blockOf[next[row + c]!]!, 0x9e3779b1);
      const likely = byHash.get(hash) ?? [];
      if (likely.length === 0) byHash.set(hash, likely);
      const same = likely.find((other) => {
        if (blockOf[other] !== blockOf[state]) return false;
        const otherRow = other * classCount;
        for (let c = 0; c < classCount; c++) {
          if (blockOf[next[row + c]!] !== blockOf[next[otherRow + c]!]) return false;
        }
        return true;
      });
      if (same === undefined) likely.push(state);
      refined[state] = same === undefined ? blocks++ : refined[same]!;
    }
    blockOf = refined;
    if (blocks === count) return blockOf;
    count = blocks;
  }
}

/** Makes one class of those that lead to the same states from everywhere. */
function mergeClasses(states: ByteStates): ByteStates {
  const { classCount, stateCount, next } = states;
  const newClass = new Map<string, number>();
  const kept: number[] = [];
  const mergedInto: number[] = [];
  for (let c = 0; c < classCount; c++) {
    const column = new Uint16Array(stateCount);
    for (let state = 0; state < stateCount; state++) column[state] = next[state * classCount + c]!;
    const key = column.join();
    let merged = newClass.get(key);
    if (merged === undefined) {
      merged = kept.push(c) - 1;
      newClass.set(key, merged);
    }
    mergedInto.push(merged);
  }
  const merged = new Uint16Array(stateCount * kept.length);
  for (let state = 0; state < stateCount; state++) {
    for (const [i, c] of kept.entries()) merged[state * kept.length + i] = next[state * classCount + c]!;
  }
  return {
    ...states,
    classOf: states.classOf.map((c) => mergedInto[c]!),
    classCount: kept.length,
    next: merged,
  };
}
