import type { AffectedBlock, AtomicChange, CodeBlock, DependencyGraph, ImpactReport } from "../analysis/index.ts";
import type { Model } from "../model/index.ts";
import type { WorkspaceEdit } from "../text/index.ts";
import type { ChangedText } from "../workspace/index.ts";
import type { ModelTask, PlanEvent } from "./plan-event.ts";
import type { BlockError, PlanGraph, PlanStep } from "./plan-graph.ts";
import type { Verifier } from "./verifier.ts";

/** The environment of a plan: everything outside the engine. */
export interface PlanParts {
  readonly workspace: PlanWorkspace;
  readonly impact: ImpactSource;
  readonly journal: PlanJournal;
  /** Edits without a model; they are tried first. */
  readonly mechanical?: MechanicalEdits;
  /** Without a model, steps without a mechanical edit become obligations. */
  readonly model?: ModelStep;
  /** The verification commands; they run one after the other at the end of each round. */
  readonly verifiers?: readonly Verifier[];
  /** The current time in milliseconds since 1970. */
  readonly now: () => number;
}

/** The call options of all parts. Calls reject with the signal's reason. */
export interface PartOptions {
  readonly signal?: AbortSignal | undefined;
}

/** The copy of a workspace in which the plan runs; nothing else writes there. */
export interface PlanWorkspace {
  /** The current text of a file; `undefined` when there is none. */
  textOf(path: string): Promise<string | undefined>;
  /** Writes an edit of the current texts. Rejects with `EmendError` when it fails. */
  write(edit: WorkspaceEdit, options: PartOptions & { readonly instruction: string }): Promise<void>;
}

/** The dependencies between blocks. Its initial state is that of the workspace. */
export interface ImpactSource {
  /** The blocks and edges of the current texts. */
  readonly graph: BlockGraph;
  /**
   * What a change may affect; the change has not been made yet. `earlier` are the changes of the
   * plan that it follows.
   */
  impactOf(
    changed: ReadonlyMap<string, ChangedText>,
    options: PartOptions & { readonly earlier?: readonly AtomicChange[] },
  ): Promise<ImpactReport>;
  /** Notifies the source that a change was made. */
  update(changed: ReadonlyMap<string, ChangedText>, options: PartOptions): Promise<void>;
  /**
   * Reads files that are needed now, so that the graph contains their blocks; files that were read
   * already cost nothing.
   */
  load?(paths: readonly string[], options: PartOptions): Promise<void>;
}

/** Stores events. An appended event is durable when the promise resolves. */
export interface PlanJournal {
  /** The stored events, in order. */
  readonly events: readonly PlanEvent[];
  append(event: PlanEvent): Promise<void>;
}

/** Edits that follow from the causes of a step. */
export interface MechanicalEdits {
  /** Returns `undefined` when no rule applies; the model is used then. */
  tryEdit(question: StepRequest, options: PartOptions): Promise<MechanicalAnswer | undefined>;
  /** What is left to do in a block; `undefined` where no type checker checks the file. */
  leftIn?(question: StepRequest, options: PartOptions): Promise<LeftWork | undefined>;
}

/** What rules leave to do in a block. Plain data. */
export interface LeftWork {
  /**
   * The errors that a type checker reports in the block now, and did not report before the plan.
   */
  readonly errors: readonly BlockError[];
  /**
   * The unified diff of what rules would write there with stubs, which removes some of the errors
   * and adds none; absent where that is nothing.
   */
  readonly proposal?: string;
}

/**
 * The result of the rules for a step: an edit and the name of its rule, or that no error is left.
 */
export type MechanicalAnswer =
  | { readonly kind: "edit"; readonly edit: WorkspaceEdit; readonly rule: string }
  | { readonly kind: "unchanged" };

/** Carries out steps with a model. */
export interface ModelStep {
  /** The model's name. */
  readonly name: string;
  /** Builds the task for the model. */
  prepare(question: StepRequest, options: PartOptions): Promise<ModelTask>;
  /**
   * Sends the task. `text` is the text of the file that the task refers to. The result depends only
   * on the task, the text, and the answers of the model through `remember`. Rejects with
   * `ModelError` when the model fails.
   */
  run(task: ModelTask, text: string, options: ModelRunOptions): Promise<ModelStepAnswer>;
}

/** The options of {@link ModelStep.run}. */
export interface ModelRunOptions extends PartOptions {
  /** Wraps a model so that each answer is stored before it is used, and no request is repeated. */
  readonly remember: (model: Model) => Model;
}

/** The result of a model for a step. */
export type ModelStepAnswer =
  /** `note` is a remark for people. */
  | { readonly kind: "edit"; readonly edit: WorkspaceEdit; readonly note?: string }
  | { readonly kind: "unchanged" }
  /** The answer cannot be used. */
  | { readonly kind: "refused"; readonly reason: string };

/** The limits of a plan. */
export interface PlanLimits {
  /** The most rounds; default: 4. */
  readonly maxRounds?: number;
  /** The most steps that are carried out, without the seeds' edits; default: 500. */
  readonly maxSteps?: number;
  /** The most tokens in prompts and answers; default: no limit. */
  readonly maxTokens?: number;
  readonly maxCost?: number;
  /** The price of a token, in the unit of `maxCost`; default: 0. */
  readonly price?: { readonly shownToken: number; readonly writtenToken: number };
  /** The most steps for one block; default: 3. */
  readonly maxVisits?: number;
  /** The most steps with concurrent model requests; default: 4. */
  readonly concurrency?: number;
  /**
   * Decides which affected blocks become steps. Default: `needsModel` with a model, `needsChange`
   * without.
   */
  readonly isStep?: (affected: AffectedBlock) => boolean;
}

/** The blocks and edges of the current texts. */
export type BlockGraph = Pick<DependencyGraph, "tryBlock" | "blocksOf" | "blockAt" | "dependenciesOf" | "dependentsOf">;

/** A step to carry out, with the data that is needed for it. */
export interface StepRequest {
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
