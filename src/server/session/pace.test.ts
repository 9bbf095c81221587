import { beforeEach, expect, test } from "vitest";
import { FakeClock } from "../../codebase/fake-clock.ts";
import { Pace } from "./pace.ts";

let clock: FakeClock;
let pace: Pace;
let yields = 0;
beforeEach(() => {
  clock = new FakeClock();
  yields = 0;
  pace = new Pace({
    clock,
    async yieldThread() {
      yields += 1;
    },
  });
});

const small = 1_000;
/** Twenty milliseconds of work, which want eighty of rest. */
const large = 100_000;

/** Lets whatever waits on promises alone go on. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

test("small pieces go on without a word until the slice is over", async () => {
  await pace.turn(small);
  expect(yields).toBe(1);
  clock.advance(3);
  await pace.turn(small);
  expect(yields).toBe(1);
  clock.advance(1);
  await pace.turn(small);
  expect(yields).toBe(2);
});

test("a large piece waits until the person pauses", async () => {
  pace.touch();
  let had = false;
  const turn = pace.turn(large).then(() => {
    had = true;
  });
  for (let key = 0; key < 5; key += 1) {
    clock.advance(70);
    pace.touch();
    await settle();
    expect(had).toBe(false);
  }
  clock.advance(80);
  await turn;
  expect(had).toBe(true);
  // Whoever comes next finds the slice used up.
  clock.advance(4);
  await pace.turn(small);
  expect(yields).toBe(2);
});

test("a large piece does not wait when nobody types", async () => {
  await pace.turn(large);
  await pace.turn(large);
  expect(yields).toBe(2);
});

test("a person who never pauses does not keep it waiting for ever", async () => {
  pace.touch();
  let had = false;
  void pace.turn(large).then(() => {
    had = true;
  });
  for (let key = 0; key < 61; key += 1) {
    clock.advance(50);
    pace.touch();
    await settle();
  }
  expect(had).toBe(true);
});
