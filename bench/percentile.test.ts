import { expect, test } from "vitest";
import { mean, percentile, percentiles } from "./percentile.ts";

test("a percentile is the value of its rank", () => {
  expect(percentile([3, 1, 2], 0.5)).toBe(2);
  expect(percentile([5], 0.99)).toBe(5);
  expect(percentile([], 0.5)).toBe(0);
  expect(percentiles(Array.from({ length: 100 }, (_, i) => i))).toEqual({ p50: 50, p95: 95, p99: 99 });
});

test("means", () => {
  expect(mean([1, 2, 6])).toBe(3);
  expect(mean([])).toBe(0);
});
