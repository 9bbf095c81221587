import { hostname } from "node:os";
import { join } from "node:path";
import { disk } from "../codebase/node/index.ts";
import {
  foldPlan,
  type OpenStep,
  type PlanEnd,
  type PlanStart,
  type PlanState,
  parseWithEdits,
  printPlanProgress,
  type QueuedJob,
} from "../plan/index.ts";
import {
  openScratchClone,
  type PlanSetup,
  type PlanStore,
  pathsOfSeeds,
  type ScratchChanges,
} from "../plan/node/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { CommandFailure, toCommandFailure } from "./failure.ts";
import { cacheFolderOf } from "./index-cache-of.ts";
import { pathsOfPlan } from "./keep-plan.ts";
import { openFolder } from "./open-file.ts";
import { baseOf, drivePlan } from "./plan-run.ts";
import { textAt } from "./plan-seeds.ts";
import { silentTeller } from "./plan-teller.ts";
import { type PlanQuestion, setUpPlan } from "./set-up-plan.ts";
import type { Terminal } from "./terminal.ts";

/** A plan for a queue: what to do, in which repository. Plain data; `id` is the plan's name, too. */
export interface PlanJob extends QueuedJob {
  readonly repository: JobRepository;
  readonly instruction?: string;
  /** Paths in it are from the repository's folder. */
  readonly question: PlanQuestion;
  /** What `-` in the question stands for. */
  readonly input?: string;
}

/** A repository that a worker can reach. */
export interface JobRepository {
  /** The absolute path of its folder, links resolved. */
  readonly root: string;
  /** The machine that has this folder for sure. */
  readonly host: string;
  /** From where others get it. Without this they have it at the same path, or not at all. */
  readonly clone?: { readonly from: string; readonly commit: string };
}

/** How far a plan of a queue is. */
export interface PlanJobProgress {
  readonly text: string;
  readonly tokens: number;
}

/** What a plan of a queue came to, beside what its journal says. */
export type PlanJobAnswer =
  | {
      readonly kind: "planned";
      readonly why: PlanEnd | undefined;
      readonly changes: ScratchChanges;
      readonly open: readonly OpenStep[];
      readonly notes: readonly string[];
    }
  /** It cannot be carried out. */
  | { readonly kind: "refused"; readonly code: string; readonly message: string; readonly exitCode: ExitCode };

/** An answer as text, so that it is the same from this process and from another. */
export function jobAnswerToJson(answer: PlanJobAnswer): string {
  if (answer.kind === "refused") return JSON.stringify(answer);
  const { before, ...changes } = answer.changes;
  return JSON.stringify({ ...answer, changes: { ...changes, before: [...before] } });
}

/** An answer of what {@link jobAnswerToJson} wrote. */
export function jobAnswerFromJson(json: string): PlanJobAnswer {
  type Written = ScratchChanges & { readonly before: readonly (readonly [string, string])[] };
  const answer = parseWithEdits(json) as PlanJobAnswer;
  if (answer.kind === "refused") return answer;
  const { before, ...changes } = answer.changes as Written;
  return { ...answer, changes: { ...changes, before: new Map(before) } };
}

/** What a job is carried out with. */
export interface JobParts {
  /** Where the plans of the repository at this folder are kept. */
  readonly storeOf: (root: string) => PlanStore;
  readonly tell: (progress: PlanJobProgress) => void;
  readonly signal: AbortSignal;
  /** Whose settings, keys and folders are used; nothing is printed. */
  readonly terminal: Terminal;
}

/**
 * Carries a plan of a queue out. Where somebody began it before, it goes on behind the last event that is kept, and no model is asked the same twice.
 * The repository itself stays as it is. Rejects with the signal's own reason, and where another drives the plan by now; any other failure is an answer.
 */
export async function carryOutPlanJob(job: PlanJob, parts: JobParts): Promise<PlanJobAnswer> {
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

async function planIn(job: PlanJob, { storeOf, tell, signal, terminal }: JobParts): Promise<PlanJobAnswer> {
  const repository = await openRepository(job.repository, { ...terminal, signal });
  const { root } = repository;
  const quiet: Terminal = {
    ...{ ...terminal, signal, isWatched: false, isShown: false, out: ignored, err: ignored },
    ask: async () => undefined,
    readInput: async () => new TextEncoder().encode(job.input ?? ""),
  };
  try {
    const store = storeOf(root);
    const { setup, start, about, notes } = await beginOrGoOn(job, { root, store, quiet });
    const pace = progressPace(terminal.now);
    const driven = await drivePlan(
      {
        ...{ root, setup, start, about, store, isTrusted: job.question.trust },
        teller: {
          ...silentTeller,
          happens(event, state) {
            if (event.kind === "plan-ended" || pace())
              tell({ text: printPlanProgress(state, setup.limits), tokens: tokensOf(state) });
          },
        },
      },
      quiet,
    );
    const { state, changes, open } = driven;
    return { kind: "planned", why: state.ended?.why, changes, open, notes: [...notes, ...driven.notes] };
  } finally {
    await repository[Symbol.asyncDispose]();
  }
}

interface JobGround {
  readonly root: string;
  readonly store: PlanStore;
  readonly quiet: Terminal;
}

async function beginOrGoOn(job: PlanJob, { root, store, quiet }: JobGround) {
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

/** A plan begins with these files as they were: what somebody wrote there since would be taken back with it. */
async function checkLeft(root: string, { left }: PlanSetup): Promise<void> {
  for (const { path, text } of left) {
    if ((await textAt(root, path)) === text) continue;
    const message = `${path} changed since the plan was there. \`emend plan continue --workspace ${root}\` says what can be done.`;
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

/** All that models were shown and wrote. */
export function tokensOf({ tokens }: Pick<PlanState, "tokens">): number {
  return tokens.shown + tokens.written;
}

/** Says yes at most twice a second: nobody reads faster, and the queue is not for talk. */
function progressPace(now: () => number): () => boolean {
  let next = now();
  return () => {
    if (now() < next) return false;
    next = now() + 500;
    return true;
  };
}

function ignored(): void {}
