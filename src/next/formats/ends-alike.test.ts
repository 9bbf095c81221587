import { expect, test } from "vitest";
import { endsAlike } from "./ends-alike.ts";

/** Lines separated by `/`. */
test.each([
  ["as they were", "a/b", "a/b", true],
  ["fewer, with the last one", "a/b/c", "c", true],
  ["more, with the last one", "a/b", "x/a/y/b", true],
  ["the last one is another", "a/b", "a/c", false],
  ["the last one left out", "a/b", "a", false],
  ["a bracket that closes something else", "a/b/}", "a/}", false],
  ["a bracket, and what stands in front of it", "a/b/}", "b/}", true],
  ["a bracket alone", "a/b/}", "}", false],
  ["blank lines", "a/b//", "/b", true],
  ["nothing but brackets", "}", "a/}", true],
  ["nothing to stand for", "", "a", true],
])("endsAlike: %s", (_, window, lines, isAlike) =>
  expect(endsAlike(window.split("/"), lines.split("/"))).toBe(isAlike),
);
