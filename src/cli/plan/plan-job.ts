import { hostname } from "node:os";
import { join } from "node:path";
import {
  foldPlan,
  type OpenStep,
  type PlanEnd,
  type PlanStart,
  type PlanState,
  parseWithEdits,
  printPlanProgress,
  type QueuedJob,
} from "../../plan/index.ts";
import {
  type FileHashes,
  openScratchClone,
  type PlanSetup,
  type PlanStore,
  pathsOfSeeds,
  type ScratchChanges,
} from "../../plan/node/index.ts";
import { disk } from "../../workspace/node/index.ts";
import { cacheFolderOf } from "../cache-folder.ts";
import { openFolder } from "../open-file.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure, toCommandFailure } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { silentReporter } from "./plan-reporter.ts";
import { baseOf, drivePlan } from "./plan-run.ts";
import { textAt } from "./plan-seeds.ts";
import { type PlanQuestion, setUpPlan } from "./set-up-plan.ts";
import { pathsOfPlan } from "./stored-plan.ts";

/** A plan for a queue, with its repository. Plain data; `id` is the plan's name, too. */
export interface PlanJob extends QueuedJob {
  readonly repository: JobRepository;
  readonly instruction?: string;
  /** Its paths are relative to the repository's folder. */
  readonly question: PlanQuestion;
  /** The text that `-` in the question is replaced by. */
  readonly input?: string;
}

/** A repository that a worker can reach. */
export interface JobRepository {
  /** The absolute path of its folder, links resolved. */
  readonly root: string;
  /** The machine that has this folder. */
  readonly host: string;
  /**
   * The source to clone from on other machines. Without it they need the folder at the same path.
   */
  readonly clone?: { readonly from: string; readonly commit: string };
}

/** The progress of a queued plan. */
export interface PlanJobProgress {
  readonly text: string;
  readonly tokens: number;
}

/** The result of a queued plan, besides its journal. */
export type PlanJobAnswer =
  | {
      readonly kind: "planned";
      readonly why: PlanEnd | undefined;
      readonly changes: ScratchChanges;
      readonly open: readonly OpenStep[];
      readonly notes: readonly string[];
      readonly read: FileHashes;
    }
  /** The plan could not run. */
  | { readonly kind: "refused"; readonly code: string; readonly message: string; readonly exitCode: ExitCode };

/**
 * Serializes an answer as JSON for {@link jobAnswerFromJson}, so that it is the same from this
 * process and from another.
 */
export function jobAnswerToJson(answer: PlanJobAnswer): string {
  if (answer.kind === "refused") return JSON.stringify(answer);
  const { before, ...changes } = answer.changes;
  return JSON.stringify({ ...answer, changes: { ...changes, before: [...before] } });
}

/** Parses the output of {@link jobAnswerToJson}. Throws `SyntaxError` for invalid JSON. */
export function jobAnswerFromJson(json: string): PlanJobAnswer {
  type Written = ScratchChanges & { readonly before: readonly (readonly [string, string])[] };
  const answer = parseWithEdits(json) as PlanJobAnswer;
  if (answer.kind === "refused") return answer;
  const { before, ...changes } = answer.changes as Written;
  return { ...answer, changes: { ...changes, before: new Map(before) } };
}

/** What a job runs with. */
export interface JobParts {
  /** Returns the store for the plans of the repository at a folder. */
  readonly storeOf: (root: string) => PlanStore;
  readonly report: (progress: PlanJobProgress) => void;
  readonly signal: AbortSignal;
  /** The terminal for settings, keys and folders; nothing is printed. */
  readonly terminal: Terminal;
}

/**
 * Runs a queued plan. A plan that was begun before continues after its last stored event, so that
 * no request to a model is repeated. The repository itself stays unchanged. Rejects with the
 * signal's own reason, and where another process runs the plan by now; any other failure is an
 * answer.
 */
export async function runPlanJob(job: PlanJob, parts: JobParts): Promise<PlanJobAnswer> {
  const { signal } = parts;
  try {
    signal.throwIfAborted();
    return await planIn(job, parts);
  } catch (error) {
    signal.throwIfAborted();
    const { code, message, exitCode } = toCommandFailure(error);
    if (code === "plan-taken-over") throw error;
    return { kind: "refused", code, message, exitCode };
  }
}

async function planIn(job: PlanJob, { storeOf, report, signal, terminal }: JobParts): Promise<PlanJobAnswer> {
  await using repository = await openRepository(job.repository, { ...terminal, signal });
  const { root } = repository;
  const quiet: Terminal = {
    ...{ ...terminal, signal, isWatched: false, isShown: false, out: ignored, err: ignored },
    ask: async () => undefined,
    readInput: async () => new TextEncoder().encode(job.input ?? ""),
  };
  const store = storeOf(root);
  const { setup, start, about, notes } = await startOrContinue(job, { root, store, quiet });
  const isDue = progressThrottle(terminal.now);
  const driven = await drivePlan(
    {
      ...{ root, setup, start, about, store, isTrusted: job.question.trust },
      reporter: {
        ...silentReporter,
        reportEvent(event, state) {
          if (event.kind === "plan-ended" || isDue())
            report({ text: printPlanProgress(state, setup.limits), tokens: tokensOf(state) });
        },
      },
    },
    quiet,
  );
  const { state, changes, open, read } = driven;
  return { kind: "planned", why: state.ended?.why, changes, open, notes: [...notes, ...driven.notes], read };
}

interface JobGround {
  readonly root: string;
  readonly store: PlanStore;
  readonly quiet: Terminal;
}

async function startOrContinue(job: PlanJob, { root, store, quiet }: JobGround) {
  const known = await store.tryRead(job.id);
  if (known !== undefined) {
    const { setup, events } = known;
    await checkLeft(root, setup);
    const state = foldPlan(events);
    const start: PlanStart = { plan: job.id, base: state.base, seeds: state.seeds };
    return { setup, start, about: [...new Set([...pathsOfSeeds(state.seeds), ...pathsOfPlan(state)])], notes: [] };
  }
  const { instruction, question } = job;
  const { found, setup } = await setUpPlan(instruction, { root, options: question }, { ...quiet, workingFolder: root });
  await store.writeSetup(job.id, setup);
  const start: PlanStart = {
    ...{ plan: job.id, base: await baseOf(root, quiet), seeds: found.seeds },
    ...(instruction !== undefined && { instruction }),
  };
  return { setup, start, about: found.paths, notes: found.notes };
}

/**
 * Checks that the plan's files are unchanged, since later changes would be undone with the plan.
 * Throws a {@link CommandFailure} otherwise.
 */
async function checkLeft(root: string, { left }: PlanSetup): Promise<void> {
  for (const { path, text } of left) {
    if ((await textAt(root, path)) === text) continue;
    const message = `${path} changed since the plan stopped. \`emend plan continue --workspace ${root}\` shows what can be done.`;
    throw new CommandFailure("plan-moved-on", message, { exitCode: exitCodes.failed });
  }
}

async function openRepository(
  { root, host, clone }: JobRepository,
  terminal: Terminal,
): Promise<AsyncDisposable & { readonly root: string }> {
  if (clone === undefined || host === hostname()) {
    const real = await openFolder(root, { workingFolder: root, fileSystem: disk }).catch((error) => {
      if (host === hostname()) throw error;
      const message = `There is no folder ${root} on ${hostname()}. Workers on other machines than ${host} need it at the same path, or a URL in the list of repositories.`;
      throw new CommandFailure("file-missing", message, { exitCode: exitCodes.notFound, cause: error });
    });
    return { root: real, [Symbol.asyncDispose]: async () => undefined };
  }
  const folder = join(cacheFolderOf(terminal), "clones");
  const answer = await openScratchClone({ folder, ...clone }, { signal: terminal.signal });
  if (answer.kind === "answer") return answer.value;
  const why = "message" in answer ? answer.message.split("\n")[0] : answer.kind;
  const message = `${clone.from} cannot be cloned on ${hostname()}: ${why}`;
  throw new CommandFailure("not-cloned", message, { exitCode: exitCodes.failed });
}

/** The number of tokens that the models of a plan read and wrote. */
export function tokensOf({ tokens }: Pick<PlanState, "tokens">): number {
  return tokens.shown + tokens.written;
}

/** Returns `true` at most twice a second, to limit progress messages. */
function progressThrottle(now: () => number): () => boolean {
  let next = now();
  return () => {
    if (now() < next) return false;
    next = now() + 500;
    return true;
  };
}

function ignored(): void {}
