import { foldPlan, type PlanEvent, type PlanState, pathsOfEdit } from "../../plan/index.ts";
import {
  type FileHashes,
  folderOfPlan,
  listPlans,
  type PlanSetup,
  readPlanRecord,
  type ScratchChanges,
  type TextAt,
  tryReadOpenSteps,
  tryReadPlanJournal,
  writeOpenSteps,
  writePlanRecord,
} from "../../plan/node/index.ts";
import { applyWorkspaceEdit, EmendError, workspaceEdit } from "../../text/index.ts";
import { disk } from "../../workspace/node/index.ts";
import { openRoot } from "../open-file.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { PlannedFile } from "./plan-branch.ts";
import type { PlanOutside } from "./plan-reporter.ts";
import { type DrivenPlan, hashFiles, noChanges, plansFolderOf } from "./plan-run.ts";
import { changeOf, textAt } from "./plan-seeds.ts";

/** A stored plan. */
export interface KnownPlan {
  readonly root: string;
  readonly setup: PlanSetup;
  readonly state: PlanState;
  readonly events: readonly PlanEvent[];
}

/**
 * Opens the plan of this name, or the last one of the workspace. Throws a {@link CommandFailure}
 * where there is none. Otherwise it throws and rejects as {@link knownPlanIn} does.
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

/**
 * The stored result of a plan that has ended; `undefined` where it was stopped before the result
 * was stored. Rejects with the system's error where the open steps cannot be read.
 */
export async function tryStoredResult(
  { root, setup, state }: KnownPlan,
  outside: PlanOutside,
): Promise<DrivenPlan | undefined> {
  const { read } = setup;
  if (state.ended === undefined || read === undefined) return undefined;
  const open = (await tryReadOpenSteps(plansFolderOf(root, outside), state.plan)) ?? [];
  return { state, changes: changesToWrite(setup), open, notes: [], read };
}

/** The changes of a plan that are not written. */
function changesToWrite({ left, otherwise, isWritten }: PlanSetup): ScratchChanges {
  if (isWritten || otherwise === undefined) return noChanges;
  const changes = left.flatMap(({ path, text }, index) => changeOf(path, text, otherwise[index]!.text));
  const changed = new Set(changes.map(({ uri }) => uri));
  const before = left.flatMap(({ path, text }) => (text === null || !changed.has(path) ? [] : [[path, text] as const]));
  return { edit: workspaceEdit(changes), before: new Map(before), others: [] };
}

/**
 * The files that a plan read and whose contents have changed since, by their paths; a deleted file
 * has changed. Rejects with the signal's reason on abort.
 */
export async function changedSince(
  { root, setup: { left, read = {} } }: KnownPlan,
  { signal }: Pick<PlanOutside, "signal">,
): Promise<readonly string[]> {
  const changed = new Set<string>();
  for (const { path, text } of left) if ((await textAt(root, path)) !== text) changed.add(path);
  const now: FileHashes = await hashFiles(root, Object.keys(read), signal);
  for (const [path, hash] of Object.entries(read)) if (now[path] !== hash) changed.add(path);
  return [...changed];
}

/** A stored plan that has stopped. */
export interface KeptPlan {
  /** The files that it wrote to or has steps in. */
  readonly files: readonly PlannedFile[];
  /** Stores the texts of the workspace after the plan's changes were written to it, or were not. */
  keepWritten(isWritten: boolean): Promise<void>;
}

/**
 * Stores all that is needed to continue a plan later, with its changes not yet written. Rejects
 * with the system's error where it cannot be stored.
 */
export async function keepPlan(
  {
    root,
    setup,
    driven: { state, changes, open, read },
  }: { readonly root: string; readonly setup: PlanSetup; readonly driven: DrivenPlan },
  outside: PlanOutside,
): Promise<KeptPlan> {
  const folder = plansFolderOf(root, outside);
  await writeOpenSteps(folder, state.plan, open);
  const start = await startTexts(root, setup, state);
  const now = await textsOf(root, start);
  // Changes made while the plan ran are not part of it; applying the plan reports them.
  const before = now.map(({ path, text }) => ({ path, text: textBefore(path, text, changes) }));
  const after = before.map(({ path, text }) => ({ path, text: textAfter(path, text, changes) }));
  const { otherwise: _, ...kept } = setup;
  const hasChanges = changes.edit.changes.length > 0;
  const keep = async (left: readonly TextAt[], isWritten: boolean, otherwise: readonly TextAt[] | undefined) => {
    const more = otherwise === undefined ? {} : { otherwise };
    await writePlanRecord(folder, state.plan, { ...kept, start, left, isWritten, read, ...more });
  };
  // Without further changes, what was written before is what `emend undo` reverts.
  const undone = hasChanges ? after : textsIfUndone(before, setup);
  await keep(before, !hasChanges, undone);
  const files = start.map(({ path, text }, index) => {
    return { path, start: text, now: now[index]!.text, after: after[index]!.text };
  });
  return {
    files,
    async keepWritten(isWrittenNow) {
      const isWritten = isWrittenNow || !hasChanges;
      await keep(isWritten ? await textsOf(root, start) : before, isWritten, hasChanges && isWritten ? before : undone);
    },
  };
}

/** The files that a plan wrote to or has steps in; dropped steps do not count. */
export function pathsOfPlan({ writes, graph }: PlanState): ReadonlySet<string> {
  const steps = graph.steps.filter(({ status }) => status !== "dropped").map(({ block }) => block.path);
  return new Set([...writes.flatMap(({ edit }) => pathsOfEdit(edit)), ...steps]);
}

/** The texts before the plan of all files that it wrote to or has steps in. */
async function startTexts(root: string, { start }: PlanSetup, state: PlanState): Promise<readonly TextAt[]> {
  const known = new Set(start.map(({ path }) => path));
  const more: TextAt[] = [];
  for (const path of pathsOfPlan(state)) if (!known.has(path)) more.push({ path, text: await textAt(root, path) });
  return [...start, ...more];
}

/** The current texts of these files in the workspace. */
async function textsOf(root: string, files: readonly TextAt[]): Promise<readonly TextAt[]> {
  const texts: TextAt[] = [];
  for (const { path } of files) texts.push({ path, text: await textAt(root, path) });
  return texts;
}

/**
 * These texts as they will be once the written changes of a plan are undone; a file that was edited
 * since they were written stays as it is. `undefined` where none are written.
 */
function textsIfUndone(
  now: readonly TextAt[],
  { left, otherwise, isWritten }: PlanSetup,
): readonly TextAt[] | undefined {
  if (!isWritten || otherwise === undefined) return undefined;
  const written = new Map(left.map(({ path, text }, index) => [path, { text, undone: otherwise[index]!.text }]));
  return now.map(({ path, text }) => {
    const known = written.get(path);
    return { path, text: known?.text === text ? known.undone : text };
  });
}

/** The original text of a file in the plan's copy, where the plan changed it; otherwise `text`. */
function textBefore(path: string, text: string | null, { edit, before }: DrivenPlan["changes"]): string | null {
  return pathsOfEdit(edit).includes(path) ? (before.get(path) ?? null) : text;
}

/** The text of a file after the changes are written. */
function textAfter(path: string, text: string | null, { edit, before }: DrivenPlan["changes"]): string | null {
  if (!pathsOfEdit(edit).includes(path)) return text;
  const applied = applyWorkspaceEdit(before, edit);
  return applied.kind === "applied" ? (applied.files.get(path) ?? null) : text;
}
