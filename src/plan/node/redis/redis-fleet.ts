import type { Redis } from "ioredis";
import { EmendError } from "../../../text/index.ts";
import type { JobQueue, QueuedJob } from "../../fleet/job-queue.ts";
import type { PlanStore } from "../plan-store.ts";
import { BullJobQueue } from "./bull-job-queue.ts";
import { RedisPlanStore } from "./redis-plan-store.ts";

/** A queue of plans for workers on any machine, and the store of these plans. */
export interface RedisFleet<Job extends QueuedJob, ProgressValue, Result> extends AsyncDisposable {
  readonly queue: JobQueue<Job, ProgressValue, Result>;
  readonly plans: SharedPlanStore;
}

/** Stores plans that other machines can read, as long as they are in a queue. */
export interface SharedPlanStore extends PlanStore {
  /** Deletes a plan. A process that is running it can no longer append events. */
  forget(plan: string): Promise<void>;
}

/** The options of {@link openRedisFleet}. */
export interface RedisFleetOptions {
  /**
   * A worker that is silent for this time, in milliseconds, counts as gone, and its jobs are given
   * to others; default: one minute.
   */
  readonly silentMs?: number | undefined;
  /** Called when Redis goes away and when it is back. */
  readonly onTrouble: (message: string) => void;
}

const prefix = "emend";

/**
 * Opens the queue in the Redis at an address: `redis://…`, `rediss://…` or the path of a socket. A
 * worker that is silent for `silentMs` counts as gone; `onTrouble` is called with a message when
 * the connection is lost and when it is back. Rejects with `EmendError` `redis-address` when the
 * address is invalid, and `redis-missing` when no Redis answers. It also rejects when the version
 * of Redis is too old.
 */
export async function openRedisFleet<Job extends QueuedJob, ProgressValue, Result>(
  address: string,
  { silentMs, onTrouble }: RedisFleetOptions,
): Promise<RedisFleet<Job, ProgressValue, Result>> {
  const redis = await openRedis(address, { onTrouble });
  const options = { redis, prefix, ...(silentMs !== undefined && { silentMs }) };
  try {
    const queue = await BullJobQueue.open<Job, ProgressValue, Result>(options);
    return {
      ...{ queue, plans: new RedisPlanStore(redis, prefix) },
      async [Symbol.asyncDispose]() {
        await queue[Symbol.asyncDispose]();
        redis.disconnect();
      },
    };
  } catch (error) {
    redis.disconnect();
    throw error;
  }
}

/** The timeout of the first connection, in milliseconds. */
const connectTimeoutMs = 5_000;
/** The longest pause between two attempts to reconnect, in milliseconds. */
const retryMs = 2_000;

/**
 * Connects to the Redis at an address: `redis://HOST:PORT`, `rediss://…` or the path of a socket.
 *
 * Rejects with `EmendError` `redis-address` when the address is invalid, and `redis-missing` when
 * no Redis answers. When the connection is lost later, it is restored; `onTrouble` is called once
 * when it is lost and once when it is back.
 */
export async function openRedis(
  address: string,
  { onTrouble }: { readonly onTrouble: (message: string) => void },
): Promise<Redis> {
  if (!/^(rediss?:\/\/|unix:\/\/|\/)./.test(address)) {
    const message = `${JSON.stringify(address)} is no address of a Redis server. Write redis://HOST:PORT, rediss://HOST:PORT, or the path of its socket.`;
    throw new EmendError("redis-address", message);
  }
  // ioredis takes longer to load than most commands to run.
  const { Redis } = await import("ioredis");
  let isOpen = false;
  let isAway = false;
  let why = "it does not answer";
  const redis = new Redis(address, {
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    // Waiting for a job has no limit.
    maxRetriesPerRequest: null,
    retryStrategy: (times) => (isOpen ? Math.min(100 * times, retryMs) : null),
  });
  redis.on("error", (error: Error) => {
    why = error.message || why;
  });
  redis.on("close", () => {
    if (!isOpen || isAway || redis.status === "end") return;
    isAway = true;
    onTrouble(`Redis at ${withoutPassword(address)} is gone. Waiting for the connection.`);
  });
  redis.on("ready", () => {
    if (isAway) onTrouble(`Redis at ${withoutPassword(address)} is back.`);
    isAway = false;
  });
  try {
    await redis.connect();
  } catch (error) {
    redis.disconnect();
    const message = `There is no Redis at ${withoutPassword(address)} (${why.split("\n")[0]}).`;
    throw new EmendError("redis-missing", message, { cause: error });
  }
  isOpen = true;
  return redis;
}

/** An address without its password. */
function withoutPassword(address: string): string {
  return address.replace(/^([a-z]+:\/\/)[^/]*@/, "$1");
}
