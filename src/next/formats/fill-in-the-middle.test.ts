import { expect, test } from "vitest";
import { fillInTheMiddle, holeLines } from "./fill-in-the-middle.ts";
import { printQuestion, promptInputOf, readAs, testNextEditFormat } from "./format.laws.ts";
import { goldenPromptInput } from "./golden-prompt-input.laws.ts";
import { WindowLines } from "./window-lines.ts";

testNextEditFormat(fillInTheMiddle, {
  answer: (lines, input) => lines.join("\n").slice(headOf(input).length),
  none: [" \n"],
  marks: [],
  range: holeLines,
  head: headOf,
  isOpen: "always",
});

function headOf(input: Parameters<typeof holeLines>[0]): string {
  const { lines, cursor } = WindowLines.of({ ...input, window: holeLines(input) });
  return lines[0]!.slice(0, cursor.column);
}

test.each([
  ["the rest of a line", "«a = |\n»b\n", "1", "[a = |a = 1]\nb\n"],
  ["a line that goes on", "«f(|)\n»", "a, b)", "[f()|f(a, b)]\n"],
  ["lines below", "«if (a) {|\n  b();\n}\n»c\n", "\n  b(a);\n}", "if (a) {\n[  b();|  b(a);]\n}\nc\n"],
  ["no further than a blank line", "«a|\n\nb\n»", "a", "[a|aa]\n\nb\n"],
  ["lines that are left out stay", "«a = |\nb = 2\nc = 3\n»", "1", "[a = |a = 1]\nb = 2\nc = 3\n"],
  ["nothing", "«a = |1\nb\n»", "", "a = 1\nb\n"],
])("fill-in-the-middle reads an answer: %s", async (_, notation, answer, read) =>
  expect(await readAs(fillInTheMiddle, notation, answer)).toBe(read),
);

test.each([
  ["0\n«  a|\n  b\n    c\n  }\n»d\n", "[1, 5)"],
  ["0\n«  a|\n  b\n\n  c\n»d\n", "[1, 3)"],
  ["0\n«  a|\n  b\nc\n»d\n", "[1, 3)"],
  ["0\n«|\n  b\n»d\n", "[1, 2)"],
  ["«a|»", "[0, 1)"],
])("the hole of a fill-in-the-middle prompt for %j", (notation, hole) => {
  const { start, end } = holeLines(promptInputOf(notation));
  expect(`[${start}, ${end})`).toBe(hole);
});

test("the text around the hole is the file's, with its line endings", () => {
  expect(fillInTheMiddle.ask(promptInputOf("x\r\n«a|b\r\n  c\r\n»d\r\n"))).toEqual({
    ...{ kind: "fill", prefix: "x\r\na", suffix: "\r\nd\r\n", stop: [] },
  });
});

test("the prompt in the fill-in-the-middle format is the golden one", async () => {
  await expect(printQuestion(fillInTheMiddle.ask(goldenPromptInput))).toMatchFileSnapshot(
    "./fixtures/fill-in-the-middle.txt",
  );
});
