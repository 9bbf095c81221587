import { expect, test } from "vitest";
import { type ConstrainOptions, constrainToGuide } from "./guide-at-place.ts";

const whole: ConstrainOptions = { change: "shortened-for-syntax", isWhole: true };

/** A guide that allows texts without a `!`. */
const guide = { allows: (text: string) => !text.includes("!"), mayEnd: () => true };

test.each([
  ["a + b", "a + b", []],
  ["a + b !", "a + b", ["shortened-for-syntax"]],
  ["a + bar!", "a + bar", ["shortened-for-syntax"]],
  ["!", "", ["shortened-for-syntax"]],
])("of %s stays %s", (text, kept, changes) => {
  expect(constrainToGuide({ text, changes: [] }, guide, whole)).toEqual({ text: kept, changes });
});

test("a guide that ends inside a word removes the whole word", () => {
  const short = { allows: (text: string) => text.length <= 6, mayEnd: () => true };
  expect(constrainToGuide({ text: "a + bcd", changes: ["trimmed-lines"] }, short, whole)).toEqual({
    text: "a +",
    changes: ["trimmed-lines", "shortened-for-syntax"],
  });
});

test.each([
  ["ring.area", true, "ring.area"],
  ["const a = ring.aera()", true, "const a = ring"],
  ["const a = ring?.ar", true, "const a = ring"],
  ["const a = ring.ar + 1", true, "const a = ring"],
  // More of it may come.
  ["const a = ring.ar", false, "const a = ring.ar"],
])("names that are no members, %s, whole %s: %s", (text, isWhole, kept) => {
  const members = {
    allows: (text: string) => /^[^.]*(\.(a(r(ea?)?)?)?|\.area\b.*)?$/.test(text),
    mayEnd: (text: string) => !/\.(a|ar|are)$/.test(text),
  };
  expect(constrainToGuide({ text, changes: [] }, members, { change: "shortened-for-members", isWhole }).text).toBe(
    kept,
  );
});
