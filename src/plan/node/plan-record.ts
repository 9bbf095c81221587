import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../../edit/node/index.ts";
import { shownModelName } from "../../model/index.ts";
import { EmendError } from "../../text/index.ts";
import { makeFolder, replaceFile } from "../../workspace/node/index.ts";
import type { OpenStep } from "../open-step.ts";
import type { PlanLimits } from "../plan-parts.ts";
import { folderOfPlan } from "./plan-journal.ts";

/**
 * The options of a plan, with which it continues after a kill, and the texts that it left in the
 * workspace.
 */
export interface PlanSetup {
  readonly verifiers: readonly string[];
  /** The timeout of a verification command, if one was set. */
  readonly verifyTimeoutMs?: number;
  /** The names of models; secrets in them are masked when they are stored, see `shownModelName`. */
  readonly models: readonly string[];
  readonly limits: Pick<PlanLimits, "maxSteps" | "maxRounds" | "maxTokens" | "maxCost" | "price">;
  /**
   * The texts before the plan of the files that it uses, unless they are known to be those of the
   * workspace.
   */
  readonly start: readonly TextAt[];
  /** The texts of the same files in the workspace when the plan was last left. */
  readonly left: readonly TextAt[];
  /** Whether the plan's changes were written to the workspace. */
  readonly isWritten: boolean;
  /**
   * The texts of these files in the other case: with the plan's changes written when `isWritten` is
   * false, as after a kill right after writing; without them when it is true, as after an undo.
   */
  readonly otherwise?: readonly TextAt[];
  /** The other source files that the plan read; absent until it has stopped. */
  readonly read?: FileHashes;
}

/** The hash of each file's bytes, by its path. */
export type FileHashes = Readonly<Record<string, string>>;

/** The text of a file; `null` when there is no file. */
export interface TextAt {
  readonly path: string;
  readonly text: string | null;
}

/**
 * Stores the setup beside the plan's journal, completely or not at all. Keys in the names of models
 * are masked. Rejects with {@link EmendError} with code "plan-name" when the name is invalid, and
 * with the system's error when the disk fails.
 */
export function writePlanRecord(folder: string, plan: string, setup: PlanSetup): Promise<void> {
  return writeAtomically(folder, plan, fileName, { ...setup, models: setup.models.map(shownModelName) });
}

/**
 * Stores the open steps of a plan, with the context of each, beside its journal. Rejects as
 * {@link writePlanRecord} does.
 */
export function writeOpenSteps(folder: string, plan: string, open: readonly OpenStep[]): Promise<void> {
  return writeAtomically(folder, plan, openFileName, open);
}

/**
 * The open steps of a plan when it last ended; `undefined` when they were not stored. Rejects with
 * {@link EmendError} with code "plan-name" when the name is invalid, with the system's error when
 * the file cannot be read, and with a `SyntaxError` when it is not JSON.
 */
export async function tryReadOpenSteps(folder: string, plan: string): Promise<readonly OpenStep[] | undefined> {
  try {
    const text = await readFile(join(folderOfPlan(folder, plan), openFileName), "utf8");
    return JSON.parse(text) as readonly OpenStep[];
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function writeAtomically(folder: string, plan: string, name: string, value: unknown): Promise<void> {
  const planFolder = folderOfPlan(folder, plan);
  await makeFolder(planFolder, { mode: 0o700 });
  await replaceFile(join(planFolder, name), JSON.stringify(value), 0o600);
}

/**
 * Reads the setup of a plan. Rejects with {@link EmendError} with code "plan-missing" when there is
 * none, and otherwise as {@link tryReadOpenSteps} does.
 */
export async function readPlanRecord(folder: string, plan: string): Promise<PlanSetup> {
  try {
    return JSON.parse(await readFile(join(folderOfPlan(folder, plan), fileName), "utf8")) as PlanSetup;
  } catch (error) {
    if (isMissing(error))
      throw new EmendError("plan-missing", `There is no plan ${plan}: \`emend plan list\` names them.`);
    throw error;
  }
}

const fileName = "record.json";
const openFileName = "open.json";
