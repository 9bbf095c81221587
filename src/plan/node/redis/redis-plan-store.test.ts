import type { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { hasRedisServer, type RedisServer, startRedis } from "../fixtures/redis-server.ts";
import { drive, obeysPlanStoreLaws, resumed, setup } from "../plan-store.laws.ts";
import { openRedis } from "./redis-connection.ts";
import { RedisPlanStore } from "./redis-plan-store.ts";

describe.runIf(hasRedisServer())("RedisPlanStore", () => {
  let server: RedisServer;
  let count = 0;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  async function connect(): Promise<Redis> {
    const redis = await openRedis(server.address, { onTrouble: () => undefined });
    onTestFinished(() => redis.disconnect());
    return redis;
  }
  const open = async () => new RedisPlanStore(await connect(), `test-${++count}`);

  obeysPlanStoreLaws("plans in Redis", open);

  test("rejects events of a process that was believed gone once another one runs the plan", async () => {
    const store = await open();
    await store.writeSetup("p", setup);
    await drive(store, "p", async (first) => {
      await first.append(resumed(1));
      await drive(store, "p", async (second) => {
        expect(second.events).toEqual([resumed(1)]);
        await expect(first.append(resumed(9))).rejects.toMatchObject({ code: "plan-taken-over" });
        await second.append(resumed(2));
      });
      await expect(first.append(resumed(9))).rejects.toMatchObject({ code: "plan-taken-over" });
    });
    expect((await store.tryRead("p"))?.events).toEqual([resumed(1), resumed(2)]);
  });

  test("deletes a forgotten plan and rejects later events of it", async () => {
    const store = await open();
    await store.writeSetup("p", setup);
    await drive(store, "p", async (journal) => {
      await journal.append(resumed(1));
      await store.forget("p");
      await expect(journal.append(resumed(2))).rejects.toMatchObject({ code: "plan-taken-over" });
    });
    expect(await store.tryRead("p")).toBeUndefined();
  });

  test("appends an event once when it is sent again after a broken connection", async () => {
    const redis = await connect();
    const send = redis.eval.bind(redis) as (...args: unknown[]) => Promise<unknown>;
    Object.assign(redis, { eval: (...args: unknown[]) => send(...args).then(() => send(...args)) });
    const store = new RedisPlanStore(redis, `test-${++count}`);
    await store.writeSetup("p", setup);
    await drive(store, "p", async (journal) => {
      await journal.append(resumed(1));
      await journal.append(resumed(1));
    });
    expect((await store.tryRead("p"))?.events).toEqual([resumed(1), resumed(1)]);
  });

  test("keeps appended events over a restart of Redis", async () => {
    const store = await open();
    await store.writeSetup("p", setup);
    await drive(store, "p", async (journal) => {
      await journal.append(resumed(1));
      await server.restart();
      await journal.append(resumed(2));
    });
    expect((await store.tryRead("p"))?.events).toEqual([resumed(1), resumed(2)]);
  });

  test("openRedis rejects an address without Redis and an invalid one", async () => {
    const onTrouble = () => undefined;
    const missing = openRedis("redis://me:secret@127.0.0.1:1", { onTrouble });
    await expect(missing).rejects.toMatchObject({
      code: "redis-missing",
      message: expect.stringMatching(/^There is no Redis at redis:\/\/127\.0\.0\.1:1 \(.*ECONNREFUSED.*\)\.$/),
    });
    await expect(openRedis(`${server.address}-not`, { onTrouble })).rejects.toMatchObject({ code: "redis-missing" });
    await expect(openRedis("localhost", { onTrouble })).rejects.toMatchObject({ code: "redis-address" });
  });
});
