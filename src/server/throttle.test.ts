import { expect, test } from "vitest";
import { FakeClock } from "../async/fixtures/fake-clock.ts";
import { Throttle } from "./throttle.ts";

/**
 * When something is notified, where it changes at these milliseconds; `!` behind a number notifies
 * at once, `x` closes.
 */
function notifiedAt(steps: string): string {
  const clock = new FakeClock();
  const times: number[] = [];
  const throttle = new Throttle({ clock, everyMs: 100, notify: () => void times.push(clock.now()) });
  for (const step of steps.split(" ")) {
    const at = Number.parseInt(step, 10);
    clock.advance(at - clock.now());
    if (step.endsWith("!")) throttle.flush();
    else if (step.endsWith("x")) throttle[Symbol.dispose]();
    else throttle.touch();
  }
  clock.advance(1000);
  return times.join(" ");
}

test.each([
  ["the first at once", "10", "10"],
  ["then not too often, and the last always", "10 20 30 40", "10 110"],
  ["again and again", "0 50 120 150 220", "0 100 200 300"],
  ["after a pause at once", "0 500", "0 500"],
  ["what is due may be notified earlier", "0 50 60!", "0 60"],
  ["nothing is notified twice", "0 50 60! 70!", "0 60"],
  ["nothing is notified behind the end", "0 50 60x 70", "0"],
])("a throttle notifies: %s", (_, steps, expected) => {
  expect(notifiedAt(steps)).toBe(expected);
});
