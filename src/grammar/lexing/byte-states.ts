import type { ByteAutomaton } from "./byte-automaton.ts";

/** As many states as a table of 16 bits can number, the dead one included. */
const maxStates = 0xffff;

/** A deterministic automaton over classes of bytes. State 0 is dead: nothing leads out of it. */
export interface ByteStates {
  /** The class of each byte. */
  readonly classOf: Uint8Array;
  readonly classCount: number;
  readonly stateCount: number;
  /** The next state, at `state * classCount + class`. */
  readonly next: Uint16Array;
  /** The state that each start became. */
  readonly starts: readonly number[];
}

/** States, and the nodes that each of them stands for. */
export interface NodeStates extends ByteStates {
  /** In ascending order, and only nodes that matter: those that a byte leads out of, and ends. */
  readonly nodesOf: readonly Int32Array[];
}

/**
 * The deterministic automaton that reads as `automaton` does from each of `starts`. What can be
 * reached from several of them is there once. `undefined` where it has too many states.
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
    let state = stateOfNodes.get(key);
    if (state === undefined) {
      state = nodesOf.push(nodes) - 1;
      stateOfNodes.set(key, state);
    }
    return state;
  };
  /** The same, remembered by the nodes that bytes lead to: most of them lead to one. */
  const stateBehind = (targets: readonly number[]): number => {
    if (targets.length === 1) {
      const known = stateOfTarget.get(targets[0]!);
      if (known !== undefined) return known;
      const state = stateAt(targets);
      stateOfTarget.set(targets[0]!, state);
      return state;
    }
    const key = targets.join();
    const known = stateOfTargets.get(key);
    if (known !== undefined) return known;
    const state = stateAt(targets);
    stateOfTargets.set(key, state);
    return state;
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

/** Classes of bytes that no edge tells apart; each is a range, and they are numbered in order. */
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
 * The ranges of bytes, inclusive, that lead from `nodes` to the same targets, which are in
 * ascending order and differ.
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

/** The nodes that are reached without a byte. */
class Closures {
  readonly #automaton: ByteAutomaton;
  readonly #matters: Uint8Array;
  /** The round in which each node was met last. */
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
