import { EventQueue, LinkedController } from "../../async/index.ts";
import type { StepId } from "../../plan/index.ts";
import {
  isPlanRunning,
  listPlans,
  type PlanSetup,
  tryReadOpenSteps,
  tryReadPlanJournal,
  writePlanRecord,
} from "../../plan/node/index.ts";
import type {
  PlanContinueRequest,
  PlanHost,
  PlanNews,
  PlanNewsStream,
  PlanRequest,
  PlanRunParts,
  PlanTaskText,
  StoredPlanFile,
  StoredPlanState,
} from "../../server/index.ts";
import { EmendError } from "../../text/index.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure, toCommandFailure } from "../terminal/failure.ts";
import { listed } from "../terminal/print-amount.ts";
import { prepareContinuation } from "./go-on-plan.ts";
import { type PlanOutside, silentReporter } from "./plan-reporter.ts";
import { baseOf, drivePlan, type PlanDrive, planNameAt, plansFolderOf } from "./plan-run.ts";
import { checkRange, isDiffFile, textAt } from "./plan-seeds.ts";
import { boundedSetup, checkPlanQuestion, type PlanQuestion, setUpPlan } from "./set-up-plan.ts";
import { stepPromptOf } from "./step-prompt.ts";
import { type KnownPlan, keepPlan, knownPlanIn } from "./stored-plan.ts";

/** What plans of a language server run with. */
export interface PlanHostOptions extends Pick<PlanOutside, "environment" | "workingFolder"> {
  /** Whether the person trusts the workspaces. */
  readonly isTrusted: boolean;
  /** Milliseconds since 1970. */
  now(): number;
}

/**
 * Runs plans like `emend plan`, with the same store, so that plans begun by either can be continued
 * by the other.
 */
export class DiskPlanHost implements PlanHost {
  readonly #options: PlanHostOptions;

  constructor(options: PlanHostOptions) {
    this.#options = options;
  }

  /**
   * Starts a plan in the workspace at `root` and runs it. Nothing happens before the first event is
   * requested; a consumer that stops early stops the plan.
   *
   * The stream rejects with an {@link EmendError} where the request is invalid, a model that is
   * wanted cannot be opened, or the plan cannot be run, and with the signal's reason on abort. What
   * was done until then is stored.
   */
  start(root: string, request: PlanRequest, parts: PlanRunParts): PlanNewsStream {
    return this.#run(root, parts, async (outside) => {
      const { instruction } = request;
      const question = questionOf(request, this.#options.isTrusted);
      checkPlanQuestion(instruction, question);
      await checkSeed(request, root);
      if (question.seed !== undefined && question.seed !== "working-tree")
        await checkRange(question.seed, { root, trust: question.trust }, outside);
      await parts.checkSaved();
      const input = { readInput: async () => new Uint8Array() };
      const { found, setup } = await setUpPlan(
        instruction,
        { root, options: question },
        { ...outside, ...input, workingFolder: root },
      );
      const plan = planNameAt(new Date(this.#options.now()));
      await writePlanRecord(plansFolderOf(root, outside), plan, setup);
      const start = {
        ...{ plan, base: await baseOf(root, outside), seeds: found.seeds },
        ...(instruction !== undefined && { instruction }),
      };
      const drive = { root, setup, start, about: found.paths };
      return { drive, notes: found.notes, isModelWanted: request.isModelWanted };
    });
  }

  /**
   * Continues a stored plan. The stream rejects as that of {@link start} does, and with code
   * `plan-missing` where there is no such plan.
   */
  continue(root: string, plan: string, request: PlanContinueRequest, parts: PlanRunParts): PlanNewsStream {
    return this.#run(root, parts, async (outside) => {
      const known = await knownPlanIn(root, plan, outside);
      await parts.checkSaved();
      const { done, reject, answer, models, maxSteps, maxRounds, maxTokens } = request;
      const bounds = { model: models, maxSteps, maxRounds, maxTokens, maxCost: undefined, price: undefined };
      const options = { ...bounds, trust: this.#options.isTrusted };
      const setup = await boundedSetup(known.setup, { root, options }, outside);
      const continuation = { ...(done && { done }), ...(reject && { reject }), ...(answer && { answer }) };
      const drive = await prepareContinuation({ ...known, setup }, continuation, outside);
      return { drive, notes: [], isModelWanted: models !== undefined };
    });
  }

  /**
   * Reads the stored state of a plan, also while a process runs it. The lines of `left` count from
   * 0. Rejects with an {@link EmendError}, with code `plan-missing` where there is no such plan.
   */
  async read(root: string, plan: string): Promise<StoredPlanState> {
    return this.#guarded(async (outside) => {
      const isDriven = await isPlanRunning({ folder: plansFolderOf(root, outside), plan });
      const known = await knownPlanIn(root, plan, outside);
      const open = known.state.ended && (await tryReadOpenSteps(plansFolderOf(root, outside), plan));
      const left = (open ?? []).flatMap(({ id, line }) => (line === undefined ? [] : { step: id, line: line - 1 }));
      return { ...(await storedState(known)), isDriven, left };
    });
  }

  /**
   * The plans of a workspace, the oldest first. Plans whose journal cannot be read or is empty are
   * left out. Rejects with an {@link EmendError} where the folder of the plans cannot be read.
   */
  async list(root: string): Promise<readonly StoredPlanState[]> {
    return this.#guarded(async (outside) => {
      const folder = plansFolderOf(root, outside);
      const plans: StoredPlanState[] = [];
      for (const plan of await listPlans(folder)) {
        // The list leaves out a plan that cannot be read; `emend plan list` prints the reason.
        const reading = await tryReadPlanJournal({ folder, plan }).catch(onlyEmendErrors);
        if (reading === undefined || reading.events.length === 0) continue;
        const isDriven = await isPlanRunning({ folder, plan });
        plans.push({ plan, events: reading.events, money: {}, isDriven, isWritten: false, files: [], left: [] });
      }
      return plans;
    });
  }

  /**
   * The prompt of a step that is left to do. Rejects with an {@link EmendError} where there is no
   * such plan, no such step, or no prompt for it.
   */
  async task(root: string, plan: string, step: StepId): Promise<PlanTaskText> {
    return this.#guarded(async (outside) => {
      const { text, outdated } = await stepPromptOf(await knownPlanIn(root, plan, outside), step, outside);
      if (outdated === undefined) return { text };
      return { text, note: `${outdated} changed since: the text describes it as it was. Continue the plan first.` };
    });
  }

  /**
   * Stores that the changes of a plan were applied to the workspace; does nothing where that is
   * stored already or the plan has no changes. Rejects with an {@link EmendError}, with code
   * `plan-missing` where there is no such plan.
   */
  async keepApplied(root: string, plan: string): Promise<void> {
    return this.#guarded(async (outside) => {
      const { setup } = await knownPlanIn(root, plan, outside);
      const { left, otherwise, isWritten } = setup;
      if (isWritten || otherwise === undefined) return;
      const applied: PlanSetup = { ...setup, left: otherwise, otherwise: left, isWritten: true };
      await writePlanRecord(plansFolderOf(root, outside), plan, applied);
    });
  }

  async *#run(
    root: string,
    { signal, openModels }: PlanRunParts,
    prepare: (outside: PlanOutside) => Promise<{
      readonly drive: Omit<PlanDrive, "reporter" | "isTrusted">;
      readonly notes: readonly string[];
      readonly isModelWanted: boolean;
    }>,
  ): PlanNewsStream {
    const leaving = new LinkedController(signal);
    const outside = { ...this.#options, signal: leaving.signal };
    try {
      signal.throwIfAborted();
      const { drive, notes, isModelWanted } = await prepare(outside);
      const { setup, start } = drive;
      yield { kind: "named", plan: start.plan, money: setup.limits };
      const news = new EventQueue<PlanNews>();
      const work = drivePlan(
        {
          ...{ ...drive, isTrusted: this.#options.isTrusted, isModelWanted },
          async openModels(names) {
            const chats = await openModels(names);
            const { models, issues } = chats;
            return { models, issues, [Symbol.asyncDispose]: async () => chats[Symbol.dispose]() };
          },
          reporter: {
            ...silentReporter,
            reportActivity: (text) => news.push({ kind: "activity", text }),
            reportOpened: (events) => news.push({ kind: "opened", events }),
            reportEvent: (event) => news.push({ kind: "event", event }),
          },
        },
        outside,
      );
      try {
        yield* news.until(work);
      } finally {
        // A consumer that stops early stops the plan.
        leaving.abort(signal.reason);
        await work.catch(() => undefined);
      }
      const driven = await work;
      await keepPlan({ root, setup, driven }, outside);
      return { notes: [...notes.map(toEditorAdvice), ...driven.notes, ...othersOf(driven.changes.others)] };
    } catch (error) {
      signal.throwIfAborted();
      throw asRefusal(error);
    } finally {
      leaving[Symbol.dispose]();
    }
  }

  async #guarded<Value>(work: (outside: PlanOutside) => Promise<Value>): Promise<Value> {
    const { environment, workingFolder } = this.#options;
    try {
      return await work({ environment, workingFolder, signal: new AbortController().signal });
    } catch (error) {
      throw asRefusal(error);
    }
  }
}

/** Returns `undefined` for an {@link EmendError}, and throws any other error again. */
function onlyEmendErrors(error: unknown): undefined {
  if (!(error instanceof EmendError)) throw error;
}

/** Converts anything thrown to an error for a person at an editor. */
function asRefusal(error: unknown): EmendError {
  const { code, message } = toCommandFailure(error);
  return new EmendError(code, toEditorAdvice(message), { cause: error });
}

function questionOf(
  { at, seed, verifiers, models, maxSteps, maxRounds, maxTokens }: PlanRequest,
  trust: boolean,
): PlanQuestion {
  return {
    ...{ at: at && `${at.path}:${at.line + 1}`, seed: seed === findings ? undefined : seed, fix: seed === findings },
    ...{ findings: undefined, verify: verifiers, trust, model: models },
    ...{ maxSteps, maxRounds, maxTokens, maxCost: undefined, price: undefined },
  };
}

/** The seed for the diagnostics of the verification commands. */
const findings = "findings";

/**
 * Throws a {@link CommandFailure} for a seed that is a file: clients may not name diff files, since
 * they have access to the folder only.
 */
async function checkSeed({ seed }: PlanRequest, root: string): Promise<void> {
  if (seed === undefined || seed === findings || !(await isDiffFile(seed, { workingFolder: root }))) return;
  const message = `${seed} is a file. A plan starts with \`working-tree\`, \`${findings}\` or a range of git, such as \`main...\`.`;
  throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
}

/** The stored state of a plan. */
async function storedState({
  root,
  setup,
  state,
  events,
}: KnownPlan): Promise<Omit<StoredPlanState, "isDriven" | "left">> {
  const { left, otherwise, isWritten, limits } = setup;
  const files: StoredPlanFile[] = [];
  if (state.ended !== undefined && otherwise !== undefined) {
    const [before, after] = isWritten ? [otherwise, left] : [left, otherwise];
    for (const [index, { path, text }] of before.entries()) {
      const file = { path, before: text, after: after[index]?.text ?? null };
      if (file.before !== file.after) files.push({ ...file, now: await textAt(root, path) });
    }
  }
  return { plan: state.plan, events, money: limits, isWritten, files };
}

function othersOf(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  return [
    `Binary files changed in the plan's copy, such as by a verification command. They are not part of the plan: ${listed(paths)}.`,
  ];
}

/**
 * Replaces advice for the command line in a message by advice for an editor, which has no flags and
 * commands. Other messages stay as they are.
 */
export function toEditorAdvice(message: string): string {
  return replacements.reduce((text, [typed, instead]) => text.replace(typed, instead), message);
}

const replacements: readonly (readonly [RegExp, string])[] = [
  [
    /Make the first change by hand and run this again, or name a place to start: emend plan "INSTRUCTION" --at FILE:LINE\./,
    "Make the first change by hand and start again, or give an instruction for a line.",
  ],
  [/name its place with --at FILE:LINE\./, "give it for a line."],
  [/Go to one, name one with --workspace, or give a change with \S+ FILE\./, "Give an instruction for a line."],
  [/, or give a change with \S+ FILE\./, ", or give an instruction for a line."],
  [/: `emend plan` starts one\./, ". Start one."],
  [/: `emend plan list` lists them\./, ". It may have been removed."],
  [/`emend plan continue` includes that; then/, "Continue the plan, which includes that; then"],
  [/`emend plan continue` includes the change\./, "Continue the plan, which includes the change."],
  [/`emend plan continue` continues it\./, "Continue it."],
  [/write the plan's change first with `emend plan apply`/, "apply the plan first"],
  [
    /Name a chat model with --model, or leave it out: steps that no rule can write are then listed\./,
    "Name a chat model, or none: steps that no rule can write are then listed.",
  ],
];
