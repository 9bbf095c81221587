import { expect, test } from "vitest";
import { repeatsBelow, withoutFollowingLines } from "./following-lines.ts";

test.each([
  ["x();\nb();", "", "\nb();\nc();", ["x();"]],
  ["x();\nb();\nc();", "", "\nb();\nc();", ["x();"]],
  ["x();\n\nb();\n", "", "\n\n\nb();", ["x();"]],
  ["x();\n}\n}", "", "\n}\n}", ["x();", "x();\n}"]],
  ["x();\nb();", "", "\n  b();", []],
  ["x();\n  }", "", "\n}", ["x();"]],
  ["b();", "", "\nb();", [""]],
  ["();", "b", "\nb();", []],
  ["x", "", "", []],
  ["", "", "\nb();", []],
])("following lines are removed from %j behind %j above %j", (text, lineBefore, below, expected) => {
  expect(withoutFollowingLines(text, lineBefore, below)).toEqual(expected);
});

test.each([
  ["b();", "\nb();\nc();", true],
  ["b();\nc();", "\nb();\nc();", true],
  ["b();\nd();", "\nb();\nc();", false],
  ["}", "\n}", false],
])("%j repeats lines of %j: %s", (text, below, expected) => expect(repeatsBelow(text, "", below)).toBe(expected));
