import { describe, expect, onTestFinished, test } from "vitest";
import { raceAbort } from "../../async/index.ts";
import type { CarryOut, JobEvent, JobQueue, QueuedJob, WorkOptions } from "./job-queue.ts";

/** A job of the tests; `word` is its content. */
export interface TestJob extends QueuedJob {
  readonly word: string;
}

/** The queue under test. */
export type TestQueue = JobQueue<TestJob, string, string>;

/**
 * The contract suite of {@link JobQueue}. Each call of `open` returns another queue over the same
 * jobs, as in another process.
 */
export function obeysJobQueueLaws(name: string, open: () => Promise<TestQueue>): void {
  /** Runs a worker until the end of the test, or until `stop` is aborted. */
  function work(queue: TestQueue, carryOut: CarryOut<TestJob, string, string>, options: Partial<WorkOptions> = {}) {
    const stop = new AbortController();
    const over = queue.work(carryOut, { name: "w", concurrency: 2, signal: stop.signal, ...options });
    onTestFinished(async () => {
      stop.abort(new Error("the test is over"));
      await over;
      await queue[Symbol.asyncDispose]();
    });
    return { stop, over };
  }

  async function offering(): Promise<TestQueue> {
    const queue = await open();
    onTestFinished(() => queue[Symbol.asyncDispose]());
    return queue;
  }

  const jobs = (...words: readonly string[]): readonly TestJob[] =>
    words.map((word, index) => ({ id: `job-${index + 1}`, word }));

  /** An event in words: `1 started w`. */
  function print(event: JobEvent<string, string>): string {
    if (event.kind === "trouble") return `trouble: ${event.message}`;
    const number = event.id.slice(4);
    switch (event.kind) {
      case "job-started":
        return `${number} started ${event.worker}`;
      case "job-progressed":
        return `${number} says ${event.progress}`;
      case "job-put-back":
        return `${number} put back`;
      case "job-over":
        return `${number} ${event.outcome.kind}: ${event.outcome.kind === "done" ? event.outcome.result : event.outcome.message}`;
    }
  }

  async function eventsOf(
    queue: TestQueue,
    offered: readonly TestJob[],
    onEvent: (row: string) => void = () => undefined,
  ) {
    const rows: string[] = [];
    for await (const event of queue.offer(offered, {})) {
      if (event.kind === "trouble") continue;
      rows.push(print(event));
      onEvent(rows.at(-1)!);
    }
    return rows;
  }
  const of = (rows: readonly string[], number: number) => rows.filter((row) => row.startsWith(`${number} `));

  const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

  describe(name, () => {
    test("each job is started, reports progress and ends once, with its result unchanged", async () => {
      const queue = await offering();
      work(await open(), async ({ word }, { report }) => {
        report("half");
        return `${word}!`;
      });
      const rows = await eventsOf(queue, jobs("ä", "b\u0000b", "c"));
      expect(rows).toHaveLength(9);
      expect(of(rows, 1)).toEqual(["1 started w", "1 says half", "1 done: ä!"]);
      expect(of(rows, 2)).toEqual(["2 started w", "2 says half", "2 done: b\u0000b!"]);
      expect(of(rows, 3)).toEqual(["3 started w", "3 says half", "3 done: c!"]);
    });

    test("an offer without jobs ends at once", async () => {
      expect(await eventsOf(await offering(), [])).toEqual([]);
    });

    test("jobs wait until there is a worker", async () => {
      const queue = await offering();
      const pending = eventsOf(queue, jobs("a"));
      await wait(50);
      work(await open(), async () => "done");
      expect(await pending).toEqual(["1 started w", "1 done: done"]);
    });

    test("a job that rejects has failed with its message and is not tried again", async () => {
      let tries = 0;
      work(await open(), async ({ word }) => {
        tries += 1;
        if (word === "bad") throw new Error("It cannot be done.");
        return word;
      });
      const rows = await eventsOf(await offering(), jobs("bad", "good"));
      expect(of(rows, 1)).toEqual(["1 started w", "1 failed: It cannot be done."]);
      expect(of(rows, 2)).toEqual(["2 started w", "2 done: good"]);
      expect(tries).toBe(2);
    });

    test("a worker runs at most the configured number of jobs at the same time", async () => {
      let running = 0;
      let most = 0;
      const carryOut = async () => {
        running += 1;
        most = Math.max(most, running);
        await wait(20);
        running -= 1;
        return "";
      };
      work(await open(), carryOut, { concurrency: 3 });
      await eventsOf(await offering(), jobs(..."abcdefghij"));
      expect(most).toBe(3);
    });

    test("a worker that stops puts its job back, and another starts it again", async () => {
      const first = work(await open(), async ({ word }, { signal }) => (word === "slow" ? untilAbort(signal) : word), {
        name: "first",
      });
      const other = await open();
      const rows = await eventsOf(await offering(), jobs("slow"), (row) => {
        if (row === "1 started first") first.stop.abort(new Error("I stop."));
        if (row === "1 put back") work(other, async () => "at last", { name: "second" });
      });
      await first.over;
      expect(rows).toEqual(["1 started first", "1 put back", "1 started second", "1 done: at last"]);
    });

    test("an aborted offer rejects with the reason, workers are stopped by their signal, and no other job starts", async () => {
      const begun: string[] = [];
      const stopped: unknown[] = [];
      const queue = await open();
      work(
        queue,
        async ({ word }, { signal }) => {
          begun.push(word);
          await untilAbort(signal).catch((error) => stopped.push(error));
          throw signal.reason;
        },
        { concurrency: 1 },
      );
      const leaving = new AbortController();
      const reason = new Error("I leave.");
      const offered = (await offering()).offer(jobs("a", "b"), { signal: leaving.signal });
      const reading = (async () => {
        for await (const event of offered) if (event.kind === "job-started") leaving.abort(reason);
      })();
      await expect(reading).rejects.toBe(reason);
      await expect.poll(() => stopped.length, { timeout: 10_000 }).toBe(1);
      // A job that is offered later is carried out: earlier ones do not block it.
      const later = [{ id: "later", word: "c" }];
      const again = new AbortController();
      for await (const event of (await offering()).offer(later, { signal: again.signal })) {
        if (event.kind === "job-started") break;
      }
      expect(begun).toEqual(["a", "c"]);
    });

    test("leaving the events early cancels the jobs", async () => {
      let isStopped = false;
      work(await open(), async (_, { signal }) => {
        await untilAbort(signal).catch(() => {
          isStopped = true;
        });
        throw signal.reason;
      });
      for await (const event of (await offering()).offer(jobs("a"), {})) if (event.kind === "job-started") break;
      await expect.poll(() => isStopped, { timeout: 10_000 }).toBe(true);
    });

    test("a cancelled or failed job can be offered again and starts again", async () => {
      let tries = 0;
      work(await open(), async ({ word }, { signal }) => {
        tries += 1;
        if (tries === 1) await untilAbort(signal);
        if (tries === 2) throw new Error("not yet");
        return word;
      });
      for await (const event of (await offering()).offer(jobs("a"), {})) if (event.kind === "job-started") break;
      expect(await eventsOf(await offering(), jobs("a"))).toEqual(["1 started w", "1 failed: not yet"]);
      expect(await eventsOf(await offering(), jobs("a"))).toEqual(["1 started w", "1 done: a"]);
    });

    test("an offer with an aborted signal offers nothing", async () => {
      const left = new AbortController();
      left.abort(new Error("too late"));
      const { signal } = left;
      await expect((await offering()).offer(jobs("a"), { signal }).next()).rejects.toThrow("too late");
      await (await open()).work(async () => "", { name: "w", concurrency: 1, signal });
    });

    test("two workers share the jobs", async () => {
      const names = ["one", "two"];
      for (const worker of names) {
        work(await open(), async () => wait(30).then(() => ""), { name: worker, concurrency: 1 });
      }
      const rows = await eventsOf(await offering(), jobs(..."abcdef"));
      expect(rows.filter((row) => row.includes("done"))).toHaveLength(6);
      for (const worker of names) expect(rows.some((row) => row.endsWith(`started ${worker}`))).toBe(true);
    });
  });
}

/** Never resolves; rejects with the signal's reason. */
function untilAbort(signal: AbortSignal): Promise<never> {
  return raceAbort(new Promise<never>(() => undefined), signal);
}
