import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { openFleetQueue, redisAddress, workerName } from "./fleet-queue.ts";
import { carryOutPlanJob, jobAnswerToJson, type PlanJob } from "./plan-job.ts";
import { printable, styled, type Terminal } from "./terminal.ts";

/** What may be said on the command line of `emend worker`. */
export interface WorkerOptions {
  /** How many plans at once; 1 unless told. */
  readonly concurrency: number | undefined;
  /** After so many seconds without a word from a worker, its plans are given to others; 60 unless told. */
  readonly takeoverAfter: number | undefined;
}

/** Runs `emend worker`: carries out the plans that `emend plan --fleet` queues on a Redis, until it is stopped. */
export async function worker({ concurrency = 1, takeoverAfter }: WorkerOptions, terminal: Terminal): Promise<ExitCode> {
  const address = redisAddress(terminal);
  if (address === undefined) {
    const message =
      "Set REDIS_URL to the Redis on which plans are queued, such as redis://localhost:6379. Without one no worker is needed: `emend plan --fleet` works alone.";
    throw new CommandFailure("no-redis", message, { exitCode: exitCodes.usage });
  }
  const say = (text: string) => terminal.err(`${styled(printable(text), "dim", terminal.colour)}\n`);
  const silentMs = takeoverAfter === undefined ? {} : { silentMs: takeoverAfter * 1000 };
  const fleet = await openFleetQueue(address, { ...silentMs, onTrouble: say });
  const name = workerName();
  const { signal } = terminal;
  try {
    say(`${name} waits for plans. Ctrl-C stops it.`);
    await fleet.queue.work(
      async (job, { tell, signal: run }) => {
        say(`${sayJob(job)}: begun`);
        try {
          const parts = { storeOf: () => fleet.plans, tell, signal: run, terminal };
          const answer = await carryOutPlanJob(job, parts);
          say(`${sayJob(job)}: ${answer.kind === "planned" ? (answer.why ?? "not ended") : answer.message}`);
          return jobAnswerToJson(answer);
        } catch (error) {
          const why = signal.aborted ? "put back for another worker" : error instanceof Error ? error.message : error;
          say(`${sayJob(job)}: ${why}`);
          throw error;
        }
      },
      { name, concurrency, signal, onTrouble: say },
    );
    signal.throwIfAborted();
    return exitCodes.done;
  } finally {
    await fleet[Symbol.asyncDispose]();
  }
}

function sayJob({ id, repository }: PlanJob): string {
  return `${repository.root} (${id})`;
}
