import { hostname } from "node:os";
import type { JobQueue } from "../plan/index.ts";
import { openRedisFleet, type RedisFleet } from "../plan/node/index.ts";
import { exitCodes } from "./exit-codes.ts";
import { CommandFailure, toCommandFailure } from "./failure.ts";
import type { PlanJob, PlanJobProgress } from "./plan-job.ts";
import type { Terminal } from "./terminal.ts";

/** A queue of plans, here or on a Redis. */
export type PlanJobQueue = JobQueue<PlanJob, PlanJobProgress, string>;

/** The Redis that the environment names; `undefined` where it names none. */
export function redisAddress({ environment }: Pick<Terminal, "environment">): string | undefined {
  const address = environment["REDIS_URL"]?.trim();
  return address === "" ? undefined : address;
}

/** Opens the queue on a Redis. Throws a {@link CommandFailure} that says what to do. */
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
        ? " Start it, as with redis-server, or unset REDIS_URL: `emend plan --fleet` then works in this process alone."
        : "";
    throw new CommandFailure(code, `REDIS_URL: ${message}${cure}`, { exitCode: exitCodes.failed, cause: error });
  }
}

/** How a worker on this machine is called by others. */
export function workerName(): string {
  return `${hostname()}-${process.pid}`;
}
