import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../../edit/node/index.ts";
import { shownModelName } from "../../model/index.ts";
import { EmendError } from "../../text/index.ts";
import type { OpenStep } from "../open-step.ts";
import type { PlanLimits } from "../plan-parts.ts";
import { folderOfPlan } from "./plan-journal.ts";

/**
 * The options of a plan, with which it continues after a kill, and the texts that it left in the
 * workspace.
 */
export interface PlanSetup {
  readonly oracles: readonly string[];
  /** The timeout of a verification command, if one was set. */
  readonly oracleTimeoutMs?: number;
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
}

/** The text of a file; `null` when there is no file. */
export interface TextAt {
  readonly path: string;
  readonly text: string | null;
}

/**
 * Stores the setup beside the plan's journal, completely or not at all. Keys in the names of models
 * are masked.
 */
export function writePlanRecord(folder: string, plan: string, setup: PlanSetup): Promise<void> {
  return writeAtomically(folder, plan, fileName, { ...setup, models: setup.models.map(shownModelName) });
}

/** Stores the open steps of a plan, with the context of each, beside its journal. */
export function writeOpenSteps(folder: string, plan: string, open: readonly OpenStep[]): Promise<void> {
  return writeAtomically(folder, plan, openFileName, { version: openVersion, open } satisfies StoredOpenSteps);
}

/**
 * The open steps of a plan when it last ended; `undefined` when they were not stored.
 *
 * Prompts that an older version stored without redaction are left out; continuing the plan makes
 * them again.
 */
export async function tryReadOpenSteps(folder: string, plan: string): Promise<readonly OpenStep[] | undefined> {
  try {
    const text = await readFile(join(folderOfPlan(folder, plan), openFileName), "utf8");
    const stored = JSON.parse(text) as StoredOpenSteps | readonly OpenStep[];
    if ("version" in stored) return stored.open;
    return stored.map(({ prompt: _, ...step }) => step);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The stored open steps. A version without redaction stored only the list. */
interface StoredOpenSteps {
  readonly version: typeof openVersion;
  readonly open: readonly OpenStep[];
}

const openVersion = 2;

async function writeAtomically(folder: string, plan: string, name: string, value: unknown): Promise<void> {
  const planFolder = folderOfPlan(folder, plan);
  await mkdir(planFolder, { recursive: true, mode: 0o700 });
  const path = join(planFolder, name);
  await writeFile(`${path}.new`, JSON.stringify(value), { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}

/** Reads the setup of a plan. Rejects with `EmendError` `plan-missing` when there is none. */
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
