import type { StepId } from "../../plan/index.ts";
import { writePlanRecord } from "../../plan/node/index.ts";
import { disk } from "../../workspace/node/index.ts";
import { readAnswerText } from "../edit/chat-answer.ts";
import { checkModelNames } from "../named-models.ts";
import { openRoot } from "../open-file.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure, interrupted } from "../terminal/failure.ts";
import { listed } from "../terminal/print-amount.ts";
import { printable, type Terminal } from "../terminal/terminal.ts";
import { checkOpen, type PlanContinuation, prepareContinuation, rejectingSteps, startOfPlan } from "./go-on-plan.ts";
import { checkBranch } from "./plan-branch.ts";
import { TerminalPlanReporter } from "./plan-reporter.ts";
import { baseOf, type DrivenPlan, drivePlan, type PlanDrive, planNameAt, plansFolderOf } from "./plan-run.ts";
import { seedsAgain } from "./plan-seeds.ts";
import { type PlanReview, type PlanReviewOptions, reviewPlan } from "./review-plan.ts";
import { boundedSetup, checkPlanQuestion, type PlanBounds, type PlanQuestion, setUpPlan } from "./set-up-plan.ts";
import { changedSince, type KnownPlan, openKnownPlan, tryStoredResult } from "./stored-plan.ts";

/** The options of `emend plan`. */
export interface PlanOptions extends PlanReviewOptions, PlanQuestion {}

/**
 * Runs `emend plan [INSTRUCTION]`: propagates a change through the workspace, shows the result, and
 * writes it if confirmed.
 *
 * Throws a {@link CommandFailure} where options are invalid, there is no such workspace, the change
 * to start from cannot be found, the branch cannot be created, or as {@link drivePlan} does. On
 * abort the code is `interrupted` once the plan runs; before that, rejects with the signal's
 * reason.
 */
export async function plan(
  instruction: string | undefined,
  options: PlanOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  checkPlanQuestion(instruction, options);
  const root = await openRoot({
    workspace: options.workspace,
    workingFolder: terminal.workingFolder,
    fileSystem: disk,
  });
  if (options.branch !== undefined) await checkBranch(options.branch, root, terminal);
  const { found, setup } = await setUpPlan(instruction, { root, options }, terminal);
  const name = planNameAt(new Date());
  await writePlanRecord(plansFolderOf(root, terminal), name, setup);
  const start = {
    ...{ plan: name, base: await baseOf(root, terminal), seeds: found.seeds },
    ...(instruction !== undefined && { instruction }),
  };
  const driven = await drive({ root, setup, start, about: found.paths }, options, terminal);
  const reject = rejecting({ root, setup, start, about: found.paths }, options, terminal);
  return reviewPlan({ root, setup, notes: found.notes, driven, reject }, options, terminal);
}

/**
 * Runs `emend plan continue`: continues after a kill, with other limits, or after steps were done
 * by hand.
 *
 * Throws a {@link CommandFailure} where an option is invalid, there is no such plan, the given
 * steps do not allow it, or as {@link drivePlan} does; with code `interrupted` on abort.
 */
export async function continuePlan(
  options: PlanReviewOptions &
    PlanBounds & { readonly done: readonly number[] | undefined; readonly plan: string | undefined },
  terminal: Terminal,
): Promise<ExitCode> {
  const { done = [], model } = options;
  checkModelNames(model);
  const known = await openKnownPlan(options, terminal);
  const setup = await boundedSetup(known.setup, { root: known.root, options }, terminal);
  return continueKnown({ ...known, setup }, { options, terminal, done });
}

/**
 * Runs `emend plan reject STEP`: undoes a step, and plans again what followed from it. Throws a
 * {@link CommandFailure} where there is no such plan, the step cannot be rejected, or as
 * {@link continuePlan} does.
 */
export async function rejectPlanStep(
  step: StepId,
  options: PlanReviewOptions & { readonly reason: string | undefined; readonly plan: string | undefined },
  terminal: Terminal,
): Promise<ExitCode> {
  const known = await openKnownPlan(options, terminal);
  return continueKnown(known, { options, terminal, reject: { step, reason: options.reason } });
}

/**
 * Runs `emend plan answer STEP [FILE]`: reads a chat's answer for a step, and continues. Without
 * `file`, the answer is read from standard input.
 *
 * Throws a {@link CommandFailure} where there is no such plan, the step is not left to do, the
 * answer is missing, empty or not text, or as {@link continuePlan} does. Rejects with a
 * `FileSystemError` where the file or the workspace cannot be read, and with an `EmendError` where
 * the plan is damaged.
 */
export async function answerPlanStep(
  step: StepId,
  options: PlanReviewOptions & { readonly file: string | undefined; readonly plan: string | undefined },
  terminal: Terminal,
): Promise<ExitCode> {
  const known = await openKnownPlan(options, terminal);
  checkOpen(known.state, step, "only steps that are left to do take an answer");
  if (options.file === undefined && terminal.isWatched)
    terminal.err("Paste the chat's answer, and end it with Ctrl-D on a line of its own.\n");
  const text = await readAnswerText(options.file ?? "-", terminal);
  return continueKnown(known, { options, terminal, answer: { step, text } });
}

/**
 * Runs `emend plan apply`: writes the stored changes of a plan that are not written yet. Where a
 * file that the plan read has changed, it names it and plans again from the same seeds.
 *
 * Throws a {@link CommandFailure} where there is no such plan, with code `plan-not-ended` where it
 * has not ended, with code `plan-moved-on` where a seed cannot be used again, or as
 * {@link continuePlan} does.
 */
export async function applyPlanned(
  options: PlanReviewOptions & { readonly plan: string | undefined },
  terminal: Terminal,
): Promise<ExitCode> {
  const known = await openKnownPlan(options, terminal);
  const { root, setup } = known;
  const stored = await tryStoredResult(known, terminal);
  if (stored === undefined) {
    const message = `The plan ${known.state.plan} has not ended. \`emend plan continue\` continues it.`;
    throw new CommandFailure("plan-not-ended", message, { exitCode: exitCodes.failed });
  }
  if (options.branch !== undefined) await checkBranch(options.branch, root, terminal);
  const changed = setup.isWritten ? [] : await changedSince(known, terminal);
  if (changed.length > 0) return planAgain(known, changed, options, terminal);
  const reject = rejecting({ root, setup, ...(await startOfPlan(known, terminal)) }, options, terminal);
  return reviewPlan({ root, setup, notes: [], driven: stored, isSeen: true, reject }, options, terminal);
}

/** Starts a new plan from the seeds of a known one, since these files have changed. */
async function planAgain(
  known: KnownPlan,
  changed: readonly string[],
  options: PlanReviewOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { root, state } = known;
  const note = `${listed(changed)} changed since the plan ${state.plan}, so it is planned again.`;
  if (!options.json) terminal.err(`${printable(note)}\n`);
  const { seeds, start: texts, left } = await seedsAgain(known, changed);
  const { read: _, otherwise: __, ...bounds } = known.setup;
  const setup = { ...bounds, start: texts, left, isWritten: false };
  const plan = planNameAt(new Date());
  await writePlanRecord(plansFolderOf(root, terminal), plan, setup);
  const { start, about } = await startOfPlan({ root, state: { ...state, seeds } }, terminal);
  const again = { root, setup, start: { ...start, plan, base: await baseOf(root, terminal) }, about };
  const driven = await drive(again, options, terminal);
  const notes = options.json ? [note] : [];
  return reviewPlan({ root, setup, notes, driven, reject: rejecting(again, options, terminal) }, options, terminal);
}

async function continueKnown(
  known: KnownPlan,
  {
    options,
    terminal,
    ...continuation
  }: PlanContinuation & { readonly options: PlanReviewOptions; readonly terminal: Terminal },
): Promise<ExitCode> {
  const { root, setup } = known;
  if (options.branch !== undefined) await checkBranch(options.branch, root, terminal);
  const plan = await prepareContinuation(known, continuation, terminal);
  const driven = await drive(plan, options, terminal);
  const reject = rejecting(plan, options, terminal);
  return reviewPlan({ root, setup, notes: [], driven, reject }, options, terminal);
}

async function drive(
  plan: Omit<PlanDrive, "reporter" | "isTrusted">,
  { json, trust }: PlanReviewOptions,
  terminal: Terminal,
): Promise<DrivenPlan> {
  const reporter = json ? {} : { reporter: new TerminalPlanReporter(plan.setup.limits, terminal) };
  try {
    return await drivePlan({ ...plan, ...reporter, isTrusted: trust }, terminal);
  } catch (error) {
    if (terminal.signal.aborted)
      throw interrupted(terminal.signal, { hint: "`emend plan continue` continues from here.", cause: error });
    throw error;
  }
}

/** Undoes steps of a plan that was not written yet, and continues. */
function rejecting(
  { root, setup, start, about }: Pick<PlanDrive, "root" | "setup" | "start" | "about">,
  options: PlanReviewOptions,
  terminal: Terminal,
): NonNullable<PlanReview["reject"]> {
  return (steps) => drive({ root, setup, start, about, continueWith: rejectingSteps(steps) }, options, terminal);
}
