import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import { obeysJobQueueLaws, type TestQueue } from "../../fleet/job-queue.laws.ts";
import { hasRedisServer, type RedisServer, startRedis } from "../fixtures/redis-server.ts";
import { BullJobQueue } from "./bull-job-queue.ts";
import { openRedis } from "./open-redis.ts";

describe.runIf(hasRedisServer())("on a Redis", () => {
  let server: RedisServer;
  let prefix = "";
  let count = 0;
  beforeAll(async () => {
    server = await startRedis();
  });
  beforeEach(() => {
    count += 1;
    prefix = `test-${count}`;
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** A queue with a connection of its own, as in a process of its own. */
  async function open(): Promise<TestQueue> {
    const redis = await openRedis(server.address, { onTrouble: () => undefined });
    const queue = await BullJobQueue.open<never, string, string>({ redis, prefix, silentMs: 2_000 });
    return {
      offer: (jobs, options) => queue.offer(jobs as never, options),
      work: (carryOut, options) => queue.work(carryOut as never, options),
      async [Symbol.asyncDispose]() {
        await queue[Symbol.asyncDispose]();
        redis.disconnect();
      },
    };
  }

  obeysJobQueueLaws("a queue in Redis", open);
});
