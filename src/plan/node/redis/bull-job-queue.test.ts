import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { obeysJobQueueLaws, type TestJob, type TestQueue } from "../../fleet/job-queue.laws.ts";
import { hasRedisServer, type RedisServer, startRedis } from "../fixtures/redis-server.ts";
import { BullJobQueue } from "./bull-job-queue.ts";
import { openRedis } from "./redis-connection.ts";

describe.runIf(hasRedisServer())("BullJobQueue", () => {
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

  /** A queue with its own connection, as in its own process. */
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

  test("after a restart of Redis, running jobs end, waiting jobs run, and no job ends twice", async () => {
    const troubles: string[] = [];
    const redis = await openRedis(server.address, { onTrouble: (message) => troubles.push(message) });
    const queue = await BullJobQueue.open<TestJob, string, string>({ redis, prefix, silentMs: 10_000 });
    const stop = new AbortController();
    const begun: string[] = [];
    const working = queue.work(
      async ({ word }) => {
        begun.push(word);
        if (word === "first") await server.restart();
        return word;
      },
      { name: "w", concurrency: 1, signal: stop.signal },
    );
    const jobs = ["first", "second"].map((word) => ({ id: word, word }));
    const ended: string[] = [];
    for await (const event of queue.offer(jobs, {}))
      if (event.kind === "job-over") ended.push(`${event.id} ${event.outcome.kind}`);
    expect([begun, ended]).toEqual([
      ["first", "second"],
      ["first done", "second done"],
    ]);
    expect(troubles).toEqual([
      expect.stringMatching(/^Redis at .* is gone\. Waiting for the connection\.$/),
      expect.stringMatching(/^Redis at .* is back\.$/),
    ]);
    stop.abort();
    await working;
    await queue[Symbol.asyncDispose]();
    redis.disconnect();
  });
});
