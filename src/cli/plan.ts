import type { ModelPrice } from "../config/index.ts";
import { RegionGuides } from "../edit/index.ts";
import { grammarFor } from "../grammar/node/index.ts";
import {
  foldPlan,
  type HandWork,
  type PlanJournal,
  type PlanRunOptions,
  type PlanState,
  parseOracleCommand,
  readPastedAnswer,
  rejectStep,
  type StepId,
} from "../plan/index.ts";
import { type PlanSetup, type WorkspaceImpact, writePlanRecord } from "../plan/node/index.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { EmendError } from "../text/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { pathsBehind, seedsOfOracles, seedsOfOutput } from "./finding-seeds.ts";
import { type HandChange, handEdits } from "./hand-edits.ts";
import { type KnownPlan, openKnownPlan, rootOf } from "./known-plan.ts";
import { checkModelNames } from "./model-flags.ts";
import { checkBranch } from "./plan-branch.ts";
import { moneyOfPlan } from "./plan-price.ts";
import { baseOf, type DrivenPlan, drivePlan, planNameAt, plansFolderOf } from "./plan-run.ts";
import { type FoundSeeds, findSeeds, textAt } from "./plan-seeds.ts";
import { listed } from "./print-names.ts";
import { readAnswerText } from "./read-answer-text.ts";
import { type PlanReview, type PlanReviewOptions, pathsOfPlan, reviewPlan } from "./review-plan.ts";
import type { Terminal } from "./terminal.ts";

/** What may be said on the command line of `emend plan`. */
export interface PlanOptions extends PlanReviewOptions, PlanQuestion {}

/** What a plan is to be. Plain data. */
export interface PlanQuestion extends PlanBounds {
  /** `FILE:LINE`. */
  readonly at: string | undefined;
  /** A range of git, the file of a diff, `-` or `working-tree`. */
  readonly seed: string | undefined;
  /** Begin with what the oracles have to say. */
  readonly fix: boolean;
  /** A file with what was said, or `-`, possibly behind a format and a colon. */
  readonly findings: string | undefined;
  readonly oracle: readonly string[] | undefined;
  /** Whether the configuration of the workspace may run code. */
  readonly trust: boolean;
}

/** Who is asked, and how far a plan may go. */
export interface PlanBounds {
  readonly model: readonly string[] | undefined;
  /** In seconds. */
  readonly oracleTimeout?: number | undefined;
  readonly maxSteps: number | undefined;
  readonly maxRounds: number | undefined;
  readonly maxTokens: number | undefined;
  /** In the currency of the price. */
  readonly maxCost: number | undefined;
  readonly price: ModelPrice | undefined;
}

/** Runs `emend plan [INSTRUCTION]`: carries a change through the workspace, shows what came of it, and writes it if wanted. */
export async function plan(
  instruction: string | undefined,
  options: PlanOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  checkPlanQuestion(instruction, options);
  const root = await rootOf(options, terminal);
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

/** Throws a {@link CommandFailure} where what was typed makes no plan, in whichever repository. */
export function checkPlanQuestion(instruction: string | undefined, options: PlanQuestion): void {
  const { oracle = [], model = [], at, seed, fix, findings } = options;
  checkModelNames(model);
  for (const one of oracle) checkOracle(one);
  if (instruction?.trim() === "") throw usage("The instruction is empty. Say what is to be done, or leave it out.");
  const given = Object.entries({ at, seed, fix: fix || undefined, findings }).filter(
    ([, value]) => value !== undefined,
  );
  if (given.length > 1) {
    const names = listed(given.map(([name]) => `--${name}`));
    throw usage(`A plan begins in one of ${names}. Give one of them.`);
  }
}

function checkOracle(command: string): void {
  try {
    parseOracleCommand(command);
  } catch (error) {
    if (!(error instanceof EmendError)) throw error;
    throw new CommandFailure(error.code, `${error.message}.`, { exitCode: exitCodes.usage, cause: error });
  }
}

/** Finds what a plan begins with in a repository, and what it is carried out with there. */
export async function setUpPlan(
  instruction: string | undefined,
  { root, options }: { readonly root: string; readonly options: PlanQuestion },
  terminal: Terminal,
): Promise<{ readonly found: FoundSeeds; readonly setup: PlanSetup }> {
  const { oracle = [], model = [] } = options;
  const found = await seedsOf(instruction, root, options, terminal);
  const { start, left } = found;
  const unbounded = { oracles: oracle, models: model, start, left, isWritten: false, limits: {} };
  return { found, setup: await boundedSetup(unbounded, { root, options }, terminal) };
}

/** What a plan is carried out with, with the bounds that are told now in place of others. */
async function boundedSetup(
  setup: PlanSetup,
  { root, options }: { readonly root: string; readonly options: PlanBounds & Pick<PlanQuestion, "trust"> },
  terminal: Terminal,
): Promise<PlanSetup> {
  const { model: models = setup.models, oracleTimeout, maxSteps, maxRounds, maxTokens, price } = options;
  const { price: _, maxCost: __, ...before } = setup.limits;
  const maxCost = options.maxCost ?? setup.limits.maxCost;
  const isSameMoney = (options.model ?? options.maxCost ?? price) === undefined;
  const money = isSameMoney
    ? setup.limits
    : await moneyOfPlan({ root, models, price, maxCost, isTrusted: options.trust }, terminal);
  const limits = {
    ...before,
    ...(maxSteps !== undefined && { maxSteps }),
    ...(maxRounds !== undefined && { maxRounds }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(money.price !== undefined && { price: money.price }),
    ...(money.maxCost !== undefined && { maxCost: money.maxCost }),
  };
  return { ...setup, models, limits, ...(oracleTimeout !== undefined && { oracleTimeoutMs: oracleTimeout * 1000 }) };
}

async function seedsOf(
  instruction: string | undefined,
  root: string,
  { at, seed, fix, findings, oracle = [] }: PlanQuestion,
  terminal: Terminal,
): Promise<FoundSeeds> {
  if (fix) return seedsOfOracles({ root, oracles: oracle }, terminal);
  if (findings !== undefined) return seedsOfOutput(findings, root, terminal);
  return findSeeds({ root, instruction, at, seed }, terminal);
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
  for (const step of done) checkOpen(known.state, step, "only obligations are discharged by hand");
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
  const reject = (journal: PlanJournal) => rejectIn(journal, step, options.reason);
  return goOn(known, { options, terminal, reject });
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

/** Throws a {@link CommandFailure} unless a step is left to do. */
function checkOpen({ graph: { steps } }: PlanState, step: StepId, otherwise: string): void {
  const status = steps[step - 1]?.status;
  if (status === undefined) throw usage(`There is no step ${step}: the plan has ${steps.length}.`);
  if (status !== "obligation" && status !== "pending") throw usage(`Step ${step} is ${status}: ${otherwise}.`);
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

interface GoingOn {
  readonly options: PlanReviewOptions;
  readonly terminal: Terminal;
  /** Steps at which nothing has to change, as a person says. */
  readonly done?: readonly StepId[];
  readonly reject?: (journal: PlanJournal) => Promise<void>;
  /** What a chat said of a step. */
  readonly answer?: { readonly step: StepId; readonly text: string };
  /** Nothing is done but what was done before. */
  readonly isOver?: boolean;
}

async function goOn({ root, setup, state }: KnownPlan, going: GoingOn): Promise<ExitCode> {
  const { options, terminal, done = [], reject, answer, isOver = false } = going;
  if (options.branch !== undefined) await checkBranch(options.branch, root, terminal);
  const hand = await handChanges(root, setup);
  const start = { plan: state.plan, base: state.base, seeds: state.seeds };
  const about = [...new Set([...(await pathsBehind(state.seeds, root, terminal)), ...pathsOfPlan(state)])];
  const byHand = async (
    journal: PlanJournal,
    impact: WorkspaceImpact,
  ): Promise<Pick<PlanRunOptions, "goesOn" | "byHand">> => {
    if ((reject ?? answer) !== undefined && hand.length > 0) {
      const then = reject === undefined ? "an answer can be given" : "the step can be rejected";
      const message = `${listed(hand.map(({ path }) => path))} changed since the plan was there. \`emend plan continue\` takes that in; then ${then}.`;
      throw new CommandFailure("plan-moved-on", message, { exitCode: exitCodes.failed });
    }
    if (answer !== undefined)
      return { goesOn: true, byHand: [{ id: answer.step, answer: readAnswer(answer.text, terminal) }] };
    if (reject !== undefined) await reject(journal);
    const left = foldPlan(journal.events).graph.steps.filter(({ status }) => status === "obligation");
    const edits = handEdits(hand, left, (path, text) => impact.blocksOf(path, text));
    if (edits === undefined || (hand.length > 0 && (isOver || !setup.isWritten))) throw movedOn(hand, setup);
    const said = done.filter((id) => edits.every((edit) => edit.id !== id)).map((id) => ({ id }));
    return { goesOn: !isOver, byHand: [...edits, ...said] };
  };
  const driven = await drive({ root, setup, start, about, goOn: byHand }, options, terminal);
  const again = rejecting({ root, setup, start, about }, options, terminal);
  return reviewPlan({ root, setup, notes: [], driven, isSeen: isOver, reject: again }, options, terminal);
}

/** Reads what a chat said, as a model's answer is read. */
function readAnswer(text: string, { signal }: Terminal): NonNullable<HandWork["answer"]> {
  return async (question) => {
    const syntax = openSyntax();
    try {
      return await readPastedAnswer(question, text, { syntax, guides: new RegionGuides({ load: grammarFor }), signal });
    } finally {
      syntax[Symbol.dispose]();
    }
  };
}

async function drive(
  plan: Omit<Parameters<typeof drivePlan>[0], "isTold" | "isTrusted">,
  { json, trust }: PlanReviewOptions,
  terminal: Terminal,
): Promise<DrivenPlan> {
  try {
    return await drivePlan({ ...plan, isTold: !json, isTrusted: trust }, terminal);
  } catch (error) {
    if (terminal.signal.aborted && !json) terminal.err("`emend plan continue` goes on from here.\n");
    throw error;
  }
}

/** Takes steps of a plan back that was not written yet, and goes on. */
function rejecting(
  plan: Pick<Parameters<typeof drivePlan>[0], "root" | "setup" | "start" | "about">,
  options: PlanReviewOptions,
  terminal: Terminal,
): NonNullable<PlanReview["reject"]> {
  return (steps) => {
    const goOn = async (journal: PlanJournal) => {
      // What went with another one is gone already.
      for (const step of steps) if (isDone(journal, step)) await rejectIn(journal, step);
      return { goesOn: true };
    };
    return drive({ ...plan, goOn }, options, terminal);
  };
}

function isDone({ events }: PlanJournal, step: StepId): boolean {
  return foldPlan(events).graph.step(step).status === "done";
}

async function rejectIn(journal: PlanJournal, step: StepId, reason?: string): Promise<void> {
  const rejection = rejectStep(foldPlan(journal.events), step, reason);
  if (rejection.kind === "refused")
    throw new CommandFailure("plan-step", rejection.message, { exitCode: exitCodes.usage });
  await journal.append(rejection.event);
}

/** What a person changed in the plan's files since it left them. */
async function handChanges(root: string, { left }: PlanSetup): Promise<readonly HandChange[]> {
  const changes: HandChange[] = [];
  for (const { path, text } of left) {
    const now = await textAt(root, path);
    if (now === text) continue;
    if (now === null || text === null) {
      const message = `${path} ${now === null ? "is gone" : "came"} since the plan left it, so that it cannot go on. Take that back, or begin a new plan.`;
      throw new CommandFailure("plan-moved-on", message, { exitCode: exitCodes.failed });
    }
    changes.push({ path, before: text, after: now });
  }
  return changes;
}

function movedOn(hand: readonly HandChange[], { isWritten }: PlanSetup): CommandFailure {
  const how = isWritten
    ? "Take that back, or begin a new plan."
    : "Take that back and write the plan's change first with `emend plan apply`, or begin a new plan.";
  const message = `${listed(hand.map(({ path }) => path))} changed since the plan was there, which is none of its open steps. ${how}`;
  return new CommandFailure("plan-moved-on", message, { exitCode: exitCodes.failed });
}

function usage(message: string): CommandFailure {
  return new CommandFailure("usage", message, { exitCode: exitCodes.usage });
}
