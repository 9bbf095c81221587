import { expect, test } from "vitest";
import { systemClock } from "./system-clock.ts";

test("a task runs once, unless it is taken back", async () => {
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

test("time does not go back", () => {
  const first = systemClock.now();
  expect(systemClock.now()).toBeGreaterThanOrEqual(first);
});
