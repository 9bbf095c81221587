import type { WorkspaceEdit } from "vscode-languageserver";
import type { PlanView } from "../../plan/index.ts";

/** What `emend/plan/start` is asked: a plan in the folder of `uri`, or in the only one that is open. */
export interface PlanStartParams {
  readonly uri?: string;
  /** What is to be done, in any language. Without it the plan carries on the change of `seed`. */
  readonly instruction?: string;
  /** The block that the instruction is about. Lines count from 0. */
  readonly at?: { readonly uri: string; readonly line: number };
  /** `working-tree` unless told, a range of git such as `main...`, or `findings`: what the oracles say. */
  readonly seed?: string;
  /** Commands that judge, such as `npx tsc --noEmit`. */
  readonly oracles?: readonly string[];
  /** Names of models in order of preference; those of the settings unless told, none where the list is empty. */
  readonly models?: readonly string[];
  readonly maxSteps?: number;
  readonly maxRounds?: number;
  readonly maxTokens?: number;
}

/**
 * Names a plan. Answered by `emend/plan/start`, `/continue` and `/reject` as soon as the plan runs; asked by the others.
 *
 * `emend/plan/stop` answers `null` once the plan stands still, also where it did so before.
 */
export interface PlanName {
  readonly plan: string;
  readonly uri?: string;
}

/** How a plan stands: the notification `emend/plan/view`, at most ten a second, fewer of a plan of many steps, the last one when it stops, and the answer of `emend/plan/show`. */
export interface PlanViewParams extends PlanName {
  readonly view: PlanView;
  /** Whether somebody works on it at the moment. */
  readonly isRunning: boolean;
  /** What it is doing, while it runs. */
  readonly activity?: string;
  /** Why it could not go on, for people. */
  readonly problem?: string;
  /** Further things that a person should know, a line each. */
  readonly notes: readonly string[];
  /** What it came to, a unified diff; once it has ended. A plan that was stopped has the diffs of its steps alone. */
  readonly diff?: string;
  /** Where the steps lie that are left to do, in the texts as the plan leaves them; once it has ended. Lines count from 0. */
  readonly left?: readonly { readonly step: number; readonly line: number }[];
  /** Whether the editor and the disk have all of it already. */
  readonly isApplied: boolean;
  /** Why a person should look before it is applied, as where an oracle failed: `emend/plan/apply` wants `isSeen` then. */
  readonly doubt?: string;
}

/** What `emend/plan/continue` is asked: goes on with steps done by hand, or with what a chat said of one; with other models and higher limits, where they are told. */
export interface PlanContinueParams
  extends PlanName,
    Pick<PlanStartParams, "models" | "maxSteps" | "maxRounds" | "maxTokens"> {
  readonly done?: readonly number[];
  readonly answer?: { readonly step: number; readonly text: string };
}

/** What `emend/plan/reject` is asked: takes a step back and plans anew what followed from it. */
export interface PlanRejectParams extends PlanName {
  readonly step: number;
  readonly reason?: string;
}

/** What `emend/plan/apply` is asked. */
export interface PlanApplyParams extends PlanName {
  /** Whether the person knows of the doubt that the view tells. */
  readonly isSeen?: boolean;
}

/** What `emend/plan/apply` answers: whether the editor took what the plan changes. */
export interface PlanApplyResult {
  readonly isApplied: boolean;
  readonly failureReason?: string;
  /** Paths from the workspace's root. */
  readonly files: readonly string[];
  /** What was handed to the editor. */
  readonly edit?: WorkspaceEdit;
}

/** What `emend/plan/task` is asked: about a step that is left to do. */
export interface PlanTaskParams extends PlanName {
  readonly step: number;
}

/** What `emend/plan/task` answers: a step as a text that any chat understands. */
export interface PlanTaskResult {
  readonly text: string;
  /** What a person should know before they paste it. */
  readonly note?: string;
}

/** What `emend/plan/list` is asked: of the plans in the folder of `uri`, or in the only one that is open. */
export interface PlanListParams {
  readonly uri?: string;
}

/** What `emend/plan/list` answers, the newest first. */
export interface PlanListResult {
  readonly plans: readonly {
    readonly plan: string;
    readonly instruction?: string;
    readonly progress: string;
    readonly isRunning: boolean;
  }[];
}
