import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { resultWithin } from "../../async/index.ts";
import { isMissing } from "../../edit/node/index.ts";
import { InProcessQueue, type JobOutcome, printPlanEnd } from "../../plan/index.ts";
import { FolderPlanStore, type PlanStore, type SharedPlanStore } from "../../plan/node/index.ts";
import { makeFolder, replaceFile, waitingClock } from "../../workspace/node/index.ts";
import { readDiffText } from "../change-request.ts";
import { stateFolderOf } from "../state-folder.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { badUsage, CommandFailure, interrupted } from "../terminal/failure.ts";
import { countText } from "../terminal/print-amount.ts";
import { openActivityLine } from "../terminal/progress.ts";
import { printable, styled, type Terminal } from "../terminal/terminal.ts";
import { openFleetQueue, type PlanJobQueue, redisAddress } from "./fleet-queue.ts";
import { openFleetRepositories } from "./fleet-repositories.ts";
import type { PlanOptions } from "./plan.ts";
import { jobAnswerFromJson, jobAnswerToJson, type PlanJob, type PlanJobAnswer, runPlanJob } from "./plan-job.ts";
import { planNameAt, plansFolderOf } from "./plan-run.ts";
import { isDiffFile } from "./plan-seeds.ts";
import { type FleetAnswers, type FleetPlan, reviewFleet } from "./review-fleet.ts";
import type { PlanReviewOptions } from "./review-plan.ts";
import { checkPlanQuestion, type PlanQuestion } from "./set-up-plan.ts";

/** The options of `emend plan --fleet`. */
export interface FleetOptions extends PlanOptions, FleetRunOptions {
  /** The file that lists the repositories, or `-`. */
  readonly fleet: string;
}

/** How a fleet is run. */
export interface FleetRunOptions extends PlanReviewOptions {
  /** The number of plans at once in this process; 2 by default. */
  readonly concurrency: number | undefined;
}

/**
 * Runs `emend plan --fleet`: the same plan in each of several repositories, by workers on the Redis
 * of `REDIS_URL`, or in this process. Then shows each result, and writes it if confirmed,
 * repository by repository. A plan that fails is part of the result and does not stop the others.
 *
 * Throws a {@link CommandFailure} where options are invalid, the list has invalid lines or no
 * repository, or Redis cannot be reached, and with code `interrupted` where the plans are aborted.
 */
export async function planFleet(
  instruction: string | undefined,
  options: FleetOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { workspace, fleet: file } = options;
  checkPlanQuestion(instruction, options);
  if (workspace !== undefined) throw badUsage("Give --fleet or --workspace: the list names the folders.");
  const { question, input } = await questionOf(options, terminal);
  // Other fleets may begin at the same time, on the same Redis.
  const fleet = `${planNameAt(new Date())}-${randomBytes(3).toString("hex")}`;
  const repositories = await openFleetRepositories(file, fleet, terminal);
  const jobs = repositories.map(
    ({ repository }, index): PlanJob => ({
      ...{ id: `${fleet}-${index + 1}`, repository, question },
      ...(instruction !== undefined && { instruction }),
      ...(input !== undefined && { input }),
    }),
  );
  const plans = repositories.map((repository, index): FleetPlan => ({ ...repository, job: jobs[index]! }));
  await writeFleetRecord(fleet, plans, terminal);
  return runFleet(plans, options, terminal);
}

/**
 * Runs `emend plan continue --fleet`: continues the last fleet after a kill or Ctrl-C. Ended plans
 * are shown again, but not run again.
 *
 * Throws a {@link CommandFailure} where an option for a single plan is given, there is no fleet to
 * continue, or Redis cannot be reached, and with code `interrupted` where the plans are aborted.
 */
export async function continueFleet(
  options: FleetRunOptions & { readonly plan: string | undefined; readonly done: readonly number[] | undefined },
  terminal: Terminal,
): Promise<ExitCode> {
  const { workspace, plan, done } = options;
  if ((workspace ?? plan ?? done) !== undefined)
    throw badUsage("Give --fleet alone, or continue a single plan in its repository.");
  return runFleet(await readLastFleet(terminal), options, terminal);
}

async function runFleet(plans: readonly FleetPlan[], options: FleetRunOptions, terminal: Terminal): Promise<ExitCode> {
  const address = redisAddress(terminal);
  const answers =
    address === undefined
      ? await planHere(plans, options, terminal)
      : await planByWorkers(plans, address, options, terminal);
  return reviewFleet(plans, answers, options, terminal);
}

/** The milliseconds to wait for cleaning up before the end. */
const cleanUpMs = 5_000;

async function planHere(
  plans: readonly FleetPlan[],
  options: FleetRunOptions,
  terminal: Terminal,
): Promise<FleetAnswers> {
  const queue: PlanJobQueue = new InProcessQueue();
  const stop = new AbortController();
  const storeOf = (root: string) => new FolderPlanStore(plansFolderOf(root, terminal));
  const working = queue.work(
    async (job, parts) => jobAnswerToJson(await runPlanJob(job, { ...parts, storeOf, terminal })),
    { name: "this process", concurrency: options.concurrency ?? 2, signal: stop.signal },
  );
  try {
    return await follow(queue, plans, { options, terminal, onEnded: async () => undefined });
  } finally {
    stop.abort(terminal.signal.reason);
    await working;
  }
}

async function planByWorkers(
  plans: readonly FleetPlan[],
  address: string,
  options: FleetRunOptions,
  terminal: Terminal,
): Promise<FleetAnswers> {
  const print = (message: string) => terminal.err(`${printable(message)}\n`);
  const fleet = await openFleetQueue(address, { onTrouble: print });
  const returned = new Set<FleetPlan>();
  const onEnded = async (plan: FleetPlan) => {
    await returnPlan(plan, fleet.plans, terminal);
    returned.add(plan);
  };
  try {
    for (const plan of plans) await sharePlan(plan, fleet.plans, terminal);
    return await follow(fleet.queue, plans, { options, terminal, onEnded });
  } finally {
    // Plans that were not finished are stored here, so that they can be continued.
    const rest = plans.filter((plan) => !returned.has(plan)).map((plan) => returnPlan(plan, fleet.plans, terminal));
    // An unreachable Redis may stay so, hence the limit.
    await resultWithin(Promise.allSettled(rest), { clock: waitingClock, limitMs: cleanUpMs });
    await fleet[Symbol.asyncDispose]();
  }
}

/** Shares a plan that was begun here with workers, unless one has it already. */
async function sharePlan({ job, repository }: FleetPlan, shared: SharedPlanStore, terminal: Terminal): Promise<void> {
  const stored = await new FolderPlanStore(plansFolderOf(repository.root, terminal)).tryRead(job.id);
  if (stored === undefined || (await shared.tryRead(job.id)) !== undefined) return;
  await shared.writeSetup(job.id, stored.setup);
  await shared.withJournal(job.id, {}, async (journal) => {
    for (const event of stored.events.slice(journal.events.length)) await journal.append(event);
  });
}

/** Moves a plan from its worker to its repository's store, where `emend plan continue` finds it. */
async function returnPlan({ job, repository }: FleetPlan, shared: SharedPlanStore, terminal: Terminal): Promise<void> {
  const store: PlanStore = new FolderPlanStore(plansFolderOf(repository.root, terminal));
  // Taking the journal's lock prevents the worker from appending, so that the journal is final.
  await shared.withJournal(job.id, {}, async ({ events }) => {
    const stored = await shared.tryRead(job.id);
    if (stored === undefined) return;
    await store.writeSetup(job.id, stored.setup);
    await store.withJournal(job.id, {}, async (journal) => {
      for (const event of events.slice(journal.events.length)) await journal.append(event);
    });
  });
  await shared.forget(job.id);
}

interface Following {
  readonly options: FleetRunOptions;
  readonly terminal: Terminal;
  readonly onEnded: (plan: FleetPlan) => Promise<void>;
}

/** Queues the plans, and reports their progress. */
async function follow(
  queue: PlanJobQueue,
  plans: readonly FleetPlan[],
  { options, terminal, onEnded }: Following,
): Promise<FleetAnswers> {
  const byId = new Map(plans.map((plan) => [plan.job.id, plan]));
  const answers = new Map<string, PlanJobAnswer>();
  const watched = { ...terminal, isWatched: terminal.isWatched && !options.json };
  let line = openActivityLine(watched);
  const print = (text: string) => {
    if (options.json) return;
    line[Symbol.dispose]();
    terminal.err(`${styled(printable(text), "dim", terminal.colour)}\n`);
    line = openActivityLine(watched);
  };
  try {
    for await (const event of queue.offer(
      plans.map(({ job }) => job),
      { signal: terminal.signal },
    )) {
      if (event.kind === "trouble") {
        print(event.message);
        continue;
      }
      const plan = byId.get(event.id)!;
      const { name } = plan;
      switch (event.kind) {
        case "job-started":
          print(`${name}: started by ${event.worker}`);
          break;
        case "job-put-back":
          print(`${name}: its worker stopped or disappeared; the next one continues it`);
          break;
        case "job-progressed":
          line.show(`${answers.size} of ${countText(plans.length, "plan")} over; ${name}: ${event.progress.text}`);
          break;
        case "job-over": {
          await onEnded(plan);
          const answer = answerOf(event.outcome);
          answers.set(event.id, answer);
          print(`${name}: ${answer.kind === "planned" ? printPlanEnd(answer.why) : answer.message}`);
        }
      }
    }
  } catch (error) {
    const hint =
      "`emend plan continue --fleet` continues from here; `emend plan continue` in a repository continues its own plan.";
    if (terminal.signal.aborted) throw interrupted(terminal.signal, { hint, cause: error });
    throw error;
  } finally {
    line[Symbol.dispose]();
  }
  return answers;
}

function answerOf(outcome: JobOutcome<string>): PlanJobAnswer {
  if (outcome.kind === "done") return jobAnswerFromJson(outcome.result);
  return { kind: "refused", code: "not-carried-out", message: outcome.message, exitCode: exitCodes.failed };
}

/** The question for each repository. A diff and standard input are read here, once. */
async function questionOf(
  options: FleetOptions,
  terminal: Terminal,
): Promise<{ readonly question: PlanQuestion; readonly input?: string }> {
  // The options about writing are carried along, and are ignored there.
  const { fleet, ...question } = options;
  const { seed, findings } = question;
  const isDiff = seed !== undefined && (await isDiffFile(seed, terminal));
  const isInput = isDiff || /(^|:)-$/.test(findings ?? "");
  if (fleet === "-" && (seed === "-" || (isInput && !isDiff)))
    throw badUsage("The list is read from standard input: the seed must come from a file.");
  if (isDiff) return { question: { ...question, seed: "-" }, input: await readDiffText(seed, terminal) };
  return isInput ? { question, input: await readDiffText("-", terminal) } : { question };
}

/**
 * Stores the plans of a fleet atomically, so that it can be continued after a kill. `fleet` is its
 * name; names sort by time.
 */
async function writeFleetRecord(fleet: string, plans: readonly FleetPlan[], terminal: Terminal): Promise<void> {
  const folder = folderOf(terminal);
  await makeFolder(folder, { mode: 0o700 });
  await replaceFile(join(folder, `${fleet}.json`), JSON.stringify(plans), 0o600);
}

/** The plans of the last fleet. Throws a {@link CommandFailure} where there is none. */
async function readLastFleet(terminal: Terminal): Promise<readonly FleetPlan[]> {
  const folder = folderOf(terminal);
  const names = await readdir(folder).catch((error) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const last = names
    .filter((name) => name.endsWith(".json"))
    .sort()
    .at(-1);
  if (last !== undefined) return JSON.parse(await readFile(join(folder, last), "utf8")) as readonly FleetPlan[];
  const message = "There is no fleet yet: `emend plan --fleet FILE` starts one.";
  throw new CommandFailure("plan-missing", message, { exitCode: exitCodes.notFound });
}

function folderOf(terminal: Terminal): string {
  return join(stateFolderOf(terminal), "fleets");
}
