import { costOf, type PlanMoney, type PlanState, printPlanProgress, type StepId } from "../plan/index.ts";
import type { PlanSetup } from "../plan/node/index.ts";
import { toWorkspaceDiff } from "../text/index.ts";
import { openEditWorkspace } from "./edit-workspace.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { keepPlan } from "./keep-plan.ts";
import { type BranchEnd, commitPlan, type PlannedFile } from "./plan-branch.ts";
import type { DrivenPlan } from "./plan-run.ts";
import { countText } from "./print-amount.ts";
import { printDiff } from "./print-diff.ts";
import { listed } from "./print-names.ts";
import { printOpenStep } from "./print-plan.ts";
import { settle } from "./review-edit.ts";
import { askAboutPlan, type PlanWish } from "./review-steps.ts";
import { printable, type Terminal } from "./terminal.ts";

/** What may be said of how a plan's changes are written, and shown. */
export interface PlanReviewOptions {
  readonly workspace: string | undefined;
  readonly json: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly trust: boolean;
  /** A branch that is made for what the plan came to; nothing is written to the workspace then. */
  readonly branch?: string | undefined;
}

/** A plan that is over for now. */
export interface PlanReview {
  readonly root: string;
  readonly setup: PlanSetup;
  readonly notes: readonly string[];
  readonly driven: DrivenPlan;
  /** Whether what the plan came to is to be written also if it stopped before its end, since a person saw that and said so. */
  readonly isSeen?: boolean;
  /** Takes steps back, and plans what followed from them anew; without it, steps are not reviewed one by one. */
  readonly reject?: (steps: readonly StepId[]) => Promise<DrivenPlan>;
}

/** Shows what a plan came to, asks, writes, and keeps what is needed to go on. */
export async function reviewPlan(
  review: PlanReview,
  options: PlanReviewOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { root, setup, notes, driven } = review;
  const { state, changes, open } = driven;
  const { edit } = changes;
  const workspace = await openEditWorkspace({ root }, terminal);
  const all = [...workspace.notes, ...notes, ...driven.notes];
  const diff = toWorkspaceDiff(changes.before, edit);
  if (!options.json) {
    terminal.out(printDiff(diff, terminal));
    terminal.err(`${printPlanProgress(state, setup.limits)}.\n`);
    for (const note of all) terminal.err(`${printable(note)}\n`);
    if (open.length > 0) {
      terminal.err(`Left to you, ${countText(open.length, "step")}:\n`);
      for (const step of open) terminal.err(printable(printOpenStep(step)));
    }
    if (state.ended?.why === "failed") {
      const stopped = `The plan stopped: ${asSentence(state.ended.note)} \`emend plan continue\` goes on with it then.\n`;
      terminal.err(printable(stopped));
    }
  }
  const left = await keepPlan({ root, setup, driven }, terminal);
  const wish = await wishFor(review, options, terminal);
  if (wish.kind === "reject")
    return reviewPlan({ ...review, isSeen: false, driven: await review.reject!(wish.steps) }, options, terminal);
  const end = isWithheld(review, wish, options)
    ? withheld(options)
    : await write({ root, state, changes, wish, files: left.files }, options, terminal);
  await left.keepWritten(end.written !== undefined);
  if (options.json) {
    const written = end.written && { undoId: end.written.id, writtenPaths: end.written.paths };
    const report = {
      ...planJson(state, setup.limits),
      root,
      open,
      diff,
      isWritten: end.written !== undefined,
      ...(end.commit !== undefined && { branch: options.branch, commit: end.commit }),
      ...written,
    };
    const reason =
      end.written === undefined && end.commit === undefined && end.message !== undefined ? { reason: end.message } : {};
    terminal.out(`${JSON.stringify({ ...report, ...reason, notes: [...all, ...(end.written?.warnings ?? [])] })}\n`);
  } else {
    for (const warning of end.written?.warnings ?? []) terminal.err(`${printable(warning)}\n`);
    if (end.message !== undefined) terminal.err(`${printable(end.message)}\n`);
    if (state.ended?.why !== "failed" && open.length > 0)
      terminal.err(
        "Do them by hand and run `emend plan continue`, or say `emend plan continue --done STEP`. Any chat can help: `emend plan show --step STEP --prompt` prints what to paste, `emend plan answer STEP FILE` takes what it says.\n",
      );
  }
  return end.exitCode === exitCodes.done ? exitCodeOf(state) : end.exitCode;
}

function asSentence(note = "something failed"): string {
  return /[.!?]$/.test(note) ? note : `${note}.`;
}

/**
 * Whether a plan that stopped before its end is kept from the workspace: whoever said yes beforehand said it of a whole plan. Where a person is
 * asked, they know.
 */
function isWithheld(
  { driven: { state, changes }, isSeen }: PlanReview,
  wish: PlanWish,
  { yes, dryRun, branch }: PlanReviewOptions,
) {
  const isSaidBefore = wish.kind === "unasked" && !dryRun && (yes || branch !== undefined);
  return state.ended?.why === "failed" && isSeen !== true && isSaidBefore && changes.edit.changes.length > 0;
}

function withheld({ branch }: PlanReviewOptions): BranchEnd {
  const [nothing, apply] =
    branch === undefined
      ? ["written", "`emend plan apply --yes` writes"]
      : ["committed", `\`emend plan apply --branch ${branch}\` commits`];
  const message = `Nothing is ${nothing}, since the plan stopped before its end. ${apply} what it came to so far.`;
  return { exitCode: exitCodes.failed, message };
}

interface PlanToWrite extends Pick<DrivenPlan, "state" | "changes"> {
  readonly root: string;
  readonly wish: PlanWish;
  readonly files: readonly PlannedFile[];
}

/** What the person at the terminal wants, where there is something to choose. */
async function wishFor(
  { driven: { state, changes }, reject }: PlanReview,
  { json, yes, dryRun, branch }: PlanReviewOptions,
  terminal: Terminal,
): Promise<PlanWish> {
  const { length } = changes.edit.changes;
  const isSettled = json || yes || dryRun || branch !== undefined || length === 0 || changes.others.length > 0;
  return isSettled || reject === undefined ? { kind: "unasked" } : askAboutPlan(state, length, terminal);
}

async function write(
  { root, state, changes, wish, files }: PlanToWrite,
  options: PlanReviewOptions,
  terminal: Terminal,
): Promise<BranchEnd> {
  const { edit, before, others } = changes;
  if (others.length > 0) {
    const message = `Nothing is written: files that are no text changed in the plan's copy, such as by an oracle: ${listed(others)}. Have git ignore them.`;
    return { exitCode: exitCodes.failed, message };
  }
  const { branch } = options;
  if (branch !== undefined) {
    if (options.dryRun) return { exitCode: exitCodes.done, message: "Nothing is committed: this is a dry run." };
    return commitPlan({ root, branch, state, files }, terminal);
  }
  if (edit.changes.length === 0) return { exitCode: exitCodes.done, message: "There is nothing to write." };
  if (wish.kind === "leave") return { exitCode: exitCodes.notWritten, message: "Nothing is written." };
  const instruction = state.instruction ?? `plan ${state.plan}`;
  const settled = wish.kind === "write" ? { ...options, yes: true } : options;
  return settle({ edit, files: before, warnings: [] }, { root, instruction, options: settled }, terminal);
}

/** A plan for programs: its steps with their diffs, and how it ended. */
export function planJson(state: PlanState, { price, maxCost }: PlanMoney) {
  const { plan, instruction, ended, round, graph, tokens, base } = state;
  return {
    ...{ kind: "plan", plan, base, end: ended ?? null, round, tokens },
    ...(price !== undefined && { cost: costOf(state, { price }) }),
    ...(maxCost !== undefined && { maxCost }),
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
