import { getOrInsert } from "../../text/index.ts";
import type { ByteAutomaton } from "./byte-automaton.ts";

/** The most states that a table of 16 bits can number, the dead state included. */
const maxStates = 0xffff;

/** A deterministic automaton over classes of bytes. State 0 is dead: it has no transitions. */
export interface ByteStates {
  /** The class of each byte. */
  readonly classOf: Uint8Array;
  readonly classCount: number;
  readonly stateCount: number;
  /** The next state, at `state * classCount + class`. */
  readonly next: Uint16Array;
  /** The start states, in the order of the given starts. */
  readonly starts: readonly number[];
}

/** A deterministic automaton, with the set of nodes of each state. */
export interface NodeStates extends ByteStates {
  /**
   * In ascending order. Only nodes that matter: those with an edge over bytes, and ends of
   * patterns.
   */
  readonly nodesOf: readonly Int32Array[];
}

/**
 * Makes `automaton` deterministic from each of `starts`, which are sets of nodes, by the subset
 * construction; states that several starts reach are shared. `isEnd` decides which nodes end a
 * pattern. State 0 is dead. `undefined` where there are too many states.
 */
export function determinise(
  automaton: ByteAutomaton,
  starts: readonly (readonly number[])[],
  isEnd: (node: number) => boolean,
): NodeStates | undefined {
  const { classOf, classCount } = classesOfBytes(automaton);
  const closures = new Closures(automaton, isEnd);
  const nodesOf: Int32Array[] = [new Int32Array(0)];
  const stateOfNodes = new Map<string, number>([["", 0]]);
  const stateOfTarget = new Map<number, number>();
  const stateOfTargets = new Map<string, number>();

  const stateAt = (targets: readonly number[]): number => {
    const nodes = closures.of(targets);
    const key = nodes.join();
    return getOrInsert(stateOfNodes, key, () => nodesOf.push(nodes) - 1);
  };
  /** As `stateAt`, with a cache by targets: most bytes lead to a single node. */
  const stateBehind = (targets: readonly number[]): number => {
    if (targets.length === 1) {
      return getOrInsert(stateOfTarget, targets[0]!, () => stateAt(targets));
    }
    const key = targets.join();
    return getOrInsert(stateOfTargets, key, () => stateAt(targets));
  };

  const startStates = starts.map(stateAt);
  const rows: Uint16Array[] = [new Uint16Array(classCount)];
  for (let state = 1; state < nodesOf.length; state++) {
    const row = new Uint16Array(classCount);
    for (const { first, last, targets } of segmentsOf(automaton, nodesOf[state]!)) {
      row.fill(stateBehind(targets), classOf[first]!, classOf[last]! + 1);
    }
    if (nodesOf.length > maxStates) return undefined;
    rows.push(row);
  }
  const next = new Uint16Array(rows.length * classCount);
  for (const [state, row] of rows.entries()) next.set(row, state * classCount);
  return { classOf, classCount, stateCount: rows.length, next, starts: startStates, nodesOf };
}

/**
 * Classes of bytes that no edge distinguishes; each class is a range, numbered in ascending order.
 */
function classesOfBytes(automaton: ByteAutomaton): { readonly classOf: Uint8Array; readonly classCount: number } {
  const begins = new Uint8Array(257);
  for (const edges of automaton.edges) {
    for (let e = 0; e < edges.length; e += 3) {
      begins[edges[e]!] = 1;
      begins[edges[e + 1]! + 1] = 1;
    }
  }
  const classOf = new Uint8Array(256);
  for (let byte = 1; byte < 256; byte++) classOf[byte] = classOf[byte - 1]! + begins[byte]!;
  return { classOf, classCount: classOf[255]! + 1 };
}

/**
 * The inclusive ranges of bytes with equal targets from `nodes`; the targets are distinct and in
 * ascending order.
 */
function* segmentsOf(
  automaton: ByteAutomaton,
  nodes: Int32Array,
): Iterable<{ readonly first: number; readonly last: number; readonly targets: readonly number[] }> {
  const edges: { first: number; last: number; target: number }[] = [];
  for (const node of nodes) {
    const own = automaton.edges[node]!;
    for (let e = 0; e < own.length; e += 3) edges.push({ first: own[e]!, last: own[e + 1]!, target: own[e + 2]! });
  }
  edges.sort((a, b) => a.first - b.first);
  let active: typeof edges = [];
  let byte = 0;
  for (let e = 0; e < edges.length || active.length > 0; ) {
    if (active.length === 0) byte = edges[e]!.first;
    while (e < edges.length && edges[e]!.first === byte) active.push(edges[e++]!);
    let last = e < edges.length ? edges[e]!.first - 1 : 255;
    for (const edge of active) last = Math.min(last, edge.last);
    yield { first: byte, last, targets: distinctTargets(active) };
    byte = last + 1;
    active = active.filter((edge) => edge.last >= byte);
  }
}

function distinctTargets(edges: readonly { readonly target: number }[]): readonly number[] {
  if (edges.length === 1) return [edges[0]!.target];
  return [...new Set(edges.map((edge) => edge.target))].sort((a, b) => a - b);
}

/** Computes the nodes that empty transitions reach. */
class Closures {
  readonly #automaton: ByteAutomaton;
  readonly #matters: Uint8Array;
  /** The last round in which each node was visited. */
  readonly #met: Int32Array;
  #round = 0;

  constructor(automaton: ByteAutomaton, isEnd: (node: number) => boolean) {
    this.#automaton = automaton;
    this.#met = new Int32Array(automaton.nodeCount);
    this.#matters = Uint8Array.from(automaton.edges, (edges, node) => (edges.length > 0 || isEnd(node) ? 1 : 0));
  }

  /** The nodes that matter among those reached from any of `nodes`, in ascending order. */
  of(nodes: readonly number[]): Int32Array {
    const round = ++this.#round;
    const found: number[] = [];
    const work = [...nodes];
    for (let node = work.pop(); node !== undefined; node = work.pop()) {
      if (this.#met[node] === round) continue;
      this.#met[node] = round;
      if (this.#matters[node] === 1) found.push(node);
      work.push(...this.#automaton.empty[node]!);
    }
    return Int32Array.from(found).sort();
  }
}

/** A minimal automaton, with a label for each state. */
export interface LabelledStates extends ByteStates {
  readonly labels: Int32Array;
}

/**
 * Minimises an automaton; `labels[state]` is what a text that leads to `state` matches.
 *
 * A state from which no label with `isMatch` is reachable becomes the dead state. States are
 * numbered by a search from the starts; unreachable ones are removed. Source: Moore 1956,
 * "Gedanken-experiments on sequential machines".
 */
export function minimise(states: ByteStates, labels: Int32Array, isMatch: (label: number) => boolean): LabelledStates {
  const { classCount, next, starts, ...trimmed } = mergeClasses(trim(states, labels, isMatch));
  const blockOf = blocksOf({ ...trimmed, classCount, next, starts }, labels);

  // The first state of each block represents it. The block of the dead state is block 0.
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

/** Replaces states that reach no match by the dead state. */
function trim(states: ByteStates, labels: Int32Array, isMatch: (label: number) => boolean): ByteStates {
  const { classCount, stateCount, next } = states;
  const productive = new Uint8Array(stateCount);
  for (let state = 1; state < stateCount; state++) if (isMatch(labels[state]!)) productive[state] = 1;
  // States further from the start mostly have higher numbers, so that a backward pass needs few
  // rounds.
  for (let changed = true; changed; ) {
    changed = false;
    for (let state = stateCount - 1; state > 0; state--) {
      if (productive[state] === 1) continue;
      const row = state * classCount;
      for (let c = 0; c < classCount && productive[state] === 0; c++) productive[state] = productive[next[row + c]!]!;
      changed ||= productive[state] === 1;
    }
  }
  const keep = (state: number): number => (productive[state] === 1 ? state : 0);
  return { ...states, next: next.map(keep), starts: states.starts.map(keep) };
}

/**
 * The block of each state: two states share a block if no text distinguishes them. The dead state
 * is alone in block 0.
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

/** Merges classes of bytes that lead to the same states from everywhere. */
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
 * Groups the numbers below `count` by `isSame`; groups are numbered in the order of their first
 * members.
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
    const candidates = byHash.get(hash) ?? [];
    if (candidates.length === 0) byHash.set(hash, candidates);
    const known = candidates.find((group) => isSame(firsts[group]!, index));
    if (known === undefined) candidates.push(firsts.length);
    groupOf[index] = known ?? firsts.push(index) - 1;
  }
  return { groupOf, firsts };
}
