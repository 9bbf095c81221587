import type { JobQueue, QueuedJob } from "../../fleet/job-queue.ts";
import type { PlanStore } from "../plan-store.ts";
import { BullJobQueue } from "./bull-job-queue.ts";
import { openRedis } from "./open-redis.ts";
import { RedisPlanStore } from "./redis-plan-store.ts";

/** A queue of plans for workers on any machine, and where they keep them. */
export interface RedisFleet<Job extends QueuedJob, Told, Result> extends AsyncDisposable {
  readonly queue: JobQueue<Job, Told, Result>;
  readonly plans: SharedPlanStore;
}

/** Plans that other machines see too, as long as a queue has them. */
export interface SharedPlanStore extends PlanStore {
  /** Forgets a plan. Who drives it can append nothing any more. */
  forget(plan: string): Promise<void>;
}

/** How it is opened. */
export interface RedisFleetOptions {
  /** After so many milliseconds without a word a worker is thought gone, and its jobs are given to others; a minute unless told. */
  readonly silentMs?: number | undefined;
  /** Is told when the Redis goes away, and when it is back. */
  readonly onTrouble: (message: string) => void;
}

const prefix = "emend";

/**
 * Opens the queue in the Redis at an address. Rejects with `EmendError` `redis-address` where that is none, and `redis-missing`
 * where no Redis answers there.
 */
export async function openRedisFleet<Job extends QueuedJob, Told, Result>(
  address: string,
  { silentMs, onTrouble }: RedisFleetOptions,
): Promise<RedisFleet<Job, Told, Result>> {
  const redis = await openRedis(address, { onTrouble });
  const options = { redis, prefix, ...(silentMs !== undefined && { silentMs }) };
  try {
    const queue = await BullJobQueue.open<Job, Told, Result>(options);
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
