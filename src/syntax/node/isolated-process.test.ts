import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { IsolatedProcess } from "./isolated-process.ts";

let opened: IsolatedProcess<string, string> | undefined;
afterEach(() => opened?.[Symbol.dispose]());

function open(timeoutMs = 20_000): IsolatedProcess<string, string> {
  opened = new IsolatedProcess({ module: new URL("./fixtures/odd-process.ts", import.meta.url), timeoutMs });
  return opened;
}

test.each([
  ["ends", "exit"],
  ["throws", "throw"],
])(
  "row 14: a process that %s answers that it crashed, and the next question is answered",
  { timeout: 60_000 },
  async (_, question) => {
    const isolated = open();
    expect(await isolated.ask(question)).toEqual({ kind: "crashed" });
    expect(await isolated.ask("3")).toEqual({ kind: "answered", parts: ["0", "1", "2"] });
  },
);

test("an isolated process that exceeds its time limit is ended, and the next question is answered", {
  timeout: 60_000,
}, async () => {
  const isolated = open(3_000);
  expect(await isolated.ask("loop")).toEqual({ kind: "timed-out", limitMs: 3_000 });
  const answers = await Promise.all(["2", "0", "1"].map((question) => isolated.ask(question)));
  expect(answers.map((answer) => (answer.kind === "answered" ? answer.parts.length : answer.kind))).toEqual([2, 0, 1]);
});

test("an isolated process ends when its owner disposes it", { timeout: 60_000 }, async () => {
  const isolated = open();
  const answer = await isolated.ask("pid");
  const pid = Number(answer.kind === "answered" ? answer.parts[0] : Number.NaN);
  expect(isThere(pid)).toBe(true);
  isolated[Symbol.dispose]();
  for (let tries = 0; tries < 100 && isThere(pid); tries += 1) await wait(50);
  expect(isThere(pid)).toBe(false);
  expect(await isolated.ask("1")).toEqual({ kind: "crashed" });
});

test.each([
  ["takes much memory ends", "memory", false],
  ["takes little stays", "pid", true],
])(
  "row 14: an isolated process that %s after 2 seconds without a question",
  { timeout: 60_000 },
  async (_, question, stays) => {
    const answer = await open().ask(question);
    const pid = Number(answer.kind === "answered" ? answer.parts[0] : Number.NaN);
    expect(isThere(pid)).toBe(true);
    const endMs = performance.now() + (stays ? 4_000 : 15_000);
    while (performance.now() < endMs && isThere(pid)) await wait(50);
    expect(isThere(pid)).toBe(stays);
  },
);

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
