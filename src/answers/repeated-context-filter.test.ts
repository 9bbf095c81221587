import fc from "fast-check";
import { expect, test } from "vitest";
import { law } from "../text/edit.laws.ts";
import { RepeatedContextFilter, RepeatedWindowDetector } from "./repeated-context-filter.ts";

const surroundings = { above: ["x", "y", ""], window: ["a", "", "b"], below: ["", "c", "}", "d"] };

/** The lines of an answer, separated by `/`, and those that remain. */
test.each([
  ["the window alone", "a//b", "a//b"],
  ["the window changed", "a//bb", "a//bb"],
  ["with a line above", "y//a//b", "a//b"],
  ["with two lines above", "x/y//a//b", "a//b"],
  ["with a line from further above", "x/a//b", "x/a//b"],
  ["with a line below", "a//b//c", "a//b"],
  ["with more lines below", "a//b//c/}/d", "a//b"],
  ["with lines on both sides", "y//a//bb//c", "a//bb"],
  ["with a line below in the middle", "a/c/b", "a/c/b"],
  ["with a line below, and others behind it", "a/b//c/e", "a/b//c/e"],
  ["a line below, and again", "a/c/c/}", "a/c"],
  ["nothing but lines above", "x/y", "x/y"],
  ["blank lines at the end", "a//", "a//"],
])("lines without repeated context: %s", (_, lines, left) =>
  expect(rest(lines.split("/"), surroundings).join("/")).toBe(left),
);

test("brackets alone are no repeated context", () => {
  expect(rest(["a", "}"], { above: [], window: ["a"], below: ["}", "c"] })).toEqual(["a", "}"]);
});

test("a window that begins or ends as its surroundings do is left as it is", () => {
  const same = { above: ["a"], window: ["a", "b", "c"], below: ["c"] };
  expect(rest(["a", "b", "c"], same)).toEqual(["a", "b", "c"]);
  expect(rest(["a", "c"], same)).toEqual(["a", "c"]);
  expect(rest(["x", "a", "c", "d"], { above: ["x", "a"], window: ["a", "c"], below: ["c", "d"] })).toHaveLength(4);
});

const anyLines = fc.array(fc.constantFrom("a", "b", "}", ""), { maxLength: 5 });

law("the unchanged window passes", [anyLines, anyLines, anyLines], (above, window, below) => {
  const left = rest(window, { above, window, below });
  expect(left.filter((line) => line !== "")).toEqual(window.filter((line) => line !== ""));
});

law("lines are removed at the start and at the end only", [anyLines, anyLines, anyLines, anyLines], (...drawn) => {
  const [above, window, below, lines] = drawn;
  const left = rest(lines, { above, window, below });
  expect(`/${lines.join("/")}/`).toContain(left.length === 0 ? "/" : `/${left.join("/")}/`);
});

function rest(
  lines: readonly string[],
  around: ConstructorParameters<typeof RepeatedContextFilter>[0],
): readonly string[] {
  const echo = new RepeatedContextFilter(around);
  return [...lines.flatMap((line) => echo.push(line)), ...echo.end()];
}

/**
 * Lines separated by `/`, and the number of the line with which a repetition is detected; 0 for
 * none.
 */
test.each([
  ["once", "a/b/c/d", "a/b/c/d", 0],
  ["twice", "a/b/c/d", "a/b/c/d/a/b/c/d", 7],
  ["twice, the second time changed", "a/b/c/d", "a/b/c/d/a/b/c/e", 7],
  ["twice, the first time changed", "a/b/c/d", "a/b/c/e/f/a/b/c/d", 8],
  ["twice, with one of the first changed", "a/b/c/d", "a/b/c/d/a/x/c/d", 7],
  ["twice, with the other one changed", "a/b/c/d", "a/b/x/d/a/b/y/d", 7],
  ["the first line again", "a/b/c/d", "a/b/c/d/a/e/f", 0],
  ["in between", "a/b/c/d/e/f/g/h", "a/b/c/a/b/c/d/e/f/g/h", 0],
  ["the window has them twice", "a/b/c/a/b/c", "a/b/c/a/b/c", 0],
  ["lines that are new", "a/b/c", "x/y/z/x/y/z", 0],
  ["hardly anything but brackets", "}/a/}/b", "}/a/}/b/}/a/}", 0],
  ["fewer lines than tell", "a/b", "a/b/a/b", 0],
])("a repeated window: %s", (_, window, lines, at) => {
  const twice = new RepeatedWindowDetector(window.split("/"));
  expect(lines.split("/").findIndex((line) => twice.push(line)) + 1).toBe(at);
});
