import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LinkedController, onAbort, raceAbort } from "./abort.ts";

describe("onAbort calls its listener", () => {
  const cases: readonly (readonly [name: string, steps: string, calls: readonly unknown[]])[] = [
    ["when the signal aborts, once", "listen abort abort", ["stop"]],
    ["at once where the signal is aborted already", "abort listen", ["stop"]],
    ["never after the result is disposed of", "listen dispose abort", []],
    ["never where there is no signal", "listen-to-none abort", []],
  ];
  test.each(cases)("%s", (_, steps, calls) => {
    const controller = new AbortController();
    const reasons: unknown[] = [];
    let listener: Disposable | undefined;
    const acts: Readonly<Record<string, () => void>> = {
      listen: () => {
        listener = onAbort(controller.signal, (reason) => reasons.push(reason));
      },
      "listen-to-none": () => {
        listener = onAbort(undefined, (reason) => reasons.push(reason));
      },
      abort: () => controller.abort("stop"),
      dispose: () => listener?.[Symbol.dispose](),
    };
    for (const step of steps.split(" ")) acts[step]!();
    expect(reasons).toEqual(calls);
  });
});

test("raceAbort settles as the first of the work and the abort, and removes its listener", async () => {
  const ends = { resolved: 0, rejected: 0, aborted: 0 };
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.boolean(), fc.boolean(), async (scheduler, fails, aborts) => {
      const controller = new AbortController();
      let first: "resolved" | "rejected" | "aborted" | undefined;
      const work = scheduler.schedule(Promise.resolve()).then(() => {
        first ??= fails ? "rejected" : "resolved";
        if (fails) throw new Error("failed");
        return "done";
      });
      if (aborts)
        void scheduler.schedule(Promise.resolve()).then(() => {
          first ??= "aborted";
          controller.abort(new Error("stop"));
        });
      const end = raceAbort(work, controller.signal).then(
        (value) => ({ resolved: value }),
        (error: Error) => ({ rejected: error.message }),
      );
      await scheduler.waitFor(end);
      const expected = {
        resolved: { resolved: "done" },
        rejected: { rejected: "failed" },
        aborted: { rejected: "stop" },
      };
      expect(await end).toEqual(expected[first!]);
      ends[first!] += 1;
    }),
  );
  expect(Math.min(...Object.values(ends))).toBeGreaterThan(5);
});

test("raceAbort rejects at once where the signal is aborted, and ignores how the work ends", async () => {
  await expect(raceAbort(Promise.reject(new Error("failed")), abortedBy(new Error("stop")))).rejects.toThrow("stop");
  await expect(raceAbort(Promise.resolve(1), undefined)).resolves.toBe(1);
});

describe("a linked controller", () => {
  test.each([0, 1])("aborts with the reason of signal %i of two", (index) => {
    const controllers = [new AbortController(), new AbortController()];
    const linked = new LinkedController(...controllers.map(({ signal }) => signal));
    expect(linked.signal.aborted).toBe(false);
    controllers[index]!.abort(`stop ${index}`);
    controllers[1 - index]!.abort("later");
    expect(linked.signal.reason).toBe(`stop ${index}`);
  });

  test("is aborted from the start by a signal that is aborted already", () => {
    expect(new LinkedController(undefined, abortedBy("stop")).signal.reason).toBe("stop");
  });

  test("does not abort the signals that it follows", () => {
    const controller = new AbortController();
    const linked = new LinkedController(controller.signal);
    linked.abort("own");
    expect([linked.signal.reason, controller.signal.aborted]).toEqual(["own", false]);
  });

  test("follows no signal after it is disposed of", () => {
    const controller = new AbortController();
    const linked = new LinkedController(controller.signal);
    linked[Symbol.dispose]();
    controller.abort("stop");
    expect(linked.signal.aborted).toBe(false);
  });
});

function abortedBy(reason: unknown): AbortSignal {
  const controller = new AbortController();
  controller.abort(reason);
  return controller.signal;
}
