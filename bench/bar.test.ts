import { expect, test } from "vitest";
import { type Bar, passes, printBars } from "./bar.ts";

test("passes compares a value with its bar", () => {
  const check = (value: number, sense: Bar["sense"], bar: number) => passes({ name: "x", value, sense, bar });
  expect([3, 4, 5].map((value) => check(value, "at-least", 4))).toEqual([false, true, true]);
  expect([3, 4, 5].map((value) => check(value, "at-most", 4))).toEqual([true, true, false]);
  expect([3, 4, 5].map((value) => check(value, "below", 4))).toEqual([true, false, false]);
});

test("one line a bar", () => {
  const bars: Bar[] = [
    { name: "speed", value: 4.5, bar: 4, sense: "at-least" },
    { name: "p95 ms", value: 15, bar: 15, sense: "below" },
  ];
  expect(printBars(bars)).toBe("speed       4.50   at least 4    pass\np95 ms     15.00   below 15      MISS");
});
