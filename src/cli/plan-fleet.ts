import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { InProcessQueue, type JobOutcome } from "../plan/index.ts";
import { FolderPlanStore, type PlanStore, type SharedPlanStore } from "../plan/node/index.ts";
import { openActivityLine } from "./activity-line.ts";
import { readDiffText } from "./change-request.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { openFleetQueue, type PlanJobQueue, redisAddress } from "./fleet-queue.ts";
import { readLastFleet, writeFleetRecord } from "./fleet-record.ts";
import { openFleetRepositories } from "./fleet-repositories.ts";
import type { PlanOptions } from "./plan.ts";
import { carryOutPlanJob, jobAnswerFromJson, jobAnswerToJson, type PlanJob, type PlanJobAnswer } from "./plan-job.ts";
import { planNameAt, plansFolderOf } from "./plan-run.ts";
import { isDiffFile } from "./plan-seeds.ts";
import { countText } from "./print-amount.ts";
import { type FleetAnswers, type FleetPlan, reviewFleet } from "./review-fleet.ts";
import type { PlanReviewOptions } from "./review-plan.ts";
import { checkPlanQuestion, type PlanQuestion } from "./set-up-plan.ts";
import { printable, styled, type Terminal } from "./terminal.ts";

/** What may be said on the command line of `emend plan --fleet`. */
export interface FleetOptions extends PlanOptions, FleetRunOptions {
  /** The file that lists the repositories, or `-`. */
  readonly fleet: string;
}

/** How a fleet is carried out. */
export interface FleetRunOptions extends PlanReviewOptions {
  /** How many plans are carried out at once in this process; 2 unless told. */
  readonly concurrency: number | undefined;
}

/**
 * Runs `emend plan --fleet`: the same plan in each of several repositories, by workers on the Redis that `REDIS_URL` names, or in
 * this process. Then shows what each came to, and writes it if wanted, repository by repository.
 */
export async function planFleet(
  instruction: string | undefined,
  options: FleetOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { workspace, fleet: file } = options;
  checkPlanQuestion(instruction, options);
  if (workspace !== undefined) throw usage("Give --fleet or --workspace: the list names the folders.");
  const { question, input } = await questionOf(options, terminal);
  // Others may begin theirs in the same moment, on the same Redis.
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
  return carryOutFleet(plans, options, terminal);
}

/**
 * Runs `emend plan continue --fleet`: goes on with the fleet that was begun last, after a kill or Ctrl-C. What has ended is shown
 * again, and nothing of it is done twice.
 */
export async function continueFleet(
  options: FleetRunOptions & { readonly plan: string | undefined; readonly done: readonly number[] | undefined },
  terminal: Terminal,
): Promise<ExitCode> {
  const { workspace, plan, done } = options;
  if ((workspace ?? plan ?? done) !== undefined)
    throw usage("Give --fleet alone, or go to a repository and go on with its plan there.");
  return carryOutFleet(await readLastFleet(terminal), options, terminal);
}

async function carryOutFleet(
  plans: readonly FleetPlan[],
  options: FleetRunOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const address = redisAddress(terminal);
  const answers =
    address === undefined
      ? await planHere(plans, options, terminal)
      : await planByWorkers(plans, address, options, terminal);
  return reviewFleet(plans, answers, options, terminal);
}

/** How long is waited for what is to be put in order before an end. */
const patienceMs = 5_000;

async function planHere(
  plans: readonly FleetPlan[],
  options: FleetRunOptions,
  terminal: Terminal,
): Promise<FleetAnswers> {
  const queue: PlanJobQueue = new InProcessQueue();
  const stop = new AbortController();
  const storeOf = (root: string) => new FolderPlanStore(plansFolderOf(root, terminal));
  const working = queue.work(
    async (job, parts) => jobAnswerToJson(await carryOutPlanJob(job, { ...parts, storeOf, terminal })),
    { name: "this process", concurrency: options.concurrency ?? 2, signal: stop.signal },
  );
  try {
    return await follow(queue, plans, { options, terminal, onOver: async () => undefined });
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
  const say = (message: string) => terminal.err(`${printable(message)}\n`);
  const fleet = await openFleetQueue(address, { onTrouble: say });
  const atHome = new Set<FleetPlan>();
  const onOver = async (plan: FleetPlan) => {
    await bringHome(plan, fleet.plans, terminal);
    atHome.add(plan);
  };
  try {
    for (const plan of plans) await sendOut(plan, fleet.plans, terminal);
    return await follow(fleet.queue, plans, { options, terminal, onOver });
  } finally {
    // Of those that nobody waits for any more, what was done is here to go on with.
    const rest = plans.filter((plan) => !atHome.has(plan)).map((plan) => bringHome(plan, fleet.plans, terminal));
    // A Redis that is away may not be back for long.
    await Promise.race([Promise.allSettled(rest), wait(patienceMs)]);
    await fleet[Symbol.asyncDispose]();
  }
}

/** Gives a plan that was begun here to workers, unless one of them has it. */
async function sendOut({ job, repository }: FleetPlan, shared: SharedPlanStore, terminal: Terminal): Promise<void> {
  const stored = await new FolderPlanStore(plansFolderOf(repository.root, terminal)).tryRead(job.id);
  if (stored === undefined || (await shared.tryRead(job.id)) !== undefined) return;
  await shared.writeSetup(job.id, stored.setup);
  await shared.withJournal(job.id, {}, async (journal) => {
    for (const event of stored.events.slice(journal.events.length)) await journal.append(event);
  });
}

/** Takes a plan from whoever drives it, and keeps it where `emend plan continue` in its repository finds it. */
async function bringHome({ job, repository }: FleetPlan, shared: SharedPlanStore, terminal: Terminal): Promise<void> {
  const home: PlanStore = new FolderPlanStore(plansFolderOf(repository.root, terminal));
  // Whoever drives it can append nothing from here on: what is read then is all.
  await shared.withJournal(job.id, {}, async ({ events }) => {
    const stored = await shared.tryRead(job.id);
    if (stored === undefined) return;
    await home.writeSetup(job.id, stored.setup);
    await home.withJournal(job.id, {}, async (journal) => {
      for (const event of events.slice(journal.events.length)) await journal.append(event);
    });
  });
  await shared.forget(job.id);
}

interface Following {
  readonly options: FleetRunOptions;
  readonly terminal: Terminal;
  readonly onOver: (plan: FleetPlan) => Promise<void>;
}

/** Offers the plans, and tells a person what becomes of them. */
async function follow(
  queue: PlanJobQueue,
  plans: readonly FleetPlan[],
  { options, terminal, onOver }: Following,
): Promise<FleetAnswers> {
  const byId = new Map(plans.map((plan) => [plan.job.id, plan]));
  const answers = new Map<string, PlanJobAnswer>();
  const watched = { ...terminal, isWatched: terminal.isWatched && !options.json };
  let line = openActivityLine(watched);
  const say = (text: string) => {
    if (options.json) return;
    line.close();
    terminal.err(`${styled(printable(text), "dim", terminal.colour)}\n`);
    line = openActivityLine(watched);
  };
  try {
    for await (const event of queue.offer(
      plans.map(({ job }) => job),
      { signal: terminal.signal },
    )) {
      if (event.kind === "trouble") {
        say(event.message);
        continue;
      }
      const plan = byId.get(event.id)!;
      const { name } = plan;
      switch (event.kind) {
        case "job-started":
          say(`${name}: begun by ${event.worker}`);
          break;
        case "job-put-back":
          say(`${name}: its worker stopped or is gone; the next one goes on with it`);
          break;
        case "job-progressed":
          line.show(`${answers.size} of ${countText(plans.length, "plan")} over; ${name}: ${event.progress.text}`);
          break;
        case "job-over": {
          await onOver(plan);
          const answer = answerOf(event.outcome);
          answers.set(event.id, answer);
          say(`${name}: ${answer.kind === "planned" ? (answer.why ?? "not ended") : answer.message}`);
        }
      }
    }
  } catch (error) {
    if (terminal.signal.aborted && !options.json)
      terminal.err(
        "`emend plan continue --fleet` goes on from here; `emend plan continue` in a repository goes on with its own plan.\n",
      );
    throw error;
  } finally {
    line.close();
  }
  return answers;
}

function answerOf(outcome: JobOutcome<string>): PlanJobAnswer {
  if (outcome.kind === "done") return jobAnswerFromJson(outcome.result);
  return { kind: "refused", code: "not-carried-out", message: outcome.message, exitCode: exitCodes.failed };
}

/** What is asked in each repository: a diff and what comes from standard input are read here, once. */
async function questionOf(
  options: FleetOptions,
  terminal: Terminal,
): Promise<{ readonly question: PlanQuestion; readonly input?: string }> {
  // What is said of writing travels with it, and is not looked at there.
  const { fleet, ...question } = options;
  const { seed, findings } = question;
  const isDiff = seed !== undefined && (await isDiffFile(seed, terminal));
  const isInput = isDiff || /(^|:)-$/.test(findings ?? "");
  if (fleet === "-" && (seed === "-" || (isInput && !isDiff)))
    throw usage("The list is standard input: what the plan begins with must come from a file.");
  if (isDiff) return { question: { ...question, seed: "-" }, input: await readDiffText(seed, terminal) };
  return isInput ? { question, input: await readDiffText("-", terminal) } : { question };
}

function usage(message: string): CommandFailure {
  return new CommandFailure("usage", message, { exitCode: exitCodes.usage });
}
