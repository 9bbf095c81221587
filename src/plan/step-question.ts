import type { CodeBlock, DependencyGraph } from "../codebase/index.ts";
import type { PlanGraph, PlanStep } from "./plan-graph.ts";

/** Blocks and edges as the texts are now. */
export type BlockGraph = Pick<DependencyGraph, "tryBlock" | "blocksOf" | "blockAt" | "dependenciesOf" | "dependentsOf">;

/** A step that is to be carried out, and all that there is to know for it. */
export interface StepQuestion {
  /** What the whole plan is for, in the person's words. */
  readonly instruction?: string;
  readonly step: PlanStep;
  /** The block as it is now. */
  readonly block: CodeBlock;
  /** The text of its file as it is now. */
  readonly text: string;
  /** All steps, with what was made of them. */
  readonly plan: PlanGraph;
  readonly graph: BlockGraph;
  /** The text of any file as it is now. */
  readonly textOf: (path: string) => Promise<string | undefined>;
}
