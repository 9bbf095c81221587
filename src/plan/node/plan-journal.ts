import { createHash } from "node:crypto";
import { open, readdir, readFile, truncate } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  isMissing,
  isWorkspaceLocked,
  type LockAnswer,
  type LockOptions,
  syncFolder,
  systemDisk,
  withWorkspaceLock,
} from "../../edit/node/index.ts";
import { EmendError } from "../../text/index.ts";
import { makeFolder } from "../../workspace/node/index.ts";
import { type PlanEvent, planEventFromJson, planEventToJson } from "../plan-event.ts";
import type { PlanJournal } from "../plan-parts.ts";

/**
 * The folder for the plans of the workspace at the absolute path `realRoot`, links resolved;
 * `folder` is for all workspaces.
 */
export function plansFolder(folder: string, realRoot: string): string {
  return join(folder, createHash("sha256").update(realRoot).digest("hex").slice(0, 32));
}

/** Where the journal of a plan is stored. */
export interface PlanJournalPlace extends LockOptions {
  /**
   * The absolute folder for all plans of a workspace, in the user's state folder; it is created
   * when it is missing, for the owner only.
   */
  readonly folder: string;
  /** The plan's name: letters, digits, `-` and `_`. It names the plan's folder. */
  readonly plan: string;
}

/** The events in a plan's journal. */
export interface PlanJournalReading {
  readonly events: readonly PlanEvent[];
  /**
   * Whether the last line is incomplete, as after a kill. It is ignored, and removed before the
   * next event is appended.
   */
  readonly isTorn: boolean;
}

/**
 * Runs `work` with the journal of a plan and locks the plan until it is over: no other process can
 * run it.
 *
 * The journal is a file to which lines are appended, each with a checksum. `append` resolves when
 * the line is on the disk. Rejects with {@link EmendError} with code "plan-name" when the name is
 * invalid, "plan-journal-broken" when a line other than the last cannot be read, and "plan-version"
 * when another version of Emend wrote the journal; with the system's error when the disk fails; and
 * with what `work` rejects with. Resolves as `busy`, without calling `work`, where another process
 * holds the lock for longer than `waitMs` milliseconds.
 */
export async function withPlanJournal<Value>(
  { folder, plan, ...lock }: PlanJournalPlace,
  work: (journal: PlanJournal) => Promise<Value>,
): Promise<LockAnswer<Value>> {
  const planFolder = folderOfPlan(folder, plan);
  await makeFolder(planFolder, { mode: 0o700 });
  return withWorkspaceLock(planFolder, lock, async () => {
    const path = join(planFolder, fileName);
    const { events, goodBytes, isTorn } = await readLines(path);
    if (isTorn) await truncate(path, goodBytes);
    const file = await open(path, "a", 0o600);
    try {
      await syncFolder(planFolder, systemDisk);
      return await work(new FilePlanJournal(file, events));
    } finally {
      await file.close();
    }
  });
}

/**
 * Reads the journal of a plan without a lock. Returns `undefined` when there is none. Rejects as
 * {@link withPlanJournal} does.
 */
export async function tryReadPlanJournal({
  folder,
  plan,
}: Pick<PlanJournalPlace, "folder" | "plan">): Promise<PlanJournalReading | undefined> {
  const { events, isTorn } = await readLines(join(folderOfPlan(folder, plan), fileName));
  return events.length === 0 && !isTorn ? undefined : { events, isTorn };
}

/**
 * Whether a process is running a plan; the answer may be outdated at once. `folder` is the folder
 * of a workspace's plans, `plansFolder`, not the workspace; `false` where there is none. Rejects
 * with {@link EmendError} code "plan-name" when the name is invalid.
 */
export async function isPlanRunning({ folder, plan }: Pick<PlanJournalPlace, "folder" | "plan">): Promise<boolean> {
  return isWorkspaceLocked(folderOfPlan(folder, plan));
}

/**
 * The names of the plans in a folder, sorted; empty when there is no folder. Rejects with the
 * system's error when the folder cannot be read.
 */
export async function listPlans(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && planName.test(entry.name))
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

const fileName = "journal";
const planName = /^[\w-]{1,100}$/;

/**
 * The folder of one plan. Throws {@link EmendError} with code "plan-name" when the name is invalid.
 */
export function folderOfPlan(folder: string, plan: string): string {
  if (planName.test(plan)) return join(folder, plan);
  throw new EmendError(
    "plan-name",
    `${JSON.stringify(plan)} is no valid name of a plan: use at most 100 letters, digits, "-" and "_".`,
  );
}

class FilePlanJournal implements PlanJournal {
  readonly events: PlanEvent[];
  readonly #file: Awaited<ReturnType<typeof open>>;

  constructor(file: Awaited<ReturnType<typeof open>>, events: readonly PlanEvent[]) {
    this.#file = file;
    this.events = [...events];
  }

  async append(event: PlanEvent): Promise<void> {
    await this.#file.appendFile(lineOf(event));
    await this.#file.datasync();
    this.events.push(event);
  }
}

/**
 * The version of the journal and of the files beside it; it changes with the names of events and of
 * their fields. Version 1 had no version at the start of its lines.
 */
const journalVersion = 2;

/** A line of the journal: the version, a checksum of the event's JSON, the JSON. */
function lineOf(event: PlanEvent): string {
  const json = planEventToJson(event);
  return `${journalVersion} ${checksum(json)} ${json}\n`;
}

function checksum(json: string): string {
  return createHash("sha256").update(json).digest("hex").slice(0, 16);
}

async function readLines(path: string): Promise<PlanJournalReading & { readonly goodBytes: number }> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (isMissing(error)) return { events: [], isTorn: false, goodBytes: 0 };
    throw error;
  }
  const events: PlanEvent[] = [];
  let goodBytes = 0;
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start);
    const event = end < 0 ? undefined : tryEvent(bytes.toString("utf8", start, end), path);
    if (event === undefined) {
      // A kill can only damage the end of the file.
      if (end >= 0 && end + 1 < bytes.length) throw broken(path, events.length + 1);
      return { events, isTorn: true, goodBytes };
    }
    events.push(event);
    start = end + 1;
    goodBytes = start;
  }
  return { events, isTorn: false, goodBytes };
}

/** The event of a line; `undefined` when it is damaged. Throws when it has another version. */
function tryEvent(line: string, path: string): PlanEvent | undefined {
  const [, version = "1", sum, json] = /^(?:(\d+) )?([0-9a-f]{16}) (\{.*)$/su.exec(line) ?? [];
  if (json === undefined) return undefined;
  checkVersion(Number(version), path);
  return checksum(json) === sum ? planEventFromJson(json) : undefined;
}

function checkVersion(version: number, path: string): void {
  if (version === journalVersion) return;
  const [writer, cure] =
    version < journalVersion ? ["An older", "Finish the plan with that version"] : ["A newer", "Update Emend"];
  const message = `${writer} version of Emend wrote ${path}, in version ${version} of the journal; this one reads version ${journalVersion}. ${cure}, or delete the folder ${dirname(path)} and start a new plan.`;
  throw new EmendError("plan-version", message);
}

function broken(path: string, line: number): EmendError {
  const message = `Line ${line} of ${path} is damaged. Remove it and all lines after it to continue from there, or start a new plan.`;
  return new EmendError("plan-journal-broken", message);
}
