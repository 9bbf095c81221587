import { expect, test } from "vitest";
import { KnownDiagnostics } from "./known-diagnostics.ts";

/** Diagnostics as `KEY message`, separated by commas; `-` is none. */
const cases: readonly (readonly [before: string, now: string, fresh: string])[] = [
  ["-", "a x", "a x"],
  ["a x", "a x", "-"],
  ["a x", "a y", "-"],
  ["a x", "a x, a y", "a y"],
  ["a x", "a y, a z", "a y, a z"],
  ["a x", "a x, a x", "a x"],
  ["a x", "b x", "b x"],
  ["a x, a y", "a y, a z, a x, b y", "a z, b y"],
];

test.each(cases)("KnownDiagnostics finds the new ones from %s to %s", (before, now, fresh) => {
  const found = (notation: string) =>
    notation
      .split(", ")
      .filter((one) => one !== "-")
      .map((one) => ({ path: "a.ts", start: 0, end: 0, code: one[0]!, message: one.slice(2) }));
  const keyOf = ({ code }: { readonly code: string }) => code;
  expect(new KnownDiagnostics(found(before), keyOf).freshOf(found(now), keyOf)).toEqual(found(fresh));
});
