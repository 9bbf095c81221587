import { expect, test } from "vitest";
import { bareAnswer } from "./bare-answer.ts";

/** What is left of an answer at the `|`. */
function bare(text: string, answer: string, isWhole = true): string {
  const [prefix, suffix] = text.split("|") as [string, string];
  const lineBefore = prefix.slice(prefix.lastIndexOf("\n") + 1);
  const found = bareAnswer(answer, { prefix, suffix, lineBefore, language: "typescript" }, isWhole);
  return [found.text, ...found.changes].join(" / ");
}

test.each([
  ["const tot|", "const total = items.length;", "al = items.length; / cut-echo"],
  ["const tot|", "total = items.length;", "al = items.length; / cut-echo"],
  ["  const tot|", "al = items.length;", "al = items.length;"],
  ["ret|", "return items;", "urn items; / cut-echo"],
  ["  items.le|", "length;", "ngth; / cut-echo"],
  ["  items.total|", "total + 1", " + 1 / cut-echo"],
  ["  get|", "User()", "User()"],
  ["  tot|", "return items;", " / cut-other-word"],
  ["  f(1|", "100)", "100)"],
  ["  x|", "xy", "xy"],
  ["rerender();\nre|", "render();", "render();"],
  ["  re|", "turn items;", "turn items;"],
  ["  const total |", "total", "total"],
])("a word half typed: %j + %j: %j", (text, answer, expected) => {
  expect(bare(text, answer)).toBe(expected);
});

test("an answer is empty while its first word may still become the typed word", () => {
  expect(["t", "tot", "total", "total "].map((answer) => bare("const tot|", answer, false))).toEqual([
    "",
    "",
    "",
    "al  / cut-echo",
  ]);
});
