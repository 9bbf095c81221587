import { expect, test } from "vitest";
import { FakeClock } from "../codebase/fixtures/fake-clock.ts";
import { Throttle } from "./throttle.ts";

/**
 * When something is told, where it changes at these milliseconds; `!` behind a number tells at
 * once, `x` closes.
 */
function toldAt(steps: string): string {
  const clock = new FakeClock();
  const told: number[] = [];
  const throttle = new Throttle({ clock, everyMs: 100, notify: () => void told.push(clock.now()) });
  for (const step of steps.split(" ")) {
    const at = Number.parseInt(step, 10);
    clock.advance(at - clock.now());
    if (step.endsWith("!")) throttle.flush();
    else if (step.endsWith("x")) throttle[Symbol.dispose]();
    else throttle.touch();
  }
  clock.advance(1000);
  return told.join(" ");
}

test.each([
  ["the first at once", "10", "10"],
  ["then not too often, and the last always", "10 20 30 40", "10 110"],
  ["again and again", "0 50 120 150 220", "0 100 200 300"],
  ["after a pause at once", "0 500", "0 500"],
  ["what is due may be told earlier", "0 50 60!", "0 60"],
  ["nothing is told twice", "0 50 60! 70!", "0 60"],
  ["nothing is told behind the end", "0 50 60x 70", "0"],
])("%s", (_, steps, told) => {
  expect(toldAt(steps)).toBe(told);
});
