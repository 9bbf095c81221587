import { expect, test } from "vitest";
import { RepeatedWindowDetector } from "./repeated-window-detector.ts";

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
