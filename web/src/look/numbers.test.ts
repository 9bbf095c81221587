import { describe, expect, test } from "vitest";
import { printBytes, printCountOf, printDay, printMs, printShare } from "./numbers.ts";

describe("a formatted number", () => {
  const cases: readonly (readonly [printed: string, expected: string])[] = [
    [printMs(0), "0.0 ms"],
    [printMs(0.01), "< 0.1 ms"],
    [printMs(9.94), "9.9 ms"],
    [printMs(9.96), "10 ms"],
    [printMs(999.6), "1.0 s"],
    [printBytes(100), "1 KB"],
    [printBytes(3.4 * 2 ** 20), "3.4 MB"],
    [printBytes(150 * 2 ** 20), "150 MB"],
    [printBytes(2 ** 31), "2.0 GB"],
    [printShare(0.254), "25 %"],
    [printDay(new Date(2026, 10, 28, 14, 5), new Date(2026, 11, 1)), "28 Nov, 14:05"],
    [printDay(new Date(2025, 10, 28, 9, 5), new Date(2026, 0, 1)), "28 Nov 2025, 09:05"],
    [printCountOf(1, "file"), "1 file"],
    [printCountOf(1234, "file"), "1,234 files"],
  ];
  for (const [printed, expected] of cases) test(`is printed as ${expected}`, () => expect(printed).toBe(expected));
});
