import type { AtomicChange } from "../../src/analysis/changes/atomic-change.ts";
import { classifyChanges } from "../../src/analysis/changes/classify-changes.ts";
import { type BlockId, blockId, type CodeBlock } from "../../src/analysis/graph/code-block.ts";
import { DependencyGraph, type GraphFile } from "../../src/analysis/graph/dependency-graph.ts";
import type { ReferenceSource } from "../../src/analysis/graph/reference.ts";
import { type ImpactReach, mayImpact } from "../../src/analysis/impact/may-impact.ts";
import { type BlocksOf, TargetBlocks, type TaskTexts } from "./target-blocks.ts";

/** What {@link simulatePlan} is given. */
export interface SimulationOptions {
  readonly texts: TaskTexts;
  readonly blocksOf: BlocksOf;
  readonly references: ReferenceSource;
  /**
   * The blocks of the source that are edited first, and those that the target adds without anybody
   * asking for them.
   */
  readonly seeds: readonly BlockId[];
  /** Whether an obligation is requested at all; default: all are. */
  readonly isWork?: (reach: ImpactReach) => boolean;
}

/** An obligation of the plan, and why it is one. */
export interface SimulatedStep {
  readonly block: CodeBlock;
  /** Absent for a seed. */
  readonly reach?: ImpactReach;
  /** Whether the target has it otherwise; else the answer is "No changes." */
  readonly isTarget: boolean;
  /** What was added along with it: members of its class that it names. */
  readonly added: readonly BlockId[];
}

/**
 * Carries a plan out as one who knows the answer would: each obligation that the target changes is
 * edited as there, what the edit is gets classified, and its one-hop impact gives the next
 * obligations, until there are none. No verification command is run.
 *
 * An edit brings the members which the target adds to the block's class and which its new text
 * names, and those which name them.
 */
export async function simulatePlan(options: SimulationOptions): Promise<readonly SimulatedStep[]> {
  const simulation = new Simulation(options);
  await simulation.start();
  return simulation.run();
}

class Simulation {
  readonly #options: SimulationOptions;
  readonly #texts: Map<string, string>;
  readonly #before = new DependencyGraph();
  readonly #after = new DependencyGraph();
  readonly #target: TargetBlocks;
  readonly #done = new Set<BlockId>();
  /** What the last edit made again in the graph. */
  #fresh: readonly GraphFile[] = [];

  constructor(options: SimulationOptions) {
    this.#options = options;
    this.#texts = new Map(options.texts.source);
    this.#target = new TargetBlocks(options.texts, options.blocksOf);
  }

  async start(): Promise<void> {
    await this.#options.references.update(this.#texts);
    const files = await this.#filesOf([...this.#texts.keys()]);
    this.#before.update(files);
    this.#after.update(files);
  }

  async run(): Promise<readonly SimulatedStep[]> {
    const steps: SimulatedStep[] = [];
    const queue: { readonly id: BlockId; readonly reach?: ImpactReach }[] = [];
    for (const id of this.#options.seeds) queue.push({ id });
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { id, reach } = next;
      if (this.#done.has(id)) continue;
      this.#done.add(id);
      const block = this.#before.tryBlock(id);
      const goal = this.#target.goalOf(id);
      if (block === undefined || goal === undefined) {
        const added = this.#target.additionOf(id);
        if (added !== undefined) {
          const edit = await this.#edit(added.path, undefined, added);
          steps.push({ block: added, isTarget: true, added: edit.added });
          await this.#follow(edit, queue);
        } else if (block !== undefined) steps.push({ block, ...(reach && { reach }), isTarget: false, added: [] });
        continue;
      }
      const edit = await this.#edit(block.path, block, goal);
      steps.push({ block, ...(reach && { reach }), isTarget: true, added: edit.added });
      await this.#follow(edit, queue);
    }
    return steps;
  }

  async #follow(
    edit: { readonly changes: readonly AtomicChange[] },
    queue: { readonly id: BlockId; readonly reach?: ImpactReach }[],
  ): Promise<void> {
    const reached = mayImpact({ before: this.#before, after: this.#after }, edit.changes, { maxHops: 1 });
    for (const [id, reach] of reached) {
      if (this.#done.has(id) || reach.block.kind === "import") continue;
      if (this.#options.isWork?.(reach) ?? true) queue.push({ id, reach });
    }
    this.#before.update(this.#fresh);
  }

  /**
   * Writes a block as the target has it, with what it brings along, and returns what that changed.
   */
  async #edit(
    path: string,
    block: CodeBlock | undefined,
    goal: CodeBlock,
  ): Promise<{ readonly changes: readonly AtomicChange[]; readonly added: readonly BlockId[] }> {
    const { blocksOf, references, texts } = this.#options;
    const old = this.#texts.get(path);
    const isThere = (id: BlockId) => this.#done.has(id);
    let brought: readonly CodeBlock[];
    let text: string;
    if (old === undefined) {
      // A new file comes whole.
      text = texts.target.get(path)!;
      brought = this.#target.additionsTo(path);
    } else {
      brought = block === undefined ? [goal] : this.#target.broughtBy(goal, isThere);
      text = block === undefined ? old : this.#target.withGoal(old, block, goal);
      for (const one of brought) text = this.#target.withAddition(path, text, one);
    }
    for (const one of brought) this.#done.add(blockId(one));
    const state = (one: string) => ({ text: one, blocks: blocksOf(path, one) });
    const changes = classifyChanges([{ path, ...(old !== undefined && { before: state(old) }), after: state(text) }]);
    this.#texts.set(path, text);
    await references.update(new Map([[path, text]]));
    this.#fresh = await this.#filesOf(this.#pathsWithNames(path, changes));
    this.#after.update(this.#fresh);
    return { changes, added: brought.map(blockId) };
  }

  /**
   * A file that changed, and those that say a name which came, went or changed in it: what names
   * mean can be another there alone.
   */
  #pathsWithNames(path: string, changes: readonly AtomicChange[]): string[] {
    const names = new Set(changes.flatMap(({ before, after }) => [before?.simpleName, after?.simpleName]));
    const words = [...names].filter((name) => name !== undefined && name !== "") as string[];
    return [...this.#texts].flatMap(([one, text]) =>
      one === path || words.some((word) => text.includes(word)) ? [one] : [],
    );
  }

  async #filesOf(paths: readonly string[]): Promise<readonly GraphFile[]> {
    const references = await this.#options.references.referencesOf(paths);
    return paths.map((path, index) => ({
      path,
      blocks: this.#options.blocksOf(path, this.#texts.get(path)!),
      references: references[index]!,
    }));
  }
}
