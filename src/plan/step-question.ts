import type { CodeBlock } from "../codebase/index.ts";
import type { PlanGraph, PlanStep } from "./plan-graph.ts";
import type { ImpactSource } from "./plan-parts.ts";

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
  readonly graph: ImpactSource["graph"];
  /** The text of any file as it is now. */
  readonly textOf: (path: string) => Promise<string | undefined>;
}
