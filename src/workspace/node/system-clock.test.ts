import { expect, test } from "vitest";
import { systemClock } from "./system-clock.ts";

test("after runs a task once unless it is cancelled", async () => {
  const ran: string[] = [];
  const taken = systemClock.after(1, () => ran.push("taken back"));
  taken[Symbol.dispose]();
  const keepAlive = setInterval(() => undefined, 1000);
  await new Promise<void>((resolve) => {
    systemClock.after(5, () => {
      ran.push("kept");
      resolve();
    });
  });
  clearInterval(keepAlive);
  expect(ran).toEqual(["kept"]);
});

test("the time of the system clock never decreases", () => {
  const first = systemClock.now();
  expect(systemClock.now()).toBeGreaterThanOrEqual(first);
});
