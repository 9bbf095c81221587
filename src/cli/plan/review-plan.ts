import { costOf, type PlanMoney, type PlanState, printPlanProgress, type StepId } from "../../plan/index.ts";
import type { PlanSetup } from "../../plan/node/index.ts";
import { toWorkspaceDiff } from "../../text/index.ts";
import { openEditWorkspace } from "../edit/edit-workspace.ts";
import { confirmAndWrite } from "../edit/review-edit.ts";
import { listed } from "../grammar/print-names.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { jsonLine } from "../terminal/masked-terminal.ts";
import { countText } from "../terminal/print-amount.ts";
import { printDiff } from "../terminal/print-diff.ts";
import { printable, type Terminal } from "../terminal/terminal.ts";
import { keepPlan } from "./keep-plan.ts";
import { type BranchEnd, commitPlan, type PlannedFile } from "./plan-branch.ts";
import type { DrivenPlan } from "./plan-run.ts";
import { printOpenStep } from "./print-plan.ts";
import { askForDecision, type PlanDecision } from "./review-steps.ts";

/** The options about writing and showing a plan's changes. */
export interface PlanReviewOptions {
  readonly workspace: string | undefined;
  readonly json: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly trust: boolean;
  /** A new branch for the plan's changes; then nothing is written to the workspace. */
  readonly branch?: string | undefined;
}

/** A plan that has stopped, to be reviewed. */
export interface PlanReview {
  readonly root: string;
  readonly setup: PlanSetup;
  readonly notes: readonly string[];
  readonly driven: DrivenPlan;
  /**
   * Whether to write the changes even if the plan stopped before its end, because the person has
   * seen that.
   */
  readonly isSeen?: boolean;
  /**
   * Undoes steps, and plans again what followed from them; without it, steps are not reviewed one
   * by one.
   */
  readonly reject?: (steps: readonly StepId[]) => Promise<DrivenPlan>;
}

/** Shows the result of a plan, asks, writes it, and stores what is needed to continue. */
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
      const stopped = `The plan stopped: ${asSentence(state.ended.note)} Then \`emend plan continue\` continues it.\n`;
      terminal.err(printable(stopped));
    }
  }
  const left = await keepPlan({ root, setup, driven }, terminal);
  const decision = await decisionOf(review, options, terminal);
  if (decision.kind === "reject")
    return reviewPlan({ ...review, isSeen: false, driven: await review.reject!(decision.steps) }, options, terminal);
  const end = isWithheld(review, decision, options)
    ? withheld(options)
    : await write({ root, state, changes, decision, files: left.files }, options, terminal);
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
    terminal.out(jsonLine({ ...report, ...reason, notes: all }, terminal));
  } else {
    if (end.message !== undefined) terminal.err(`${printable(end.message)}\n`);
    if (state.ended?.why !== "failed" && open.length > 0)
      terminal.err(
        "Do them by hand and run `emend plan continue`, or mark them with `emend plan continue --done STEP`. Any chat can help: `emend plan show --step STEP --prompt` prints a prompt, `emend plan answer STEP FILE` applies the chat's answer.\n",
      );
  }
  return end.exitCode === exitCodes.done ? exitCodeOf(state) : end.exitCode;
}

function asSentence(note = "something failed"): string {
  return /[.!?]$/.test(note) ? note : `${note}.`;
}

/**
 * Whether the changes of a plan that failed are not written: `--yes` and `--branch` confirm only a
 * plan that has ended. A person who is asked knows of the failure.
 */
function isWithheld(
  { driven: { state, changes }, isSeen }: PlanReview,
  decision: PlanDecision,
  { yes, dryRun, branch }: PlanReviewOptions,
) {
  const isConfirmedBefore = decision.kind === "unasked" && !dryRun && (yes || branch !== undefined);
  return state.ended?.why === "failed" && isSeen !== true && isConfirmedBefore && changes.edit.changes.length > 0;
}

function withheld({ branch }: PlanReviewOptions): BranchEnd {
  const [nothing, apply] =
    branch === undefined
      ? ["written", "`emend plan apply --yes` writes"]
      : ["committed", `\`emend plan apply --branch ${branch}\` commits`];
  const message = `Nothing is ${nothing}, because the plan stopped before its end. ${apply} its changes so far.`;
  return { exitCode: exitCodes.failed, message };
}

interface PlanToWrite extends Pick<DrivenPlan, "state" | "changes"> {
  readonly root: string;
  readonly decision: PlanDecision;
  readonly files: readonly PlannedFile[];
}

/** The decision of the person at the terminal, where there is a choice. */
async function decisionOf(
  { driven: { state, changes }, reject }: PlanReview,
  { json, yes, dryRun, branch }: PlanReviewOptions,
  terminal: Terminal,
): Promise<PlanDecision> {
  const { length } = changes.edit.changes;
  const isSettled = json || yes || dryRun || branch !== undefined || length === 0 || changes.others.length > 0;
  return isSettled || reject === undefined ? { kind: "unasked" } : askForDecision(state, length, terminal);
}

async function write(
  { root, state, changes, decision, files }: PlanToWrite,
  options: PlanReviewOptions,
  terminal: Terminal,
): Promise<BranchEnd> {
  const { edit, before, others } = changes;
  if (others.length > 0) {
    const message = `Nothing is written: binary files changed in the plan's copy, such as by a verification command: ${listed(others)}. Ignore them in git.`;
    return { exitCode: exitCodes.failed, message };
  }
  const { branch } = options;
  if (branch !== undefined) {
    if (options.dryRun) return { exitCode: exitCodes.done, message: "Nothing is committed: this is a dry run." };
    return commitPlan({ root, branch, state, files, trust: options.trust }, terminal);
  }
  if (edit.changes.length === 0) return { exitCode: exitCodes.done, message: "There is nothing to write." };
  if (decision.kind === "leave") return { exitCode: exitCodes.notWritten, message: "Nothing is written." };
  const instruction = state.instruction ?? `plan ${state.plan}`;
  const settled = decision.kind === "write" ? { ...options, yes: true } : options;
  return confirmAndWrite({ edit, files: before, warnings: [] }, { root, instruction, options: settled }, terminal);
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
