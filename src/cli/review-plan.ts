import { type PlanState, pathsOfEdit } from "../plan/index.ts";
import { type PlanSetup, type TextAt, writePlanRecord } from "../plan/node/index.ts";
import { toWorkspaceDiff } from "../text/index.ts";
import { openEditWorkspace } from "./edit-workspace.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { type DrivenPlan, plansFolderOf } from "./plan-run.ts";
import { textAt } from "./plan-seeds.ts";
import { countText } from "./print-amount.ts";
import { printDiff } from "./print-diff.ts";
import { listed } from "./print-names.ts";
import { printOpenStep } from "./print-plan.ts";
import { type ReviewEnd, settle } from "./review-edit.ts";
import { printable, type Terminal } from "./terminal.ts";

/** What may be said of how a plan's changes are written, and shown. */
export interface PlanReviewOptions {
  readonly workspace: string | undefined;
  readonly json: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly trust: boolean;
}

/** A plan that is over for now. */
export interface PlanReview {
  readonly root: string;
  readonly setup: PlanSetup;
  readonly notes: readonly string[];
  readonly driven: DrivenPlan;
}

/** Shows what a plan came to, asks, writes, and keeps what is needed to go on. */
export async function reviewPlan(
  { root, setup, notes, driven }: PlanReview,
  options: PlanReviewOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { state, changes, open } = driven;
  const { edit, before, others } = changes;
  const workspace = await openEditWorkspace({ root }, terminal);
  const all = [...workspace.notes, ...notes, ...driven.notes];
  const diff = toWorkspaceDiff(before, edit);
  if (!options.json) {
    terminal.out(printDiff(diff, terminal));
    for (const note of all) terminal.err(`${printable(note)}\n`);
    if (open.length > 0) {
      terminal.err(`Left to you, ${countText(open.length, "step")}:\n`);
      for (const step of open) terminal.err(printable(printOpenStep(step)));
    }
  }
  const start = await startTexts(root, setup, state);
  const end = await write({ root, state, edit, before, others }, options, terminal);
  const isWritten = end.written !== undefined || edit.changes.length === 0;
  const left: TextAt[] = [];
  for (const { path } of start) left.push({ path, text: await textAt(root, path) });
  await writePlanRecord(plansFolderOf(root, terminal), state.plan, { ...setup, start, left, isWritten });
  if (options.json) {
    const written = end.written && { undoId: end.written.id, writtenPaths: end.written.paths };
    const report = { ...planJson(state), root, open, diff, isWritten: end.written !== undefined, ...written };
    const reason = end.written === undefined && end.message !== undefined ? { reason: end.message } : {};
    terminal.out(`${JSON.stringify({ ...report, ...reason, notes: [...all, ...(end.written?.warnings ?? [])] })}\n`);
  } else {
    for (const warning of end.written?.warnings ?? []) terminal.err(`${printable(warning)}\n`);
    if (end.message !== undefined) terminal.err(`${printable(end.message)}\n`);
    if (open.length > 0)
      terminal.err("Do them by hand and run `emend plan continue`, or say `emend plan continue --done STEP`.\n");
  }
  return end.exitCode === exitCodes.done ? exitCodeOf(state) : end.exitCode;
}

async function write(
  plan: { readonly root: string; readonly state: PlanState; readonly others: readonly string[] } & Pick<
    DrivenPlan["changes"],
    "edit" | "before"
  >,
  options: PlanReviewOptions,
  terminal: Terminal,
): Promise<ReviewEnd> {
  const { root, state, edit, before, others } = plan;
  if (others.length > 0) {
    const message = `Nothing is written: files that are no text changed in the plan's copy, such as by an oracle: ${listed(others)}. Have git ignore them.`;
    return { exitCode: exitCodes.failed, message };
  }
  if (edit.changes.length === 0) return { exitCode: exitCodes.done, message: "There is nothing to write." };
  const instruction = state.instruction ?? `plan ${state.plan}`;
  return settle({ edit, files: before, warnings: [] }, { root, instruction, options }, terminal);
}

/** The texts before the plan of all files that it wrote to or speaks of. */
async function startTexts(root: string, { start }: PlanSetup, state: PlanState): Promise<readonly TextAt[]> {
  const known = new Set(start.map(({ path }) => path));
  const more: TextAt[] = [];
  for (const path of pathsOfPlan(state)) if (!known.has(path)) more.push({ path, text: await textAt(root, path) });
  return [...start, ...more];
}

/** The files that a plan wrote to or has steps in. */
export function pathsOfPlan({ writes, graph }: PlanState): ReadonlySet<string> {
  const steps = graph.steps.filter(({ status }) => status !== "dropped").map(({ block }) => block.path);
  return new Set([...writes.flatMap(({ edit }) => pathsOfEdit(edit)), ...steps]);
}

/** A plan for programs: its steps with their diffs, and how it ended. */
export function planJson({ plan, instruction, ended, round, graph, tokens, base }: PlanState) {
  return {
    ...{ kind: "plan", plan, base, end: ended ?? null, round, tokens },
    ...(instruction !== undefined && { instruction }),
    steps: graph.steps.map(({ changes: _, rewrite, ...step }) => ({
      ...step,
      ...(rewrite && { diff: rewrite.diff, by: rewrite.by }),
    })),
  };
}

function exitCodeOf({ ended }: PlanState): ExitCode {
  if (ended?.why === "content") return exitCodes.done;
  return ended?.why === "failed" ? exitCodes.failed : exitCodes.obligations;
}
