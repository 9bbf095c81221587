import fc from "fast-check";
import { expect, test } from "vitest";
import { newDiagnostics } from "./compare-diagnostics.ts";

/**
 * Diagnostics as `KEY message`, separated by commas; `-` is none, and the key `_` does not count.
 */
const cases: readonly (readonly [before: string, now: string, fresh: string])[] = [
  ["-", "a x", "a x"],
  ["a x", "a x", "-"],
  ["a x", "a y", "-"],
  ["a x", "-", "-"],
  ["a x", "a x, a y", "a y"],
  ["a x", "a y, a x", "a y"],
  ["a x", "a y, a z", "a y, a z"],
  ["a x", "a x, a x", "a x"],
  ["a x", "b x", "b x"],
  ["a x, a y", "a y, a z, a x, b y", "a z, b y"],
  ["a x, a y, a y", "a y", "-"],
  ["_ x", "_ x, _ y", "-"],
];

const read = (notation: string) =>
  notation
    .split(", ")
    .filter((one) => one !== "-")
    .map((one) => ({ message: one.slice(2), one }));

const keyOf = ({ one }: { readonly one: string }) => (one[0] === "_" ? undefined : one[0]);

test.each(cases)("newDiagnostics from %s to %s", (before, now, fresh) => {
  const found = newDiagnostics(read(before), read(now), keyOf).map(({ one }) => one);
  expect(found.join(", ") || "-").toBe(fresh);
});

test("law: newDiagnostics finds some where a key has more diagnostics than before, and none elsewhere", () => {
  const list = fc.array(fc.constantFrom("a x", "a y", "a z", "b x", "b y"), { maxLength: 8 });
  fc.assert(
    fc.property(list, list, (before, after) => {
      const [old, now] = [before, after].map((all) => read(all.join(", ") || "-"));
      const fresh = newDiagnostics(old!, now!, keyOf).map(({ one }) => one[0]);
      const times = (all: readonly string[], key: string) => all.filter((one) => one.startsWith(key)).length;
      const grown = ["a", "b"].filter((key) => times(after, key) > times(before, key));
      expect([...new Set(fresh)].sort()).toEqual(grown);
      for (const key of grown)
        expect(fresh.filter((one) => one === key).length).toBeGreaterThanOrEqual(
          times(after, key) - times(before, key),
        );
    }),
  );
});
