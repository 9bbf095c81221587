import { expect, test } from "vitest";
import { Lines } from "../../text/index.ts";
import { parseHole, parseHoles, rangesOfHoles } from "./text-with-hole.ts";

const lines = Lines.of("\uFEFFab\ncd\n");
const rangesOf = (text: string) =>
  rangesOfHoles(lines, "a", parseHoles(text)).map(({ start, end }) => lines.source.slice(start, end));

test.each([
  ["1:1", [""]],
  ["1:1-1:3", ["ab"]],
  ["1:2-2:2", ["b\nc"]],
  ["2:1-2:3, 1:1-1:2", ["a", "cd"]],
  ["3:1", [""]],
])("the holes %s select their ranges", (text, expected) => {
  expect(rangesOf(text)).toEqual(expected);
});

test.each([
  ["", "is not LINE:COL"],
  ["1", "is not LINE:COL"],
  ["1:2-3", "is not LINE:COL"],
  ["0:1", "count from 1"],
  ["1:1-1:0", "count from 1"],
  ["1:2-1:1", "ends before it starts"],
  ["1:1-1:3,1:2", "overlap"],
  ["1:1,1:1", "overlap"],
  ["1:1-1:2,1:2", "overlap"],
  ["4:1", "is outside of"],
])("the hole argument %j is refused", (text, message) => {
  expect(() => rangesOf(text)).toThrow(message);
});

test("a range with more than two places is refused", () => {
  expect(parseHole("3:4-5:6")).toEqual({ start: { line: 3, column: 4 }, end: { line: 5, column: 6 } });
});
