import type { LockAnswer, LockOptions } from "../../edit/node/index.ts";
import type { PlanEvent } from "../plan-event.ts";
import type { PlanJournal } from "../plan-parts.ts";
import { tryReadPlanJournal, withPlanJournal } from "./plan-journal.ts";
import { type PlanSetup, readPlanRecord, writePlanRecord } from "./plan-record.ts";

/**
 * Where plans are kept while they are carried out: their journals, and what they are carried out with.
 *
 * Law: of all that was appended to a plan's journal, in whichever process, there is one order, and each who drives the plan has seen all that
 * was appended before. Who is no more the one to drive it can append nothing.
 */
export interface PlanStore {
  /** Drives a plan. Rejects with what the work rejects with, and where its journal cannot be read. */
  withJournal<Value>(
    plan: string,
    lock: LockOptions,
    work: (journal: PlanJournal) => Promise<Value>,
  ): Promise<LockAnswer<Value>>;
  /** What is known of a plan, while somebody may be driving it; `undefined` where it has no event. */
  tryRead(plan: string): Promise<StoredPlan | undefined>;
  /** Keeps what a plan is carried out with, whole or not at all. */
  writeSetup(plan: string, setup: PlanSetup): Promise<void>;
}

/** A plan as it is kept. */
export interface StoredPlan {
  readonly setup: PlanSetup;
  readonly events: readonly PlanEvent[];
}

/** The plans of a workspace in a folder: what one machine needs, and where a person goes on with them. */
export class FolderPlanStore implements PlanStore {
  readonly #folder: string;

  /** `folder` is one of `plansFolder`. */
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

  async tryRead(plan: string): Promise<StoredPlan | undefined> {
    const reading = await tryReadPlanJournal({ folder: this.#folder, plan });
    if (reading === undefined || reading.events.length === 0) return undefined;
    // What it is carried out with is kept before its first event.
    return { setup: await readPlanRecord(this.#folder, plan), events: reading.events };
  }

  writeSetup(plan: string, setup: PlanSetup): Promise<void> {
    return writePlanRecord(this.#folder, plan, setup);
  }
}
