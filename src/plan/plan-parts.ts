import type { AffectedBlock, ChangedText, ImpactReport } from "../codebase/index.ts";
import type { Model } from "../model/index.ts";
import type { WorkspaceEdit } from "../text/index.ts";
import type { ModelTask } from "./model-task.ts";
import type { Oracle } from "./oracle.ts";
import type { PlanEvent } from "./plan-event.ts";
import type { BlockGraph, StepQuestion } from "./step-question.ts";

/** What a plan is carried out with: all that is outside of the engine. */
export interface PlanParts {
  readonly workspace: PlanWorkspace;
  readonly impact: ImpactSource;
  readonly journal: PlanJournal;
  /** What needs no model is tried first. */
  readonly mechanical?: MechanicalEdits;
  /** Without one, what is not mechanical becomes obligations. */
  readonly model?: ModelStep;
  /** Asked one after the other at the end of each round. */
  readonly oracles?: readonly Oracle[];
  /** In milliseconds since 1970. */
  readonly now: () => number;
}

/** The call options of all parts. They reject with the signal's own reason. */
export interface PartOptions {
  readonly signal?: AbortSignal | undefined;
}

/** The copy of a workspace that the plan is carried out in: nobody else writes there. */
export interface PlanWorkspace {
  /** The text of a file as it is now; `undefined` where there is none. */
  textOf(path: string): Promise<string | undefined>;
  /** Writes an edit of the texts as they are now. Rejects with `EmendError` where it cannot. */
  write(edit: WorkspaceEdit, options: PartOptions & { readonly instruction: string }): Promise<void>;
}

/** Knows what depends on what. It begins in the state that the workspace begins in. */
export interface ImpactSource {
  /** The blocks and edges as the texts are now. */
  readonly graph: BlockGraph;
  /** What a change may affect, which is not made yet. */
  impactOf(changed: ReadonlyMap<string, ChangedText>, options: PartOptions): Promise<ImpactReport>;
  /** Tells that a change was made. */
  update(changed: ReadonlyMap<string, ChangedText>, options: PartOptions): Promise<void>;
  /** Reads files that are needed now, so that the graph knows their blocks; those that it knows already cost nothing. */
  load?(paths: readonly string[], options: PartOptions): Promise<void>;
}

/** Where events are kept. What was appended is there for good when the promise is kept. */
export interface PlanJournal {
  /** What was kept before, in order. */
  readonly events: readonly PlanEvent[];
  append(event: PlanEvent): Promise<void>;
}

/** Edits that follow from the causes of a step. */
export interface MechanicalEdits {
  /** `undefined` where it cannot tell what is to be written: the model is asked. */
  tryEdit(question: StepQuestion, options: PartOptions): Promise<MechanicalAnswer | undefined>;
}

/** What a rule makes of a step. `rule` names it. */
export type MechanicalAnswer =
  | { readonly kind: "edit"; readonly edit: WorkspaceEdit; readonly rule: string }
  | { readonly kind: "unchanged"; readonly rule: string };

/** Has a model carry a step out. */
export interface ModelStep {
  /** The model's name. */
  readonly name: string;
  /** Puts together what the model is asked. */
  prepare(question: StepQuestion, options: PartOptions): Promise<ModelTask>;
  /**
   * Asks. `text` is the file's as the task speaks of it. It answers with nothing but what follows from the task, the text, and what the model
   * says through `remember`. Rejects with `ModelError` where the model cannot be asked.
   */
  run(task: ModelTask, text: string, options: ModelRunOptions): Promise<ModelStepAnswer>;
}

/** What a {@link ModelStep} asks with. */
export interface ModelRunOptions extends PartOptions {
  /** The same model, each answer of which is written down before it is used, and not asked for twice. */
  readonly remember: (model: Model) => Model;
}

/** What a model made of a step. */
export type ModelStepAnswer =
  /** `note` is what a person should look at. */
  | { readonly kind: "edit"; readonly edit: WorkspaceEdit; readonly note?: string }
  | { readonly kind: "unchanged" }
  /** It gave nothing that can be used. */
  | { readonly kind: "refused"; readonly reason: string };

/** How far a plan may go. */
export interface PlanLimits {
  /** Rounds of the oracles; 4 unless told. */
  readonly maxRounds?: number;
  /** Steps that are looked at, the seeds' own edits left out; 500 unless told. */
  readonly maxSteps?: number;
  /** Tokens that models are shown and write. */
  readonly maxTokens?: number;
  readonly maxCost?: number;
  /** What a token costs, in the unit of `maxCost`; nothing unless told. */
  readonly price?: { readonly shownToken: number; readonly writtenToken: number };
  /** How often one block is looked at; 3 unless told. */
  readonly maxVisits?: number;
  /** How many steps a model is asked about at once; 4 unless told. */
  readonly concurrency?: number;
  /** Says which blocks that a change may affect are steps; those of `isWork` unless told. */
  readonly isStep?: (affected: AffectedBlock) => boolean;
}
