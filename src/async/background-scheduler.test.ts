import { beforeEach, expect, test } from "vitest";
import { BackgroundScheduler } from "./background-scheduler.ts";
import { FakeClock } from "./fixtures/fake-clock.ts";

let clock: FakeClock;
let scheduler: BackgroundScheduler;
let yields = 0;
beforeEach(() => {
  clock = new FakeClock();
  yields = 0;
  scheduler = new BackgroundScheduler({
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

test("runs small pieces without yielding until the slice is over", async () => {
  await scheduler.waitForTurn(small);
  expect(yields).toBe(1);
  clock.advance(3);
  await scheduler.waitForTurn(small);
  expect(yields).toBe(1);
  clock.advance(1);
  await scheduler.waitForTurn(small);
  expect(yields).toBe(2);
});

test("runs a large piece once the person pauses", async () => {
  scheduler.touch();
  let had = false;
  const turn = scheduler.waitForTurn(large).then(() => {
    had = true;
  });
  for (let key = 0; key < 5; key += 1) {
    clock.advance(70);
    scheduler.touch();
    await settle();
    expect(had).toBe(false);
  }
  clock.advance(80);
  await turn;
  expect(had).toBe(true);
  // The next caller finds the slice used up.
  clock.advance(4);
  await scheduler.waitForTurn(small);
  expect(yields).toBe(2);
});

test("runs a large piece at once when the person does not type", async () => {
  await scheduler.waitForTurn(large);
  await scheduler.waitForTurn(large);
  expect(yields).toBe(2);
});

test("runs a large piece after a limit even while the person types", async () => {
  scheduler.touch();
  let had = false;
  void scheduler.waitForTurn(large).then(() => {
    had = true;
  });
  for (let key = 0; key < 61; key += 1) {
    clock.advance(50);
    scheduler.touch();
    await settle();
  }
  expect(had).toBe(true);
});
