import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { TestJob } from "../../fleet/job-queue.laws.ts";
import type { JobEvent } from "../../fleet/job-queue.ts";
import { hasRedisServer, type RedisServer, startRedis } from "../fixtures/redis-server.ts";
import { openRedisFleet } from "./redis-fleet.ts";

const script = fileURLToPath(new URL("../fixtures/slow-worker.ts", import.meta.url));

describe.runIf(hasRedisServer())("a worker that is silent", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /**
   * A process that takes a job, appends an event to the plan with the job's id, and waits for
   * standard input.
   */
  function startWorker(name: string): ChildProcess & { readonly output: () => string } {
    const child = spawn(process.execPath, ["--import", "tsx", script, server.address, name], { stdio: "pipe" });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    onTestFinished(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    });
    return Object.assign(child, { output: () => output });
  }

  async function offerOne(id: string) {
    const fleet = await openRedisFleet<TestJob, string, string>(server.address, { onTrouble: () => undefined });
    onTestFinished(() => fleet[Symbol.asyncDispose]());
    const events: JobEvent<string, string>[] = [];
    const over = (async () => {
      for await (const event of fleet.queue.offer([{ id, word: "go" }], {}))
        if (event.kind !== "trouble") events.push(event);
      return events.map((event) => ("worker" in event ? `started ${event.worker}` : event.kind));
    })();
    return { over, events, plans: fleet.plans };
  }

  /**
   * Silences the first of two workers with a signal, and waits until the second continues its plan.
   */
  async function silenceFirst(signal: NodeJS.Signals) {
    const id = `plan-${signal}`;
    const first = startWorker("first");
    const { over, plans } = await offerOne(id);
    await expect.poll(first.output, { timeout: 40_000 }).toContain("appended 1\n");
    first.kill(signal);
    const second = startWorker("second");
    await expect.poll(second.output, { timeout: 40_000 }).toContain("appended 2\n");
    const expectSecondEnds = async () => {
      second.stdin?.write("go on\n");
      expect(await over).toEqual(["started first", "job-put-back", "started second", "job-over"]);
      expect((await plans.tryRead(id))?.events).toMatchObject([{ at: 1 }, { at: 2 }]);
    };
    return { first, expectSecondEnds };
  }

  test("because it is killed loses its plan to another, which continues after its last event", async () => {
    const { expectSecondEnds } = await silenceFirst("SIGKILL");
    await expectSecondEnds();
  }, 150_000);

  test("because it is frozen loses its plan to another, also when it is thawed later", async () => {
    const { first, expectSecondEnds } = await silenceFirst("SIGSTOP");
    first.kill("SIGCONT");
    await expect.poll(first.output, { timeout: 40_000 }).toContain("plan-taken-over");
    await expectSecondEnds();
  }, 150_000);
});
