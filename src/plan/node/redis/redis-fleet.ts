import type { JobQueue, QueuedJob } from "../../fleet/job-queue.ts";
import type { PlanStore } from "../plan-store.ts";
import { BullJobQueue } from "./bull-job-queue.ts";
import { openRedis } from "./redis-connection.ts";
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
 * address is invalid, `redis-packages` when `bullmq` or `ioredis` is not installed, and
 * `redis-missing` when no Redis answers. It also rejects when the version of Redis is too old.
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
