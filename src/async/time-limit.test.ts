import { describe, expect, test } from "vitest";
import type { Clock } from "./clock.ts";
import { pause, resultWithin, runWithTimeout, withTimeout } from "./time-limit.ts";

/** A clock whose timers fire when the test calls `fire`, and a signal that counts its listeners. */
function bench() {
  const tasks = new Set<() => void>();
  const clock: Clock = {
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
    fire: () => {
      for (const task of [...tasks]) {
        tasks.delete(task);
        task();
      }
    },
  };
}

const late = () => new Error("late");

function outcome(work: Promise<unknown>): Promise<string> {
  return work.then(
    (value) => `got ${value}`,
    (error: unknown) => `threw ${error instanceof Error ? error.message : error}`,
  );
}

describe("a wait with a time limit ends", () => {
  const cases: readonly (readonly [
    string,
    string,
    (b: ReturnType<typeof bench>, done: (value: string) => void) => void,
  ])[] = [
    ["with the result of the work", "got it", (_, done) => done("it")],
    ["when the time is over", "threw late", ({ fire }) => fire()],
    ["when the signal aborts", "threw enough", ({ abort }) => abort.abort(new Error("enough"))],
    [
      "once, also where the timer fires and the signal aborts later",
      "got it",
      ({ fire, abort }, done) => {
        done("it");
        queueMicrotask(() => {
          fire();
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
      const waiting = outcome(withTimeout(work, { clock: b.clock, limitMs: 1, signal: b.signal, late }));
      act(b, done);
      expect(await waiting).toBe(end);
      expect([b.tasks.size, b.listeners()]).toEqual([0, 0]);
    });

    test(`${name}; the signal of the work is aborted then`, async () => {
      const b = bench();
      let done: (value: string) => void = () => {};
      let given: AbortSignal | undefined;
      const work = (signal: AbortSignal) => {
        given = signal;
        return new Promise<string>((resolve) => {
          done = resolve;
        });
      };
      const waiting = outcome(runWithTimeout(work, { clock: b.clock, limitMs: 1, signal: b.signal, late }));
      expect(given?.aborted).toBe(false);
      act(b, (value) => done(value));
      expect(await waiting).toBe(end);
      expect([given?.aborted, b.tasks.size, b.listeners()]).toEqual([true, 0, 0]);
    });
  }

  test("at once if the signal has already aborted", async () => {
    const b = bench();
    b.abort.abort("no");
    expect(await outcome(withTimeout(Promise.reject(new Error("broken")), { ...b, limitMs: 1, late }))).toBe(
      "threw no",
    );
    expect(await outcome(pause(1, b))).toBe("threw no");
    expect(b.tasks.size).toBe(0);
  });

  test("a pause ends after its time or at an abort, and leaves no timer", async () => {
    const b = bench();
    const first = outcome(pause(1, b));
    b.fire();
    expect(await first).toBe("got undefined");
    const second = outcome(pause(1, b));
    b.abort.abort("no");
    expect(await second).toBe("threw no");
    expect(b.tasks.size).toBe(0);
  });
});

describe("resultWithin", () => {
  const cases: readonly (readonly [string, string, (b: ReturnType<typeof bench>) => Promise<string>])[] = [
    ["resolves as the work does", "got it", () => Promise.resolve("it")],
    ["rejects as the work does", "threw broken", () => Promise.reject(new Error("broken"))],
    [
      "resolves to undefined when the time is over, whatever the work does later",
      "got undefined",
      ({ fire }) =>
        new Promise((_, reject) =>
          queueMicrotask(() => {
            fire();
            reject(new Error("broken"));
          }),
        ),
    ],
  ];
  test.each(cases)("%s", async (_, end, start) => {
    const b = bench();
    expect(await outcome(resultWithin(start(b), { clock: b.clock, limitMs: 1 }))).toBe(end);
    expect(b.tasks.size).toBe(0);
  });
});
