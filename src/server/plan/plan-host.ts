import type { PlanEvent, PlanMoney, StepId } from "../../plan/index.ts";
import type { ChatModels } from "../session/index.ts";

/**
 * Runs plans for a language server, in a copy of the workspace, and stores them so that any process
 * can continue them.
 *
 * Roots are absolute folders, links resolved; paths are relative to the root. Methods reject with
 * an `EmendError` whose message contains what to do, or with the signal's own reason when they are
 * stopped; what was done until then is stored.
 *
 * An interface, because `server` lies below `cli`, which has the program that carries plans out.
 */
export interface PlanHost {
  /** Starts a plan and runs it. */
  start(root: string, request: PlanRequest, options: PlanRunParts): PlanNewsStream;
  /** Continues a stored plan. */
  continue(root: string, plan: string, request: PlanContinueRequest, options: PlanRunParts): PlanNewsStream;
  /** Reads the stored state of a plan, also while some process runs it. */
  read(root: string, plan: string): Promise<StoredPlanState>;
  /** The plans of a workspace, the oldest first, without their files. */
  list(root: string): Promise<readonly StoredPlanState[]>;
  /** A step that is left to do, as a prompt for any chat. */
  task(root: string, plan: string, step: StepId): Promise<PlanTaskText>;
  /** Stores that the plan's changes were applied to the workspace. */
  keepApplied(root: string, plan: string): Promise<void>;
}

/**
 * The events of a running plan, each once; the return value has further notes for a person, a line
 * each.
 */
export type PlanNewsStream = AsyncGenerator<PlanNews, { readonly notes: readonly string[] }>;

/** An event of a running plan. */
export type PlanNews =
  /**
   * The first event: the plan's name, and the price of its tokens. Later failures are those of the
   * plan, not of the request.
   */
  | { readonly kind: "named"; readonly plan: string; readonly money: PlanMoney }
  /** The events from before it was continued. */
  | { readonly kind: "opened"; readonly events: readonly PlanEvent[] }
  | { readonly kind: "event"; readonly event: PlanEvent }
  /** What is done until the next event, in a few words. */
  | { readonly kind: "activity"; readonly text: string };

/** What a plan runs with. */
export interface PlanRunParts {
  readonly signal: AbortSignal;
  /**
   * Rejects where a file has unsaved changes, since a plan starts from the disk. Called once what
   * the request names is checked, so that a mistake in it is reported first.
   */
  checkSaved(): Promise<void>;
  /** Opens models by their names, with the settings of the workspace and of the editor. */
  openModels(names: readonly string[]): Promise<ChatModels>;
}

/** A plan to start. */
export interface PlanRequest extends PlanRequestLimits {
  readonly instruction?: string;
  /** The block that the instruction is about. Lines count from 0. */
  readonly at?: { readonly path: string; readonly line: number };
  /** `working-tree` by default, a range of git, or `findings`. */
  readonly seed?: string;
  readonly verifiers: readonly string[];
  /** No model if the list is empty. */
  readonly models: readonly string[];
  /**
   * Whether the plan is refused where none of the models can be opened, such as where a person
   * named them.
   */
  readonly isModelWanted: boolean;
}

/** The limits of a plan; those of the settings by default. */
export interface PlanRequestLimits {
  readonly maxSteps?: number | undefined;
  readonly maxRounds?: number | undefined;
  readonly maxTokens?: number | undefined;
}

/** How a stored plan is continued. */
export interface PlanContinueRequest extends PlanRequestLimits {
  /** Replaces the plan's models. */
  readonly models?: readonly string[] | undefined;
  /** Steps that need no change, by a person's decision. */
  readonly done?: readonly StepId[] | undefined;
  /** A chat's answer for one step. */
  readonly answer?: { readonly step: StepId; readonly text: string } | undefined;
  /** A step to undo. */
  readonly reject?: { readonly step: StepId; readonly reason: string | undefined } | undefined;
}

/** The stored state of a plan. */
export interface StoredPlanState {
  readonly plan: string;
  readonly events: readonly PlanEvent[];
  readonly money: PlanMoney;
  /** Whether some process runs it. */
  readonly isDriven: boolean;
  /** Whether its {@link files} were applied to the workspace, and the disk has some of them. */
  readonly isWritten: boolean;
  /** The files that it changed, once it has ended. */
  readonly files: readonly StoredPlanFile[];
  /** The locations of the steps that are left to do, once it has ended. */
  readonly left: readonly StoredPlanPlace[];
}

/** The location of a step in the texts that its plan produced. Lines count from 0. */
export interface StoredPlanPlace {
  readonly step: StepId;
  readonly line: number;
}

/** A file that a plan changed; `null` where it does not exist. */
export interface StoredPlanFile {
  readonly path: string;
  /** Without the plan's changes, and with them. */
  readonly before: string | null;
  readonly after: string | null;
  /** On the disk. */
  readonly now: string | null;
}

/** A step as a prompt for a chat. */
export interface PlanTaskText {
  readonly text: string;
  /** A warning for the person who pastes it. */
  readonly note?: string;
}
