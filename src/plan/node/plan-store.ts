import type { LockAnswer, LockOptions } from "../../edit/node/index.ts";
import type { PlanEvent } from "../plan-event.ts";
import type { PlanJournal } from "../plan-parts.ts";
import { tryReadPlanJournal, withPlanJournal } from "./plan-journal.ts";
import { type PlanSetup, readPlanRecord, writePlanRecord } from "./plan-record.ts";

/**
 * Stores plans while they run: their journals and their setups.
 *
 * Law: the events of a plan's journal have one order, whichever processes appended them, and a
 * process that runs the plan sees all earlier events. A process that no longer owns the plan cannot
 * append.
 */
export interface PlanStore {
  /**
   * Runs `work` with the plan's journal. Rejects with what `work` rejects with, and when the
   * journal cannot be read.
   */
  withJournal<Value>(
    plan: string,
    lock: LockOptions,
    work: (journal: PlanJournal) => Promise<Value>,
  ): Promise<LockAnswer<Value>>;
  /** The setup and events of a plan, without a lock; `undefined` when it has no events. */
  tryRead(plan: string): Promise<StoredPlan | undefined>;
  /** Stores the setup of a plan, completely or not at all. */
  writeSetup(plan: string, setup: PlanSetup): Promise<void>;
}

/** The stored state of a plan. */
export interface StoredPlan {
  readonly setup: PlanSetup;
  readonly events: readonly PlanEvent[];
}

/**
 * Stores the plans of a workspace in a folder, for plans that run on one machine and continue
 * there.
 */
export class FolderPlanStore implements PlanStore {
  readonly #folder: string;

  /** `folder` is a result of `plansFolder`. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  withJournal<Value>(
    plan: string,
    lock: LockOptions,
    work: (journal: PlanJournal) => Promise<Value>,
  ): Promise<LockAnswer<Value>> {
    return withPlanJournal({ ...lock, folder: this.#folder, plan }, work);
  }

  /**
   * The setup and events of a plan, without a lock; `undefined` when it has no events. Rejects as
   * {@link tryReadPlanJournal} and {@link readPlanRecord} do.
   */
  async tryRead(plan: string): Promise<StoredPlan | undefined> {
    const reading = await tryReadPlanJournal({ folder: this.#folder, plan });
    if (reading === undefined || reading.events.length === 0) return undefined;
    // The setup is stored before the first event.
    return { setup: await readPlanRecord(this.#folder, plan), events: reading.events };
  }

  writeSetup(plan: string, setup: PlanSetup): Promise<void> {
    return writePlanRecord(this.#folder, plan, setup);
  }
}
