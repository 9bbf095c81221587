import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../../edit/node/index.ts";
import { EmendError } from "../../text/index.ts";
import type { OpenStep } from "../open-step.ts";
import type { PlanLimits } from "../plan-parts.ts";
import { folderOfPlan } from "./plan-journal.ts";

/** What a plan is carried out with, so that it goes on with the same after a kill; and what it left in the workspace. */
export interface PlanSetup {
  readonly oracles: readonly string[];
  /** How long one answer of an oracle may take, where that was told. */
  readonly oracleTimeoutMs?: number;
  readonly models: readonly string[];
  readonly limits: Pick<PlanLimits, "maxSteps" | "maxRounds" | "maxTokens" | "maxCost" | "price">;
  /** The texts before the plan of all files that it speaks of, as far as they are known not to be those of the workspace. */
  readonly start: readonly TextAt[];
  /** What the workspace had of the same files when the plan left it last. */
  readonly left: readonly TextAt[];
  /** Whether the plan's changes were written to the workspace. */
  readonly isWritten: boolean;
  /**
   * What the workspace has of these files when the plan's changes are written although they were not when it was left, as by one who was
   * killed right after writing; or when they are not although they were, as after an undo.
   */
  readonly otherwise?: readonly TextAt[];
}

/** The text of a file; `null` where there is none. */
export interface TextAt {
  readonly path: string;
  readonly text: string | null;
}

/** Keeps it beside the plan's journal, whole or not at all. */
export function writePlanRecord(folder: string, plan: string, setup: PlanSetup): Promise<void> {
  return writeWhole(folder, plan, fileName, setup);
}

/** Keeps what of a plan is left to do, with the context of each step, beside its journal. */
export function writeOpenSteps(folder: string, plan: string, open: readonly OpenStep[]): Promise<void> {
  return writeWhole(folder, plan, openFileName, open);
}

/** What of a plan is left to do, as it was when the plan ended last; `undefined` where that is not known. */
export async function tryReadOpenSteps(folder: string, plan: string): Promise<readonly OpenStep[] | undefined> {
  try {
    return JSON.parse(await readFile(join(folderOfPlan(folder, plan), openFileName), "utf8")) as readonly OpenStep[];
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function writeWhole(folder: string, plan: string, name: string, value: unknown): Promise<void> {
  const own = folderOfPlan(folder, plan);
  await mkdir(own, { recursive: true, mode: 0o700 });
  const path = join(own, name);
  await writeFile(`${path}.new`, JSON.stringify(value), { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}

/** Reads it again. Rejects with `EmendError` `plan-missing` where there is none. */
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
