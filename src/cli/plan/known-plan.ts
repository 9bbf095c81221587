import { disk } from "../../codebase/node/index.ts";
import { foldPlan, type PlanEvent, type PlanState } from "../../plan/index.ts";
import { folderOfPlan, listPlans, type PlanSetup, readPlanRecord, tryReadPlanJournal } from "../../plan/node/index.ts";
import { EmendError } from "../../text/index.ts";
import { openRoot } from "../open-file.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { PlanOutside } from "./plan-reporter.ts";
import { plansFolderOf } from "./plan-run.ts";
import { textAt } from "./plan-seeds.ts";

/** A stored plan. */
export interface KnownPlan {
  readonly root: string;
  readonly setup: PlanSetup;
  readonly state: PlanState;
  readonly events: readonly PlanEvent[];
}

/**
 * Opens the plan of this name, or the last one of the workspace. Throws a {@link CommandFailure}
 * where there is none.
 */
export async function openKnownPlan(
  { workspace, plan }: { readonly workspace: string | undefined; readonly plan: string | undefined },
  outside: PlanOutside,
): Promise<KnownPlan> {
  return knownPlanIn(
    await openRoot({ workspace, workingFolder: outside.workingFolder, fileSystem: disk }),
    plan,
    outside,
  );
}

/**
 * Like {@link openKnownPlan}, in the workspace at the absolute folder `root`, links resolved.
 * Without `plan`, the last plan that has events.
 *
 * Throws a {@link CommandFailure} where `plan` cannot be a plan's name, and with code
 * `plan-missing` where there is no plan. Throws an {@link EmendError} where the stored plan is
 * damaged.
 */
export async function knownPlanIn(root: string, plan: string | undefined, outside: PlanOutside): Promise<KnownPlan> {
  const folder = plansFolderOf(root, outside);
  if (plan !== undefined) checkName(folder, plan);
  const names = plan === undefined ? [...(await listPlans(folder))].reverse() : [plan];
  for (const name of names) {
    const reading = await tryReadPlanJournal({ folder, plan: name });
    if (reading === undefined || reading.events.length === 0) continue;
    const setup = await asFound(root, await readPlanRecord(folder, name));
    return { root, setup, events: reading.events, state: foldPlan(reading.events) };
  }
  const which =
    plan === undefined
      ? `There is no plan for ${root} yet: \`emend plan\` starts one.`
      : `There is no plan ${plan}: \`emend plan list\` lists them.`;
  throw new CommandFailure("plan-missing", which, { exitCode: exitCodes.notFound });
}

function checkName(folder: string, plan: string): void {
  try {
    folderOfPlan(folder, plan);
  } catch (error) {
    if (!(error instanceof EmendError)) throw error;
    throw new CommandFailure(error.code, error.message, { exitCode: exitCodes.usage, cause: error });
  }
}

/**
 * The stored setup of a plan, corrected where the workspace shows that its changes were written or
 * undone.
 */
async function asFound(root: string, setup: PlanSetup): Promise<PlanSetup> {
  const { left, otherwise, isWritten } = setup;
  if (otherwise === undefined) return setup;
  for (const { path, text } of otherwise) if ((await textAt(root, path)) !== text) return setup;
  return { ...setup, left: otherwise, otherwise: left, isWritten: !isWritten };
}
