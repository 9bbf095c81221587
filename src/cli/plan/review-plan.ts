import {
  afterEvent,
  costOf,
  isInstructionUnread,
  newFindings,
  type PlanMoney,
  type PlanState,
  type PlanStep,
  printPlanProgress,
  rejectStep,
  type StepId,
} from "../../plan/index.ts";
import type { PlanSetup } from "../../plan/node/index.ts";
import { languageOf } from "../../syntax/index.ts";
import { toWorkspaceDiff } from "../../text/index.ts";
import { openEditWorkspace } from "../edit/edit-workspace.ts";
import { confirmAndWrite, type ReviewOptions } from "../edit/review-edit.ts";
import { askForWord } from "../terminal/ask-for-word.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { jsonLine } from "../terminal/masked-terminal.ts";
import { printInPager } from "../terminal/pager.ts";
import { countText, listed } from "../terminal/print-amount.ts";
import { printDiff } from "../terminal/print-diff.ts";
import { printable, type Terminal } from "../terminal/terminal.ts";
import { type BranchEnd, commitPlan, type PlannedFile } from "./plan-branch.ts";
import type { DrivenPlan } from "./plan-run.ts";
import { printOpenSteps, printStep } from "./print-steps.ts";
import { keepPlan } from "./stored-plan.ts";

/** The options about writing and showing a plan's changes. */
export interface PlanReviewOptions extends ReviewOptions {
  readonly workspace: string | undefined;
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

/**
 * Shows the result of a plan, asks for confirmation, writes it, and stores what is needed to
 * continue. Changes that cannot be written give a message and an exit code.
 *
 * Throws a `CommandFailure` while another process writes to the workspace. Rejects as
 * {@link PlanReview.reject} does, and with the signal's reason on abort.
 */
export async function reviewPlan(
  review: PlanReview,
  options: PlanReviewOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { root, setup, notes, driven } = review;
  const { state, changes, open } = driven;
  const { edit } = changes;
  const workspace = await openEditWorkspace({ root }, terminal);
  const isUnread = setup.models.length === 0 && isInstructionUnread(state);
  const unread = isUnread ? [unreadNote] : [];
  const all = [...workspace.notes, ...notes, ...driven.notes, ...findingNotes(driven), ...unread];
  const diff = toWorkspaceDiff(changes.before, edit);
  if (!options.json) {
    terminal.err(`${printPlanProgress(state, setup.limits)}.\n`);
    for (const note of all) terminal.err(`${printable(note)}\n`);
    if (open.length > 0)
      terminal.err(`Left to you, ${countText(open.length, "step")}:\n${printable(printOpenSteps(open))}`);
    if (state.ended?.why === "failed") {
      const stopped = `The plan stopped: ${asSentence(state.ended.note)} Then \`emend plan continue\` continues it. Another command needs a new plan: \`emend plan --verify COMMAND\`.\n`;
      terminal.err(printable(stopped));
    }
    // What will be written comes last, directly above the question.
    await printInPager(printDiff(diff, terminal), terminal);
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
        `Change the blocks of the open steps by hand and run \`emend plan continue\`, or mark a step as done with \`emend plan continue --done STEP\`. ${open.some(({ proposal }) => proposal !== undefined) ? "`emend plan show --step STEP | emend apply - --yes` writes a proposal, which may have values to fill in. " : ""}${setup.models.length === 0 ? "A model writes such steps where --model names one. " : ""}${hasRenamesByName(driven) ? "`emend next --chain` writes a rename by its names, in the languages that no rule writes. " : ""}Any chat can help: \`emend plan show --step STEP --prompt\` prints a prompt, \`emend plan answer STEP FILE\` applies the chat's answer.\n`,
      );
  }
  return end.exitCode === exitCodes.done ? exitCodeOf(state) : end.exitCode;
}

/** What the verification commands find after a plan with changes, a sentence for each command. */
function findingNotes({ state, changes }: DrivenPlan): readonly string[] {
  if (state.round === 0 || changes.edit.changes.length === 0) return [];
  return [...newFindings(state)].map(([command, { length }]) => {
    return `After this change \`${command}\` reports ${countText(length, "error")}, left to you.`;
  });
}

/** Whether next edits find names that an open step leaves of a rename, where no rule does. */
function hasRenamesByName({ state, open }: DrivenPlan): boolean {
  return open.some(
    ({ id, path }) =>
      languageOf(path).binder !== undefined &&
      state.graph.step(id).causes.some((cause) => cause.kind === "change" && cause.label === "RENAME"),
  );
}

const unreadNote =
  "Rules made all steps, and no model has read the instruction. Where it asks for more, it needs a chat model: name one with --model, which `emend setup` finds, and the place with --at FILE:LINE; or make the change by hand and run `emend plan`.";

function asSentence(note = "something failed"): string {
  return /[.!?]$/.test(note) ? note : `${note}.`;
}

/**
 * Whether the changes of a plan that failed are not written: `--yes` and `--branch` confirm only a
 * plan that has ended. A person who confirms at the terminal has seen the failure.
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
  if (decision.kind === "leave") {
    const message = "Nothing is written. `emend plan apply` shows the change again and writes it.";
    return { exitCode: exitCodes.notWritten, message };
  }
  const instruction = state.instruction ?? `plan ${state.plan}`;
  const settled = decision.kind === "write" ? { ...options, yes: true } : options;
  return confirmAndWrite({ edit, files: before, warnings: [] }, { root, instruction, options: settled }, terminal);
}

/**
 * A plan as plain data for `--json`: its steps with their diffs, its tokens, its cost where the
 * price is known, and how it ended; `end` is `null` where it has not.
 */
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
  if (ended?.why === "done") return exitCodes.done;
  return ended?.why === "failed" ? exitCodes.failed : exitCodes.obligations;
}

/** A person's decision about a plan's changes. */
type PlanDecision =
  | { readonly kind: "write" }
  | { readonly kind: "leave" }
  /** Undo these steps, and plan again what followed from them. */
  | { readonly kind: "reject"; readonly steps: readonly StepId[] }
  /** There was no terminal to ask at. */
  | { readonly kind: "unasked" };

/**
 * Asks whether to write a plan's changes, all at once or after a review of each step. Rejects with
 * the reason of the terminal's signal.
 */
async function askForDecision(state: PlanState, files: number, terminal: Terminal): Promise<PlanDecision> {
  const what = files === 1 ? "Write this file" : `Write these ${countText(files, "file")}`;
  const choice = { words: ["yes", "no", "review"], atEnd: "no", ifEmpty: "no" } as const;
  for (;;) {
    const word = await askForWord(`${what}? [y/n, r to review step by step] `, choice, terminal);
    if (word === undefined) return { kind: "unasked" };
    if (word !== "review") return { kind: word === "yes" ? "write" : "leave" };
    const decision = await reviewSteps(state, terminal);
    if (decision !== undefined) return decision;
  }
}

/** Reviews step after step. Returns `undefined` where all of them are kept. */
async function reviewSteps(before: PlanState, terminal: Terminal): Promise<PlanDecision | undefined> {
  let state = before;
  const rejected: StepId[] = [];
  const ids = before.graph.steps.filter(isToBeSeen).map(({ id }) => id);
  for (const [index, id] of ids.entries()) {
    // Steps that followed from a rejected one are planned again, and reviewed then.
    const step = state.graph.step(id);
    if (!isToBeSeen(step)) continue;
    terminal.err(`\n${index + 1} of ${ids.length}. ${printable(printStep(step, state.graph))}`);
    terminal.err(printDiff(step.rewrite!.diff, terminal));
    const choice = { words: ["yes", "no", "all", "quit"], atEnd: "quit" } as const;
    const question = `Keep step ${id}? [y/n, a keeps all others, q writes nothing] `;
    const word = (await askForWord(question, choice, terminal)) ?? "quit";
    if (word === "quit") return { kind: "leave" };
    if (word === "all") break;
    if (word === "yes") continue;
    const rejection = rejectStep(state, id);
    if (rejection.kind === "refused") {
      terminal.err(`${printable(rejection.message)}\n`);
      continue;
    }
    rejected.push(id);
    state = afterEvent(state, rejection.event);
    const { dropped, replanned } = rejection.event;
    if (dropped.length > 0) terminal.err(`No longer needed without it: ${printIds(dropped)}.\n`);
    if (replanned.length > 0) terminal.err(`To be planned again: ${printIds(replanned)}.\n`);
  }
  return rejected.length === 0 ? undefined : { kind: "reject", steps: rejected };
}

/** Whether a step has a change by the plan that was not undone. */
function isToBeSeen({ status, rewrite }: PlanStep): boolean {
  return status === "done" && rewrite !== undefined && rewrite.by.kind !== "seed";
}

function printIds(ids: readonly StepId[]): string {
  return ids.length === 1 ? `step ${ids[0]}` : `steps ${ids.join(", ")}`;
}
