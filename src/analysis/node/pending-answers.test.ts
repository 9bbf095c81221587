import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { PendingAnswers } from "./pending-answers.ts";

function withResolvers() {
  let resolve!: (value: number) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<number>((done, failed) => {
    [resolve, reject] = [done, failed];
  });
  return { promise, resolve, reject };
}

/**
 * The number of listeners of a signal while so many requests wait under it, and after they have
 * settled in the named way.
 */
async function listeners(count: number, settle: "answer" | "fail" | "abort" | "end"): Promise<string> {
  const stop = new AbortController();
  // The types of Node and of the web differ here.
  const target = stop.signal as unknown as EventTarget;
  const pending = new PendingAnswers({ name: "It", code: "it" }, 60_000);
  const works = Array.from({ length: count }, () => withResolvers());
  const waits = works.map(({ promise }) => pending.wait(promise, stop.signal));
  const during = getEventListeners(target, "abort").length;
  if (settle === "answer") for (const [at, work] of works.entries()) work.resolve(at);
  if (settle === "fail") for (const work of works) work.reject(new Error("failed"));
  if (settle === "abort") stop.abort(new Error("stopped"));
  if (settle === "end") pending.failAll(new Error("ended"));
  const settled = await Promise.allSettled(waits);
  const ends = new Set(settled.map((one) => (one.status === "fulfilled" ? "answered" : String(one.reason.message))));
  return `${during} while waiting, ${getEventListeners(target, "abort").length} after: ${[...ends]}`;
}

describe("row 41: many requests under one signal", () => {
  const cases = [
    [1, "answer", "answered"],
    [11, "answer", "answered"],
    [500, "answer", "answered"],
    [40, "fail", "It could not answer: failed."],
    [40, "abort", "stopped"],
    [40, "end", "ended"],
  ] as const;
  for (const [count, settle, end] of cases) {
    test(`row 41: ${count} requests with ${settle} add one listener, and none remains`, async () => {
      expect(await listeners(count, settle)).toBe(`1 while waiting, 0 after: ${end}`);
    });
  }
});
