import { describe, expect, test } from "vitest";
import type { ModelClock } from "../model-host.ts";
import { pause, waitFor } from "./wait-for.ts";

/** A clock that strikes when the test says so, and the signal of somebody who may lose patience. */
function bench() {
  const tasks = new Set<() => void>();
  const clock: ModelClock = {
    now: () => 0,
    after(_delayMs, task) {
      tasks.add(task);
      return { [Symbol.dispose]: () => void tasks.delete(task) };
    },
  };
  const abort = new AbortController();
  let listeners = 0;
  const { signal } = abort;
  const counted = new Proxy(signal, {
    get(target, key) {
      if (key === "addEventListener") listeners += 1;
      if (key === "removeEventListener") listeners -= 1;
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return {
    ...{ abort, clock, signal: counted, tasks },
    listeners: () => listeners,
    strike: () => {
      for (const task of [...tasks]) {
        tasks.delete(task);
        task();
      }
    },
  };
}

const late = () => new Error("late");

describe("waiting for a part of an answer ends", () => {
  const outcome = (work: Promise<unknown>) =>
    work.then(
      (value) => `got ${value}`,
      (error: unknown) => `threw ${error instanceof Error ? error.message : error}`,
    );
  const cases: readonly (readonly [
    string,
    string,
    (b: ReturnType<typeof bench>, done: (value: string) => void) => void,
  ])[] = [
    ["with the answer", "got it", (_, done) => done("it")],
    ["when the time is over", "threw late", ({ strike }) => strike()],
    ["when the signal says so", "threw enough", ({ abort }) => abort.abort(new Error("enough"))],
    [
      "once, whatever comes later",
      "got it",
      ({ strike, abort }, done) => {
        done("it");
        queueMicrotask(() => {
          strike();
          abort.abort(new Error("enough"));
        });
      },
    ],
  ];
  for (const [name, end, act] of cases) {
    test(name, async () => {
      const b = bench();
      let done: (value: string) => void = () => {};
      const work = new Promise<string>((resolve) => {
        done = resolve;
      });
      const waiting = outcome(waitFor(work, { clock: b.clock, limitMs: 1, signal: b.signal, late }));
      act(b, done);
      expect(await waiting).toBe(end);
      expect([b.tasks.size, b.listeners()]).toEqual([0, 0]);
    });
  }

  test("at once if the signal has already aborted", async () => {
    const b = bench();
    b.abort.abort("no");
    expect(await outcome(waitFor(Promise.reject(new Error("broken")), { ...b, limitMs: 1, late }))).toBe("threw no");
    expect(await outcome(pause(1, b))).toBe("threw no");
    expect(b.tasks.size).toBe(0);
  });

  test("a pause ends after its time or at an abort, and leaves no timer", async () => {
    const b = bench();
    const first = outcome(pause(1, b));
    b.strike();
    expect(await first).toBe("got undefined");
    const second = outcome(pause(1, b));
    b.abort.abort("no");
    expect(await second).toBe("threw no");
    expect(b.tasks.size).toBe(0);
  });
});
