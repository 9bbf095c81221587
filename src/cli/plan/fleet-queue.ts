import { hostname } from "node:os";
import type { JobQueue } from "../../plan/index.ts";
import { openRedisFleet, type RedisFleet } from "../../plan/node/index.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure, toCommandFailure } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { PlanJob, PlanJobProgress } from "./plan-job.ts";

/** A queue of plans, in this process or on Redis. */
export type PlanJobQueue = JobQueue<PlanJob, PlanJobProgress, string>;

/**
 * The environment's `REDIS_URL` without white space around it; `undefined` where it is not set or
 * empty.
 */
export function redisAddress({ environment }: Pick<Terminal, "environment">): string | undefined {
  const address = environment["REDIS_URL"]?.trim();
  return address === "" ? undefined : address;
}

/**
 * Opens the queue of plans on Redis, and the store of these plans; the caller has to dispose of the
 * result. The options are those of {@link openRedisFleet}.
 *
 * Throws a {@link CommandFailure} where the address is invalid or no Redis answers, with what to
 * do.
 */
export async function openFleetQueue(
  address: string,
  options: { readonly silentMs?: number; readonly onTrouble: (message: string) => void },
): Promise<RedisFleet<PlanJob, PlanJobProgress, string>> {
  try {
    return await openRedisFleet<PlanJob, PlanJobProgress, string>(address, options);
  } catch (error) {
    const { code, message } = toCommandFailure(error);
    const cure =
      code === "redis-missing"
        ? " Start it, as with redis-server, or unset REDIS_URL: `emend plan --fleet` then runs in this process only."
        : "";
    throw new CommandFailure(code, `REDIS_URL: ${message}${cure}`, { exitCode: exitCodes.failed, cause: error });
  }
}

/** The name of a worker in this process, for others: the host's name and the process id. */
export function workerName(): string {
  return `${hostname()}-${process.pid}`;
}
