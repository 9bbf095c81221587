import type { Front, StackNode } from "../reading/stack.ts";
import { absent, PairMap } from "../tables/pair-map.ts";
import type { HoleBoundary, HoleExit } from "./hole-boundary.ts";
import { MinHeap } from "./min-heap.ts";
import type { Control } from "./suffix-control.ts";
import { accepted, type SuffixRun } from "./suffix-run.ts";

/** A cheapest way from a stack through a hole to the end of the text. */
export interface Completion {
  /** Bytes that the hole must still write. */
  readonly cost: number;
  /** What it writes, in order. */
  readonly written: readonly NonNullable<HoleExit["written"]>[];
}

const no = 0;
const yes = 1;
/** Seen by the search under way. */
const seenNow = 2;
/** Seen by a search that found the end before it came to an answer. */
const unknown = 3;

/**
 * Asks whether a stack can go on to the end of the text from a control of a suffix run:
 * reachability over pairs of a node and an exit. Nodes never change, so what was found out once
 * stays known.
 */
export class CompletionSearch {
  readonly #run: SuffixRun;
  readonly #junctions: readonly (HoleBoundary | undefined)[];
  /**
   * What is known of an exit above a node: `no`, `yes` or `unknown`, and `seenNow` while it is
   * being found out.
   */
  readonly #known = new PairMap();
  /** By node, for the first hole. */
  readonly #openEnded: boolean[] = [];
  /** The pairs that a search has seen, and the place of the one that each was seen from. */
  readonly #seenNodes: StackNode[] = [];
  readonly #seenExits: number[] = [];
  readonly #seenFrom: number[] = [];
  /** Places of those that are still to be gone on from. */
  readonly #work: number[] = [];

  /**
   * `junctions`: that of the hole before each segment; none before the first where the text is no
   * hole's.
   */
  constructor(run: SuffixRun, junctions: readonly (HoleBoundary | undefined)[]) {
    this.#run = run;
    this.#junctions = junctions;
  }

  /** Whether some stack of `front` can be completed from `control` on. */
  canFinish(front: Front, control: Control): boolean {
    for (const node of front.nodes) if (this.#canNodeFinish(node, control)) return true;
    return false;
  }

  /**
   * Whether a stack can be completed from `hole`, the control of being in one, whatever else is
   * first put on `node` there: all that was begun on it may also be ended there.
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
   * Ways to complete some stack of `front`, the cheapest first; not all that there are, and none
   * once `goesOn` denies it.
   */
  *cheapest(front: Front, control: Control, goesOn?: () => boolean): Generator<Completion, void> {
    const queue = new MinHeap<Step>();
    const seen = new Set<number>();
    const offer = (under: StackNode | undefined, way: HoleExit, cost: number, before: Step | undefined) => {
      queue.push(cost + way.cost, { under, exit: way.exit, written: way.written, before });
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
      this.#goOn(step.under!, step.exit, (under, way) => offer(under, way, cost, step));
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
   * Whether a stack with `under` on top can be completed, when what was above it left by `exit`.
   */
  #canExit(under: StackNode, exit: number): boolean {
    const known = this.#known.get(exit, under.id);
    if (known === yes || known === no) return known === yes;
    const seen = this.#seenNodes;
    this.#see(under, exit, absent);
    let isFound = false;
    try {
      for (let at = this.#work.pop(); at !== undefined && !isFound; at = this.#work.pop()) {
        isFound = this.#leadsOn(seen[at]!, this.#seenExits[at]!, at);
      }
    } catch (interruption) {
      this.#endSearch();
      throw interruption;
    }
    // Where nothing was found, everything that was seen leads nowhere; else only those on the way
    // are known.
    if (!isFound) for (let at = 0; at < seen.length; at++) this.#known.set(this.#seenExits[at]!, seen[at]!.id, no);
    this.#endSearch();
    return isFound;
  }

  /** What was seen and is not known by now stays unknown. */
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

  /** Continues from a pair that was seen at place `at`; whether that leads to the end. */
  #leadsOn(under: StackNode, id: number, at: number): boolean {
    const { control, production, pops } = this.#run.exit(id);
    if (pops > 0) {
      const exit = this.#run.exitId(control, production, pops - 1);
      for (const node of under.below) if (this.#look(node, exit, at)) return true;
      return false;
    }
    const { tables } = this.#run.parser.grammar;
    const state = tables.goto[under.state * tables.nonterminals.length + tables.productionLeft[production]!]!;
    if (state === 0) return false;
    for (const exit of this.#run.exitsOf(control, state, under.layout)) {
      if (exit === accepted) this.#leadTo(at);
      if (exit === accepted || this.#look(under, exit, at)) return true;
    }
    return false;
  }

  /** Comes to a pair from the one at place `from`; whether it is known to lead to the end. */
  #look(node: StackNode, exit: number, from: number): boolean {
    const known = this.#known.get(exit, node.id);
    if (known === yes) this.#leadTo(from);
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

  /** The pair at place `last`, and those it was come to from, lead to the end. */
  #leadTo(last: number): void {
    for (let at = last; at !== absent; at = this.#seenFrom[at]!) {
      this.#known.set(this.#seenExits[at]!, this.#seenNodes[at]!.id, yes);
    }
  }

  /** Visits where `exit` leads with `under` on top. */
  #goOn(under: StackNode, id: number, visit: (under: StackNode, way: HoleExit) => void): void {
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
      const exits = this.#junctions[control.segment]!.exitsAt(state, layout);
      // What a later hole writes is not this one's.
      return control.segment === 0 ? exits : exits.map(({ exit }) => ({ exit, cost: 0, written: undefined }));
    }
    return this.#run.exitsOf(control, state, layout).map((exit) => ({ exit, cost: 0, written: undefined }));
  }
}

/** A step of a way: what was above `under` left by `exit`; after acceptance nothing is under it. */
interface Step {
  readonly under: StackNode | undefined;
  readonly exit: number;
  readonly written: HoleExit["written"];
  readonly before: Step | undefined;
}

function writtenOn(last: Step): Completion["written"] {
  const written: NonNullable<HoleExit["written"]>[] = [];
  for (let step: Step | undefined = last; step !== undefined; step = step.before) {
    if (step.written !== undefined) written.push(step.written);
  }
  return written.reverse();
}

function keyOf(node: StackNode, exit: number): number {
  return exit * 0x1000_0000 + node.id;
}
