import { expect, test } from "vitest";
import { readEdit } from "../../text/edit.laws.ts";
import { type CodeStyle, codeStyleOf, columnsOf, outgrowsLine } from "./code-style.ts";

/** A call of this many columns. */
const call = (width: number) => `f(${"x".repeat(width - 4)});`;
const calls = (width: number, count: number) => `${call(width)}\n`.repeat(count);
const none = Number.POSITIVE_INFINITY;

test.each<[name: string, text: string, width: number, beside?: string]>([
  ["lines that end before 80 columns", calls(40, 50) + calls(76, 5), 80],
  ["lines that end before 100", calls(76, 5) + calls(95, 5), 100],
  ["one that is too long, among many that are not", calls(76, 20) + calls(90, 1), 80],
  ["one that cannot be broken", `${calls(76, 5)}${`const a = "${"b".repeat(90)}";\n`.repeat(9)}`, 80],
  ["comments of any length", calls(76, 5) + `// ${"long ".repeat(30)}\n`.repeat(9), 80],
  ["lines of any length", calls(300, 10), none],
  ["short lines show no width", calls(40, 50), none],
  ["a file beside it shows the width", calls(40, 50), 100, calls(95, 5)],
  ["the lines of the file itself count first", calls(76, 5), 80, calls(95, 5)],
])("the line width of a text: %s", (_, text, width, beside = "") =>
  expect(codeStyleOf(text, () => [beside]).width).toBe(width),
);

test.each<[text: string, style: Partial<CodeStyle>]>([
  ["if (a) {\n  b();\n}", { indent: 2, semicolons: true }],
  ["if (a) {\n    b();\n}", { indent: 4 }],
  ["if (a) {\n\tb();\n}", { indent: "tab" }],
  ["const a = b\nconst c = d", { semicolons: false }],
  ["a('b');\nc('d');", { singleQuotes: true }],
  ['a("b");\nc("d");', { singleQuotes: false }],
  ["f(\n  a,\n  b,\n);", { trailingCommas: "all" }],
  ["a = [\n  b,\n  c,\n];\nf(\n  a,\n  b\n);", { trailingCommas: "es5" }],
  ["a = [\n  b,\n  c\n];", { trailingCommas: "none" }],
  ["a((b) => c);", { arrowParentheses: true }],
  ["a(b => c);", { arrowParentheses: false }],
  ["a = { b: c };", { bracketSpacing: true }],
  ["a = {b: c};", { bracketSpacing: false }],
])("code style of %j", (text, style) => expect(codeStyleOf(text)).toMatchObject(style));

test("a tab is as wide as two spaces", () => expect(columnsOf("\t\ta")).toBe(5));

const wide = (length: number) => "x".repeat(length);

test.each<[name: string, marked: string, outgrows: boolean]>([
  ["a line that stays short", `${wide(70)}[a|bcdef]`, false],
  ["a line that gets too long", `${wide(78)}[a|bcdef]`, true],
  ["a line that was too long before", `${wide(90)}[a|bcdef]`, false],
  ["two replacements on one line", `[a|bcd]${wide(76)}[a|bcd]`, true],
  ["two replacements on two lines", `[a|bcd]${wide(76)}\n[a|bcd]${wide(76)}`, false],
  ["a new line that is too long", `a\n[|${wide(90)}\n]b`, true],
  ["the second of two lines", `[a|b]\n${wide(78)}[a|bcd]`, true],
])("outgrowsLine checks the line width: %s", (_, marked, outgrows) => {
  const { text, edit } = readEdit(marked);
  expect(outgrowsLine(text, edit, () => 80)).toBe(outgrows);
});

test("an infinite width is never exceeded", () => {
  const { text, edit } = readEdit(`${wide(78)}[a|bcdef]`);
  expect(outgrowsLine(text, edit, () => Number.POSITIVE_INFINITY)).toBe(false);
});
