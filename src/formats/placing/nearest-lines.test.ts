import fc from "fast-check";
import { expect, test } from "vitest";
import { law } from "../../text/edit.laws.ts";
import { LineWords, nearestLines } from "./nearest-lines.ts";

// Lines are separated by `|`; the expectation is the indexes of first lines, from 0.

test.each([
  ["one two", "x|one two|y", [1]],
  ["one two", "x|one 2|y|one two three|z", [3, 1]],
  ["one|two", "one|two|x|y|one|2", [0, 4]],
  ["a = 1|b = 2|c = 3", "x|a = 1|b = 22|c = 3|y|z", [1]],
  ["same", "same|same|same|same", [0, 1, 2]],
  ["one", "", []],
  ["", "x", []],
  ["other", "x|y", []],
  ["one|two|three", "two", [0]],
])("the lines most similar to %s in %s", (search, lines, starts) => {
  expect(nearestLines(split(search), split(lines)).map(({ start }) => start)).toEqual(starts);
});

// The first result has the most equal lines; ties go to equal first and last lines.
test.each([
  ["f() {|  a();|  b();|}", "g() {|  a();|}|f() {|  a();|  c();|}|h() {|}", [3]],
  ["f() {|  a();|  b();|}|", "x|}||f() {|  aa();|  b();|}||f() {", [3]],
  ["f() {|  a();|  b();|  c();|}", "||f() {|  b();|  a();|  d();|}|}|}", [2]],
  ["a|b|c|d", "a|a|b|x|d|d|c", [1]],
  ["one|two|three|four", "four|one|2|three|four|one", [1]],
])("row 38: %s is most like the lines of its length in %s with the most equal lines", (search, lines, starts) => {
  expect(nearestLines(split(search), split(lines)).map(({ start }) => start)[0]).toBe(starts[0]);
});

law(
  "row 38: no stretch that overlaps the first one has more equal lines, or as many and more equal ends",
  [
    fc.array(fc.constantFrom("one", "two", "three", "}"), { minLength: 1, maxLength: 6 }),
    fc.array(fc.constantFrom("one", "two", "three", "four", "}", ""), { maxLength: 20 }),
  ],
  (search, lines) => {
    const [first] = nearestLines(search, lines);
    fc.pre(first !== undefined);
    const length = first.lines.length;
    const rankOf = (start: number) => {
      const left: string[] = [...search];
      const there = lines.slice(start, start + length);
      const equal = there.filter((line) => left.includes(line) && left.splice(left.indexOf(line), 1)).length;
      return equal * 10 + Number(there[0] === search[0]) + Number(there.at(-1) === search.at(-1));
    };
    const starts = [...lines.slice(length - 1).keys()].filter((start) => Math.abs(start - first.start) < length);
    expect(starts).toContain(first.start);
    expect(Math.max(...starts.map(rankOf))).toBe(rankOf(first.start));
  },
);

const anyLines = fc.array(fc.constantFrom("", "one", "one two", "two two", "three", "four one"), { maxLength: 9 });

law(
  "cached words of a search do not change the next one",
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
