import { expect, test } from "vitest";
import { stripRepeatedPrefix } from "./read-insertion.ts";

/** A line with its cursor, the first row of an answer, and the inserted text. */
test.each([
  ["nothing", "let a = |;", "1", "1"],
  ["the indentation", "    |", "    a();", "a();"],
  ["another indentation", "    |", "  a();", "  a();"],
  ["the line", "  let a = 0;|", "  let a = 0; // zero", " // zero"],
  ["the line without its indentation", "  let a = 0;|", "let a = 0; // zero", " // zero"],
  ["the line, with what is behind the cursor", "f(|);", "f(x);", "x"],
  ["the line, with more behind it", "f(|)", "f(x).y", "x).y"],
  ["the line as it is", "a();|", "a();", ""],
  ["a word that is begun", "return tot|", "total(1);", "al(1);"],
  ["a word that is all there", "return total|", "total(1);", "(1);"],
  ["the first sign of a word", "  x = i|", "if", "f"],
  ["another word", "return tot|", "(1);", "(1);"],
  ["a number that goes on", "x = 1|", "10", "10"],
  ["another word and this one", "x tot|", "y total", "y total"],
  ["a bracket", "[|", "[1, 2]", "[1, 2]"],
])("a repeated prefix: %s", (_, marked, row, added) => {
  const [before, rest] = marked.split("|") as [string, string];
  expect(stripRepeatedPrefix(row, { before, rest })).toBe(added);
});
