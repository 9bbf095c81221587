import type { Front, StackNode } from "../reading/stack.ts";
import { absent, PairMap } from "../tables/pair-map.ts";
import type { HoleBoundary, HoleExit } from "./hole-boundary.ts";
import { MinHeap } from "./min-heap.ts";
import type { Control } from "./suffix-control.ts";
import { accepted, type SuffixRun } from "./suffix-run.ts";

/** A cheapest completion: from a stack through the hole to the end of the text. */
export interface Completion {
  /** The bytes that the hole must still write. */
  readonly cost: number;
  /** What the hole writes, in order. */
  readonly written: readonly NonNullable<HoleExit["written"]>[];
}

const no = 0;
const yes = 1;
/** Visited by the current search. */
const seenNow = 2;
/** Visited by a search that succeeded before it decided this pair. */
const unknown = 3;

/**
 * Decides whether a stack can reach the end of the text from a control of a suffix run:
 * reachability over pairs of a node and an exit. Nodes are immutable, so that results stay valid.
 */
export class CompletionSearch {
  readonly #run: SuffixRun;
  readonly #boundaries: readonly (HoleBoundary | undefined)[];
  /**
   * The state of each pair of an exit and a node below it: `no`, `yes`, `unknown`, or `seenNow`
   * during a search.
   */
  readonly #known = new PairMap();
  /** Results of `isOpenEnded`, by node. */
  readonly #openEnded: boolean[] = [];
  /** The pairs that the search has visited, and the index of each one's predecessor. */
  readonly #seenNodes: StackNode[] = [];
  readonly #seenExits: number[] = [];
  readonly #seenFrom: number[] = [];
  /** Indexes of the pairs that are still to be expanded. */
  readonly #work: number[] = [];

  /**
   * `boundaries`: for each segment, the boundary of the hole before it; none before the first
   * segment where the text is not a hole's.
   */
  constructor(run: SuffixRun, boundaries: readonly (HoleBoundary | undefined)[]) {
    this.#run = run;
    this.#boundaries = boundaries;
  }

  /** Whether some stack of `front` can reach the end of the text from `control`. */
  canFinish(front: Front, control: Control): boolean {
    for (const node of front.nodes) if (this.#canNodeFinish(node, control)) return true;
    return false;
  }

  /**
   * Whether a stack can be completed from `hole`, the control for being in a hole, whatever is
   * pushed onto `node` there: every item that was begun on it can also be completed.
   */
  isOpenEnded(node: StackNode, hole: Control): boolean {
    const known = this.#openEnded[node.id];
    if (known !== undefined) return known;
    const isOpenEnded = this.#findOpenEnded(node, hole);
    this.#openEnded[node.id] = isOpenEnded;
    return isOpenEnded;
  }

  #findOpenEnded(node: StackNode, hole: Control): boolean {
    if (!this.#canNodeFinish(node, hole)) return false;
    const { parser } = this.#run;
    const { tables } = parser.grammar;
    if (node.below.length === 0) {
      return this.#canNodeFinish(parser.stacks.node(tables.acceptState, node.layout, [node]), hole);
    }
    for (let item = tables.itemStart[node.state]!; item < tables.itemStart[node.state + 1]!; item++) {
      const exit = this.#run.exitId(hole, tables.itemProduction[item]!, tables.itemDot[item]! - 1);
      if (!this.#canExitTo(node.below, exit)) return false;
    }
    return true;
  }

  /**
   * Completions of the stacks of `front`, cheapest first; not all that exist, and none after
   * `goesOn` returns false.
   */
  *cheapest(front: Front, control: Control, goesOn?: () => boolean): Generator<Completion, void> {
    const queue = new MinHeap<Step>();
    const seen = new Set<number>();
    const offer = (under: StackNode | undefined, way: HoleExit, cost: number, previous: Step | undefined) => {
      queue.push(cost + way.cost, { under, exit: way.exit, written: way.written, previous });
    };
    for (const node of front.nodes) {
      for (const way of this.#ways(control, node.state, node.layout)) {
        if (way.exit === accepted) offer(undefined, way, 0, undefined);
        else for (const under of node.below) offer(under, way, 0, undefined);
      }
    }
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (goesOn?.() === false) return;
      const { cost, value: step } = next;
      if (step.exit === accepted) {
        yield { cost, written: writtenOn(step) };
        continue;
      }
      const key = keyOf(step.under!, step.exit);
      if (seen.has(key)) continue;
      seen.add(key);
      this.#forEachSuccessor(step.under!, step.exit, (under, way) => offer(under, way, cost, step));
    }
  }

  #canNodeFinish(node: StackNode, control: Control): boolean {
    for (const exit of this.#run.exitsOf(control, node.state, node.layout)) {
      if (exit === accepted || this.#canExitTo(node.below, exit)) return true;
    }
    return false;
  }

  #canExitTo(below: readonly StackNode[], exit: number): boolean {
    for (const under of below) if (this.#canExit(under, exit)) return true;
    return false;
  }

  /**
   * Whether a stack with `under` on top can be completed after what was above it left by `exit`.
   */
  #canExit(under: StackNode, exit: number): boolean {
    const known = this.#known.get(exit, under.id);
    if (known === yes || known === no) return known === yes;
    const seen = this.#seenNodes;
    this.#see(under, exit, absent);
    let isFound = false;
    try {
      for (let at = this.#work.pop(); at !== undefined && !isFound; at = this.#work.pop()) {
        isFound = this.#expand(seen[at]!, this.#seenExits[at]!, at);
      }
    } catch (interruption) {
      this.#endSearch();
      throw interruption;
    }
    // A failed search has decided all pairs that it visited; a successful one only those on its
    // path.
    if (!isFound) for (let at = 0; at < seen.length; at++) this.#known.set(this.#seenExits[at]!, seen[at]!.id, no);
    this.#endSearch();
    return isFound;
  }

  /** Visited pairs without a result become `unknown`. */
  #endSearch(): void {
    const seen = this.#seenNodes;
    for (let at = 0; at < seen.length; at++) {
      const each = this.#seenExits[at]!;
      if (this.#known.get(each, seen[at]!.id) === seenNow) this.#known.set(each, seen[at]!.id, unknown);
    }
    seen.length = 0;
    this.#seenExits.length = 0;
    this.#seenFrom.length = 0;
    this.#work.length = 0;
  }

  /** Expands the pair at index `at`; returns whether it leads to the end. */
  #expand(under: StackNode, id: number, at: number): boolean {
    const { control, production, pops } = this.#run.exit(id);
    if (pops > 0) {
      const exit = this.#run.exitId(control, production, pops - 1);
      for (const node of under.below) if (this.#visitPair(node, exit, at)) return true;
      return false;
    }
    const { tables } = this.#run.parser.grammar;
    const state = tables.goto[under.state * tables.nonterminals.length + tables.productionLeft[production]!]!;
    if (state === 0) return false;
    for (const exit of this.#run.exitsOf(control, state, under.layout)) {
      if (exit === accepted) this.#markPath(at);
      if (exit === accepted || this.#visitPair(under, exit, at)) return true;
    }
    return false;
  }

  /** Visits a pair from the one at index `from`; returns whether it is known to lead to the end. */
  #visitPair(node: StackNode, exit: number, from: number): boolean {
    const known = this.#known.get(exit, node.id);
    if (known === yes) this.#markPath(from);
    else if (known === absent || known === unknown) this.#see(node, exit, from);
    return known === yes;
  }

  #see(node: StackNode, exit: number, from: number): void {
    this.#known.set(exit, node.id, seenNow);
    this.#work.push(this.#seenNodes.length);
    this.#seenNodes.push(node);
    this.#seenExits.push(exit);
    this.#seenFrom.push(from);
  }

  /** Marks the pair at index `last`, and its predecessors, as leading to the end. */
  #markPath(last: number): void {
    for (let at = last; at !== absent; at = this.#seenFrom[at]!) {
      this.#known.set(this.#seenExits[at]!, this.#seenNodes[at]!.id, yes);
    }
  }

  /** Calls `visit` for each successor of a pair. */
  #forEachSuccessor(under: StackNode, id: number, visit: (under: StackNode, way: HoleExit) => void): void {
    const { control, production, pops } = this.#run.exit(id);
    if (pops > 0) {
      const exit = this.#run.exitId(control, production, pops - 1);
      for (const node of under.below) visit(node, { exit, cost: 0, written: undefined });
      return;
    }
    const { tables } = this.#run.parser.grammar;
    const state = tables.goto[under.state * tables.nonterminals.length + tables.productionLeft[production]!]!;
    if (state !== 0) for (const way of this.#ways(control, state, under.layout)) visit(under, way);
  }

  #ways(control: Control, state: number, layout: number): readonly HoleExit[] {
    if (control.kind === "hole") {
      const exits = this.#boundaries[control.segment]!.exitsAt(state, layout);
      // Only the first hole is written here.
      return control.segment === 0 ? exits : exits.map(({ exit }) => ({ exit, cost: 0, written: undefined }));
    }
    return this.#run.exitsOf(control, state, layout).map((exit) => ({ exit, cost: 0, written: undefined }));
  }
}

/** A step of a completion: what was above `under` left by `exit`; `undefined` after acceptance. */
interface Step {
  readonly under: StackNode | undefined;
  readonly exit: number;
  readonly written: HoleExit["written"];
  readonly previous: Step | undefined;
}

function writtenOn(last: Step): Completion["written"] {
  const written: NonNullable<HoleExit["written"]>[] = [];
  for (let step: Step | undefined = last; step !== undefined; step = step.previous) {
    if (step.written !== undefined) written.push(step.written);
  }
  return written.reverse();
}

function keyOf(node: StackNode, exit: number): number {
  return exit * 0x1000_0000 + node.id;
}
