import type { PlanEvent, PlanMoney, StepId } from "../plan/index.ts";
import type { ChatModels } from "./session/index.ts";

/**
 * Who carries plans out for a language server: in a copy of a workspace, and kept where any process finds them again.
 *
 * Roots are absolute folders, links resolved; paths are from the root. What cannot be is an `EmendError` whose message says what to do; who
 * is stopped rejects with the signal's own reason, and what was done until then is kept.
 */
export interface PlanHost {
  /** Begins a plan, and carries it out. */
  start(root: string, request: PlanRequest, options: PlanRunParts): PlanNewsStream;
  /** Goes on with a plan of before. */
  goOn(root: string, plan: string, request: PlanGoOnRequest, options: PlanRunParts): PlanNewsStream;
  /** All that is kept of a plan, also while somebody carries it out. */
  read(root: string, plan: string): Promise<StoredPlanState>;
  /** The plans of a workspace, the oldest first. */
  list(root: string): Promise<readonly StoredPlanState[]>;
  /** A step that is left to do as a text for any chat. */
  task(root: string, plan: string, step: StepId): Promise<PlanTaskText>;
  /** Keeps that what the plan came to was given to the workspace. */
  keepApplied(root: string, plan: string): Promise<void>;
}

/** What a plan tells while it runs, each once; the end says what else a person should know, a line each. */
export type PlanNewsStream = AsyncGenerator<PlanNews, { readonly notes: readonly string[] }>;

/** A piece of news of a plan. */
export type PlanNews =
  /** The first: what the plan is called, and what its tokens cost. Whatever stops it from now on is no fault of the request. */
  | { readonly kind: "named"; readonly plan: string; readonly money: PlanMoney }
  /** What happened in it before. */
  | { readonly kind: "opened"; readonly events: readonly PlanEvent[] }
  | { readonly kind: "event"; readonly event: PlanEvent }
  /** What is being done until the next event, in a few words. */
  | { readonly kind: "activity"; readonly text: string };

/** What a plan runs with. */
export interface PlanRunParts {
  readonly signal: AbortSignal;
  /** Opens models by their names, with the settings of the workspace and of the editor. */
  openModels(names: readonly string[]): Promise<ChatModels>;
}

/** A plan that is to begin. */
export interface PlanRequest extends PlanRequestLimits {
  readonly instruction?: string;
  /** The block that the instruction is about. Lines count from 0. */
  readonly at?: { readonly path: string; readonly line: number };
  /** `working-tree` unless told, a range of git, or `findings`. */
  readonly seed?: string;
  readonly oracles: readonly string[];
  /** None where the list is empty. */
  readonly models: readonly string[];
  /** Whether the plan is refused where none of these can be asked, as where a person named them. */
  readonly isModelWanted: boolean;
}

/** How far a plan may go, where that is told. */
export interface PlanRequestLimits {
  readonly maxSteps?: number | undefined;
  readonly maxRounds?: number | undefined;
  readonly maxTokens?: number | undefined;
}

/** How a plan goes on. */
export interface PlanGoOnRequest extends PlanRequestLimits {
  /** Other models than before. */
  readonly models?: readonly string[] | undefined;
  /** Steps at which nothing has to change, as a person says. */
  readonly done?: readonly StepId[] | undefined;
  /** What a chat said of a step. */
  readonly answer?: { readonly step: StepId; readonly text: string } | undefined;
  /** A step that is taken back. */
  readonly reject?: { readonly step: StepId; readonly reason: string | undefined } | undefined;
}

/** What is kept of a plan. */
export interface StoredPlanState {
  readonly plan: string;
  readonly events: readonly PlanEvent[];
  readonly money: PlanMoney;
  /** Whether some process works on it. */
  readonly isDriven: boolean;
  /** The files that it changed, once it has ended. */
  readonly files: readonly StoredPlanFile[];
  /** Where the steps lie that are left to do, once it has ended. */
  readonly left: readonly StoredPlanPlace[];
}

/** Where a step lies in the texts as its plan left them. Lines count from 0. */
export interface StoredPlanPlace {
  readonly step: StepId;
  readonly line: number;
}

/** A file that a plan changed; `null` stands for none. */
export interface StoredPlanFile {
  readonly path: string;
  /** Without the plan's changes, and with them. */
  readonly before: string | null;
  readonly after: string | null;
  /** On the disk. */
  readonly now: string | null;
}

/** A step for a chat. */
export interface PlanTaskText {
  readonly text: string;
  /** What a person should know before they paste it. */
  readonly note?: string;
}
