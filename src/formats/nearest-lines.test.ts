import fc from "fast-check";
import { expect, test } from "vitest";
import { law } from "../text/edit.laws.ts";
import { LineWords } from "./line-words.ts";
import { nearestLines } from "./nearest-lines.ts";

// Lines are parted by `|`; what is found are the numbers of first lines, from 0.

test.each([
  ["one two", "x|one two|y", [1]],
  ["one two", "x|one 2|y|one two three|z", [3, 1]],
  ["one|two", "one|two|x|y|one|2", [0, 3]],
  ["a = 1|b = 2|c = 3", "x|a = 1|b = 22|c = 3|y|z", [1]],
  ["same", "same|same|same|same", [0, 1, 2]],
  ["one", "", []],
  ["", "x", []],
  ["other", "x|y", []],
  ["one|two|three", "two", [0]],
])("%s in %s", (search, lines, starts) => {
  expect(nearestLines(split(search), split(lines)).map(({ start }) => start)).toEqual(starts);
});

const anyLines = fc.array(fc.constantFrom("", "one", "one two", "two two", "three", "four one"), { maxLength: 9 });

law(
  "what is kept of a search changes nothing in the next",
  [fc.array(fc.tuple(anyLines, anyLines), { maxLength: 4 })],
  (searches) => {
    const words = new LineWords();
    for (const [search, lines] of searches) {
      expect(nearestLines(search, lines, words)).toEqual(nearestLines(search, lines));
    }
  },
);

function split(text: string): readonly string[] {
  return text === "" ? [] : text.split("|");
}
