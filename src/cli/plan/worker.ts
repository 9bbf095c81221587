import { printPlanEnd } from "../../plan/index.ts";
import { errorMessage } from "../../text/index.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { printable, styled, type Terminal } from "../terminal/terminal.ts";
import { openFleetQueue, redisAddress, workerName } from "./fleet-queue.ts";
import { jobAnswerToJson, type PlanJob, runPlanJob } from "./plan-job.ts";

/** The options of `emend worker`. */
export interface WorkerOptions {
  /** The number of plans at once; 1 by default. */
  readonly concurrency: number | undefined;
  /**
   * The seconds without a message from a worker after which its plans go to others; 60 by default.
   */
  readonly takeoverAfter: number | undefined;
}

/**
 * Runs `emend worker`: runs the plans that `emend plan --fleet` queues on Redis, until it is
 * stopped. A plan that fails is printed and does not end the worker.
 *
 * Throws a {@link CommandFailure} with code `no-redis` where `REDIS_URL` is not set, and where
 * Redis cannot be reached. Rejects with the signal's reason on abort.
 */
export async function worker({ concurrency = 1, takeoverAfter }: WorkerOptions, terminal: Terminal): Promise<ExitCode> {
  const address = redisAddress(terminal);
  if (address === undefined) {
    const message =
      "Set REDIS_URL to the Redis on which plans are queued, such as redis://localhost:6379. Without Redis no worker is needed: `emend plan --fleet` runs the plans itself.";
    throw new CommandFailure("no-redis", message, { exitCode: exitCodes.usage });
  }
  const print = (text: string) => terminal.err(`${styled(printable(text), "dim", terminal.colour)}\n`);
  const silentMs = takeoverAfter === undefined ? {} : { silentMs: takeoverAfter * 1000 };
  await using fleet = await openFleetQueue(address, { ...silentMs, onTrouble: print });
  const name = workerName();
  const { signal } = terminal;
  print(`${name} is waiting for plans. Stop with Ctrl-C.`);
  await fleet.queue.work(
    async (job, { report, signal: run }) => {
      print(`${printJob(job)}: started`);
      try {
        const parts = { storeOf: () => fleet.plans, report, signal: run, terminal };
        const answer = await runPlanJob(job, parts);
        print(`${printJob(job)}: ${answer.kind === "planned" ? printPlanEnd(answer.why) : answer.message}`);
        return jobAnswerToJson(answer);
      } catch (error) {
        const why = signal.aborted ? "put back for another worker" : errorMessage(error);
        print(`${printJob(job)}: ${why}`);
        throw error;
      }
    },
    { name, concurrency, signal, onTrouble: print },
  );
  signal.throwIfAborted();
  return exitCodes.done;
}

function printJob({ id, repository }: PlanJob): string {
  return `${repository.root} (${id})`;
}
