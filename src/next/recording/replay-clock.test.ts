import { expect, test } from "vitest";
import { FakeClock } from "../../async/fixtures/fake-clock.ts";
import { ReplayClock } from "./replay-clock.ts";

test("the replay clock runs with its clock, and advances to a time, running the tasks that are due", () => {
  const real = new FakeClock();
  real.advance(500);
  const clock = new ReplayClock(real);
  const ran: string[] = [];
  expect(clock.now()).toBe(0);
  clock.after(300, () => ran.push("300"));
  clock.after(100, () => ran.push("100"));
  const taken = clock.after(200, () => ran.push("200"));
  taken[Symbol.dispose]();
  clock.after(1000, () => ran.push("1000"));
  clock.leapTo(400);
  expect([clock.now(), ...ran]).toEqual([400, "100", "300"]);
  real.advance(50);
  clock.leapTo(420);
  expect(clock.now()).toBe(450);
  real.advance(2000);
  expect(ran).toEqual(["100", "300", "1000"]);
  expect(real.waiting).toBe(0);
});
