import { expect, test } from "vitest";
import { heldToGuide } from "./held-to-guide.ts";

/** A guide that allows texts without a `!`. */
const guide = { allows: (text: string) => !text.includes("!"), mayEnd: () => true };

test.each([
  ["a + b", "a + b", []],
  ["a + b !", "a + b", ["shortened-for-syntax"]],
  ["a + bar!", "a + bar", ["shortened-for-syntax"]],
  ["!", "", ["shortened-for-syntax"]],
])("of %s stays %s", (text, kept, changes) => {
  expect(heldToGuide({ text, changes: [] }, guide)).toEqual({ text: kept, changes });
});

test("a word is kept whole or not at all", () => {
  const short = { allows: (text: string) => text.length <= 6, mayEnd: () => true };
  expect(heldToGuide({ text: "a + bcd", changes: ["trimmed-lines"] }, short)).toEqual({
    text: "a +",
    changes: ["trimmed-lines", "shortened-for-syntax"],
  });
});
