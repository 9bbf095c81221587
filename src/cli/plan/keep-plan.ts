import { type PlanState, pathsOfEdit } from "../../plan/index.ts";
import { type PlanSetup, type TextAt, writeOpenSteps, writePlanRecord } from "../../plan/node/index.ts";
import { applyWorkspaceEdit } from "../../text/index.ts";
import type { PlannedFile } from "./plan-branch.ts";
import type { PlanOutside } from "./plan-reporter.ts";
import { type DrivenPlan, plansFolderOf } from "./plan-run.ts";
import { textAt } from "./plan-seeds.ts";

/** A stored plan that has stopped. */
export interface KeptPlan {
  /** The files that it wrote to or has steps in. */
  readonly files: readonly PlannedFile[];
  /** Stores the texts of the workspace after the plan's changes were written to it, or were not. */
  keepWritten(isWritten: boolean): Promise<void>;
}

/** Stores all that is needed to continue a plan later, with its changes not yet written. */
export async function keepPlan(
  {
    root,
    setup,
    driven: { state, changes, open },
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
  const keep = async (left: readonly TextAt[], isWritten: boolean, otherwise: readonly TextAt[]) => {
    const more = hasChanges ? { otherwise } : {};
    await writePlanRecord(folder, state.plan, { ...kept, start, left, isWritten, ...more });
  };
  await keep(before, !hasChanges, after);
  const files = start.map(({ path, text }, index) => {
    return { path, start: text, now: now[index]!.text, after: after[index]!.text };
  });
  return {
    files,
    async keepWritten(isWrittenNow) {
      const isWritten = isWrittenNow || !hasChanges;
      await keep(isWritten ? await textsOf(root, start) : before, isWritten, isWritten ? before : after);
    },
  };
}

/** The files that a plan wrote to or has steps in. */
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
