import type { HoleExit, Junction } from "./junction.ts";
import { MinHeap } from "./min-heap.ts";
import type { Front, StackNode } from "./stack.ts";
import type { Control } from "./suffix-control.ts";
import { accepted, type SuffixRun } from "./suffix-run.ts";

/** A cheapest way from a stack through a hole to the end of the text. */
export interface Completion {
  /** Bytes that the hole must still write. */
  readonly cost: number;
  /** What it writes, in order. */
  readonly written: readonly NonNullable<HoleExit["written"]>[];
}

/**
 * Asks whether a stack can go on to the end of the text from a control of a suffix run: reachability over pairs of a node
 * and an exit. Nodes never change, so what was found out once stays known.
 */
export class CompletionSearch {
  readonly #run: SuffixRun;
  readonly #junctions: readonly (Junction | undefined)[];
  readonly #known = new Map<number, boolean>();
  /** By node, for the first hole. */
  readonly #openEnded = new Map<number, boolean>();

  /** `junctions`: that of the hole before each segment; none before the first where the text is no hole's. */
  constructor(run: SuffixRun, junctions: readonly (Junction | undefined)[]) {
    this.#run = run;
    this.#junctions = junctions;
  }

  /** Whether some stack of `front` can be completed from `control` on. */
  canFinish(front: Front, control: Control): boolean {
    return front.nodes.some((node) => this.#canNodeFinish(node, control));
  }

  /**
   * Whether a stack can be completed from `hole`, the control of being in one, whatever else is first put on `node` there: all that
   * was begun on it may also be ended there.
   */
  isOpenEnded(node: StackNode, hole: Control): boolean {
    const known = this.#openEnded.get(node.id);
    if (known !== undefined) return known;
    const isOpenEnded = this.#findOpenEnded(node, hole);
    this.#openEnded.set(node.id, isOpenEnded);
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
      if (!node.below.some((under) => this.#canExit(under, exit))) return false;
    }
    return true;
  }

  /** Ways to complete some stack of `front`, the cheapest first; not all that there are. */
  *cheapest(front: Front, control: Control): Generator<Completion, void> {
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
      const { cost, value: step } = next;
      if (step.exit === accepted) {
        yield { cost, written: writtenOn(step) };
        continue;
      }
      const key = keyOf(step.under!, step.exit);
      if (seen.has(key)) continue;
      seen.add(key);
      this.#goOn(step.under!, step.exit, (under, way) => {
        offer(under, way, cost, step);
        return false;
      });
    }
  }

  #canNodeFinish(node: StackNode, control: Control): boolean {
    for (const { exit } of this.#ways(control, node.state, node.layout)) {
      if (exit === accepted || node.below.some((under) => this.#canExit(under, exit))) return true;
    }
    return false;
  }

  /** Whether a stack with `under` on top can be completed, when what was above it left by `exit`. */
  #canExit(under: StackNode, exit: number): boolean {
    const start = keyOf(under, exit);
    const known = this.#known.get(start);
    if (known !== undefined) return known;
    const seen = new Set([start]);
    const work: [StackNode, number][] = [[under, exit]];
    for (let next = work.pop(); next !== undefined; next = work.pop()) {
      const isFound = this.#goOn(next[0], next[1], (node, way) => {
        if (way.exit === accepted) return true;
        const key = keyOf(node, way.exit);
        const found = this.#known.get(key);
        if (found === undefined && !seen.has(key)) {
          seen.add(key);
          work.push([node, way.exit]);
        }
        return found === true;
      });
      if (isFound) {
        this.#known.set(start, true);
        return true;
      }
    }
    // Everything that was seen leads nowhere.
    for (const key of seen) this.#known.set(key, false);
    return false;
  }

  /** Visits where `exit` leads with `under` on top, until `visit` says that it is enough; whether it did. */
  #goOn(under: StackNode, id: number, visit: (under: StackNode, way: HoleExit) => boolean): boolean {
    const { control, production, pops } = this.#run.exit(id);
    if (pops > 0) {
      const exit = this.#run.exitId(control, production, pops - 1);
      return under.below.some((node) => visit(node, { exit, cost: 0, written: undefined }));
    }
    const { tables } = this.#run.parser.grammar;
    const state = tables.goto[under.state * tables.nonterminals.length + tables.productionLeft[production]!]!;
    return state !== 0 && this.#ways(control, state, under.layout).some((way) => visit(under, way));
  }

  #ways(control: Control, state: number, layout: number): readonly HoleExit[] {
    if (control.kind === "hole") {
      const exits = this.#junctions[control.segment]!.exitsAt(state, layout);
      // What a later hole writes is not this one's.
      return control.segment === 0 ? exits : exits.map(({ exit }) => ({ exit, cost: 0, written: undefined }));
    }
    return [...this.#run.exitsOf(control, state, layout)].map((exit) => ({ exit, cost: 0, written: undefined }));
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
