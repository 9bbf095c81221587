import { expect, test } from "vitest";
import { runSteps, runStepsInTurns, type Steps } from "./steps.ts";

/** Writes its steps and its end to `log`. */
function* counting(log: string[], to: number): Steps<number> {
  try {
    for (let n = 1; n < to; n += 1) {
      log.push(`${n}`);
      yield;
    }
    return to;
  } finally {
    log.push("end");
  }
}

test("runs all steps without a pause", () => {
  const log: string[] = [];
  expect(runSteps(counting(log, 3))).toBe(3);
  expect(log).toEqual(["1", "2", "end"]);
});

test("rests between two steps", async () => {
  const log: string[] = [];
  const rest = async () => void log.push("rest");
  expect(await runStepsInTurns(counting(log, 3), rest)).toBe(3);
  expect(log).toEqual(["1", "rest", "2", "rest", "end"]);
});

test("ends the work where a rest rejects", async () => {
  const log: string[] = [];
  const running = runStepsInTurns(counting(log, 3), async () => {
    throw new Error("Ctrl-C");
  });
  await expect(running).rejects.toThrow("Ctrl-C");
  expect(log).toEqual(["1", "end"]);
});
