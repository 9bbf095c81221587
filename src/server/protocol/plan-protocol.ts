import type { WorkspaceEdit } from "vscode-languageserver";
import type { PlanView } from "../../plan/index.ts";

/**
 * The parameters of `emend/plan/start`: a plan in the folder of `uri`, or in the only one that is
 * open.
 */
export interface PlanStartParams {
  readonly uri?: string;
  /** What is to be done, in any language. Without it the plan propagates the change of `seed`. */
  readonly instruction?: string;
  /** The block that the instruction is about. Lines count from 0. */
  readonly at?: { readonly uri: string; readonly line: number };
  /**
   * `working-tree` by default, a range of git such as `main...`, or `findings`: the diagnostics of
   * the verification commands.
   */
  readonly seed?: string;
  /** Verification commands, such as `npx tsc --noEmit`. */
  readonly verifiers?: readonly string[];
  /**
   * Names of models in order of preference; by default those of the settings. No model if the list
   * is empty.
   */
  readonly models?: readonly string[];
  readonly maxSteps?: number;
  readonly maxRounds?: number;
  readonly maxTokens?: number;
}

/**
 * Names a plan. The answer of `emend/plan/start`, `/continue` and `/reject` as soon as the plan
 * runs; the parameters of the other requests.
 *
 * `emend/plan/stop` answers `null` once the plan has stopped, also where it had stopped before.
 */
export interface PlanName {
  readonly plan: string;
  readonly uri?: string;
}

/**
 * The state of a plan: the notification `emend/plan/view`, and the answer of `emend/plan/show`. The
 * notification is sent at most ten times a second, less often for a plan of many steps, and a last
 * time when the plan stops.
 */
export interface PlanViewParams extends PlanName {
  readonly view: PlanView;
  /** Whether the plan is running. */
  readonly isRunning: boolean;
  /** What the plan is doing, while it runs. */
  readonly activity?: string;
  /** Why the plan could not continue, for people. */
  readonly problem?: string;
  /** Further notes for a person, a line each. */
  readonly notes: readonly string[];
  /**
   * The result as a unified diff, once the plan has ended. A plan that was stopped has only the
   * diffs of its steps.
   */
  readonly diff?: string;
  /**
   * The locations of the steps that are left to do, in the texts that the plan produces, once it
   * has ended. Lines count from 0.
   */
  readonly left?: readonly { readonly step: number; readonly line: number }[];
  /** Whether the editor and the disk have all changes already. */
  readonly isApplied: boolean;
  /**
   * Why a person should review the plan before it is applied, such as a failed verification;
   * `emend/plan/apply` requires `isSeen` then.
   */
  readonly doubt?: string;
}

/**
 * The parameters of `emend/plan/continue`: continues after steps done by hand (`done`), or with a
 * chat's answer for one step (`answer`), and with other models and higher limits, where given.
 */
export interface PlanContinueParams
  extends PlanName,
    Pick<PlanStartParams, "models" | "maxSteps" | "maxRounds" | "maxTokens"> {
  readonly done?: readonly number[];
  readonly answer?: { readonly step: number; readonly text: string };
}

/** The parameters of `emend/plan/reject`: undoes a step and plans again what followed from it. */
export interface PlanRejectParams extends PlanName {
  readonly step: number;
  readonly reason?: string;
}

/** The parameters of `emend/plan/apply`. */
export interface PlanApplyParams extends PlanName {
  /** Whether the person has seen the `doubt` of the view. */
  readonly isSeen?: boolean;
}

/** The answer of `emend/plan/apply`: whether the editor applied the plan's changes. */
export interface PlanApplyResult {
  readonly isApplied: boolean;
  readonly failureReason?: string;
  /** Paths relative to the workspace's root. */
  readonly files: readonly string[];
  /** The edit that was sent to the editor. */
  readonly edit?: WorkspaceEdit;
}

/**
 * The answer of `emend/plan/changes`: the files of a plan that was applied, while the disk has
 * some of its changes; empty otherwise.
 */
export interface PlanChangesResult {
  readonly files: readonly {
    /** The path relative to the workspace's root. */
    readonly path: string;
    /** The texts without and with the plan's changes; `null` where the file does not exist. */
    readonly before: string | null;
    readonly after: string | null;
  }[];
}

/** The parameters of `emend/plan/task`: a step that is left to do. */
export interface PlanTaskParams extends PlanName {
  readonly step: number;
}

/** The answer of `emend/plan/task`: a step as a prompt that can be pasted into any chat. */
export interface PlanTaskResult {
  readonly text: string;
  /** A warning for the person who pastes it. */
  readonly note?: string;
}

/**
 * The parameters of `emend/plan/list`: the plans in the folder of `uri`, or in the only one that is
 * open.
 */
export interface PlanListParams {
  readonly uri?: string;
}

/** The answer of `emend/plan/list`, the newest first. */
export interface PlanListResult {
  readonly plans: readonly {
    readonly plan: string;
    /** What the plan is about, in one line. */
    readonly title: string;
    readonly instruction?: string;
    /** The number of files that it changed so far, with those of the change that it starts from. */
    readonly files: number;
    /** When the plan started, in milliseconds since 1970; absent until it has an event. */
    readonly startedAt?: number;
    readonly progress: string;
    readonly isRunning: boolean;
  }[];
}
