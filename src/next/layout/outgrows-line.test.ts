import { expect, test } from "vitest";
import { readEdit } from "../../text/edit.laws.ts";
import { outgrowsLine } from "./outgrows-line.ts";

const wide = (length: number) => "x".repeat(length);

test.each<[name: string, marked: string, outgrows: boolean]>([
  ["a line that stays short", `${wide(70)}[a|bcdef]`, false],
  ["a line that gets too long", `${wide(78)}[a|bcdef]`, true],
  ["a line that was too long before", `${wide(90)}[a|bcdef]`, false],
  ["two replacements on one line", `[a|bcd]${wide(76)}[a|bcd]`, true],
  ["two replacements on two lines", `[a|bcd]${wide(76)}\n[a|bcd]${wide(76)}`, false],
  ["a new line that is too long", `a\n[|${wide(90)}\n]b`, true],
  ["the second of two lines", `[a|b]\n${wide(78)}[a|bcd]`, true],
])("outgrowsLine: %s", (_, marked, outgrows) => {
  const { text, edit } = readEdit(marked);
  expect(outgrowsLine(text, edit, () => 80)).toBe(outgrows);
});

test("an infinite width is never exceeded", () => {
  const { text, edit } = readEdit(`${wide(78)}[a|bcdef]`);
  expect(outgrowsLine(text, edit, () => Number.POSITIVE_INFINITY)).toBe(false);
});
