import { disk } from "../codebase/node/index.ts";
import type { StepId } from "../plan/index.ts";
import { writePlanRecord } from "../plan/node/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { checkOpen, type GoingOn, planToGoOn, rejectingSteps } from "./go-on-plan.ts";
import { type KnownPlan, openKnownPlan } from "./known-plan.ts";
import { checkModelNames } from "./model-flags.ts";
import { openRoot } from "./open-file.ts";
import { checkBranch } from "./plan-branch.ts";
import { baseOf, type DrivenPlan, drivePlan, type PlanDrive, planNameAt, plansFolderOf } from "./plan-run.ts";
import { readAnswerText } from "./read-answer-text.ts";
import { type PlanReview, type PlanReviewOptions, reviewPlan } from "./review-plan.ts";
import { boundedSetup, checkPlanQuestion, type PlanBounds, type PlanQuestion, setUpPlan } from "./set-up-plan.ts";
import type { Terminal } from "./terminal.ts";
import { TerminalPlanTeller } from "./terminal-plan-teller.ts";

/** What may be said on the command line of `emend plan`. */
export interface PlanOptions extends PlanReviewOptions, PlanQuestion {}

/** Runs `emend plan [INSTRUCTION]`: carries a change through the workspace, shows what came of it, and writes it if wanted. */
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

/** Runs `emend plan continue`: goes on after a kill, with further limits, or after steps were done by hand. */
export async function continuePlan(
  options: PlanReviewOptions &
    PlanBounds & { readonly done: readonly number[] | undefined; readonly plan: string | undefined },
  terminal: Terminal,
): Promise<ExitCode> {
  const { done = [], model } = options;
  checkModelNames(model);
  const known = await openKnownPlan(options, terminal);
  const setup = await boundedSetup(known.setup, { root: known.root, options }, terminal);
  return goOn({ ...known, setup }, { options, terminal, done });
}

/** Runs `emend plan reject STEP`: takes a step back, and plans what followed from it anew. */
export async function rejectPlanStep(
  step: StepId,
  options: PlanReviewOptions & { readonly reason: string | undefined; readonly plan: string | undefined },
  terminal: Terminal,
): Promise<ExitCode> {
  const known = await openKnownPlan(options, terminal);
  return goOn(known, { options, terminal, reject: { step, reason: options.reason } });
}

/** Runs `emend plan answer STEP [FILE]`: takes in what a chat said of a step, and goes on. */
export async function answerPlanStep(
  step: StepId,
  options: PlanReviewOptions & { readonly file: string | undefined; readonly plan: string | undefined },
  terminal: Terminal,
): Promise<ExitCode> {
  const known = await openKnownPlan(options, terminal);
  checkOpen(known.state, step, "only what is left to do takes an answer");
  if (options.file === undefined && terminal.isWatched)
    terminal.err("Paste what the chat said, and end it with Ctrl-D on a line of its own.\n");
  const text = await readAnswerText(options.file ?? "-", terminal);
  return goOn(known, { options, terminal, answer: { step, text } });
}

/** Runs `emend plan apply`: writes what a plan came to, as far as that was not written yet. */
export async function applyPlanned(
  options: PlanReviewOptions & { readonly plan: string | undefined },
  terminal: Terminal,
): Promise<ExitCode> {
  const known = await openKnownPlan(options, terminal);
  if (known.state.ended === undefined) {
    const message = `The plan ${known.state.plan} did not come to its end. \`emend plan continue\` goes on with it.`;
    throw new CommandFailure("plan-not-ended", message, { exitCode: exitCodes.failed });
  }
  return goOn(known, { options, terminal, isOver: true });
}

async function goOn(
  known: KnownPlan,
  { options, terminal, ...going }: GoingOn & { readonly options: PlanReviewOptions; readonly terminal: Terminal },
): Promise<ExitCode> {
  const { root, setup } = known;
  if (options.branch !== undefined) await checkBranch(options.branch, root, terminal);
  const plan = await planToGoOn(known, going, terminal);
  const driven = await drive(plan, options, terminal);
  const reject = rejecting(plan, options, terminal);
  return reviewPlan({ root, setup, notes: [], driven, isSeen: going.isOver ?? false, reject }, options, terminal);
}

async function drive(
  plan: Omit<PlanDrive, "teller" | "isTrusted">,
  { json, trust }: PlanReviewOptions,
  terminal: Terminal,
): Promise<DrivenPlan> {
  const teller = json ? {} : { teller: new TerminalPlanTeller(plan.setup.limits, terminal) };
  try {
    return await drivePlan({ ...plan, ...teller, isTrusted: trust }, terminal);
  } catch (error) {
    if (terminal.signal.aborted && !json) terminal.err("`emend plan continue` goes on from here.\n");
    throw error;
  }
}

/** Takes steps of a plan back that was not written yet, and goes on. */
function rejecting(
  { root, setup, start, about }: Pick<PlanDrive, "root" | "setup" | "start" | "about">,
  options: PlanReviewOptions,
  terminal: Terminal,
): NonNullable<PlanReview["reject"]> {
  return (steps) => drive({ root, setup, start, about, goOn: rejectingSteps(steps) }, options, terminal);
}
