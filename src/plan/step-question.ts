import type { CodeBlock, DependencyGraph } from "../codebase/index.ts";
import type { PlanGraph, PlanStep } from "./plan-graph.ts";

/** The blocks and edges of the current texts. */
export type BlockGraph = Pick<DependencyGraph, "tryBlock" | "blocksOf" | "blockAt" | "dependenciesOf" | "dependentsOf">;

/** A step to carry out, with the data that is needed for it. */
export interface StepQuestion {
  /** The purpose of the whole plan, as the user wrote it. */
  readonly instruction?: string;
  readonly step: PlanStep;
  /** The current block. */
  readonly block: CodeBlock;
  /** The current text of its file. */
  readonly text: string;
  /** All steps with their results. */
  readonly plan: PlanGraph;
  readonly graph: BlockGraph;
  /** The current text of any file; `undefined` when there is none. */
  readonly textOf: (path: string) => Promise<string | undefined>;
}
