import { expect, test } from "vitest";
import { printQuestion, promptInputOf, readAs, testNextEditFormat } from "./format.laws.ts";
import { goldenPromptInput } from "./golden-prompt-input.laws.ts";
import { endsAlike } from "./read-window.ts";
import { sweep, sweepMarks, sweepPrefill } from "./sweep.ts";

testNextEditFormat(sweep, {
  answer: (lines) => lines.map((line) => `${line}\n`).join(""),
  none: ["<|file_sep|>", "<|endoftext|>"],
  unreadable: ["a<|cursor|", "<|fim_middle|>\n"].slice(1),
  marks: sweepMarks.anywhere,
  isOpen: (after, before) => !endsAlike(before, after),
  cursor: "<|cursor|>",
  range: (input) => ({ start: sweepPrefill(input).end, end: input.window.end }),
});

const notation = "x = 1\n«y = 2\nz = |\nv = 3\n»w = 4\n";

test.each([
  ["the answer continues from the cursor's line", "z = 3\nv = 3\n", "x = 1\ny = 2\n[z = |z = 3]\nv = 3\nw = 4\n"],
  ["its end was a stop", "z = 3\nv = 3", "x = 1\ny = 2\n[z = |z = 3]\nv = 3\nw = 4\n"],
  ["its end is printed", "z = 3\nv = 3\n<|file_sep|>src/b.ts\n", "x = 1\ny = 2\n[z = |z = 3]\nv = 3\nw = 4\n"],
  [
    "a half answer",
    "z = \n",
    "x = 1\ny = 2\nz = \nv = 3\nw = 4\n(unreadable: The answer has fewer lines than there are to edit, and marks no end.)",
  ],
  ["the prefill is repeated", "y = 2\nz = 3\nv = 3\n", "x = 1\ny = 2\n[z = |z = 3]\nv = 3\nw = 4\n"],
  ["lines that go", "v = 3\n", "x = 1\ny = 2\n[z = \n|]v = 3\nw = 4\n"],
])("sweep reads an answer: %s", async (_, answer, read) => expect(await readAs(sweep, notation, answer)).toBe(read));

const edited = { path: "src/a.ts", before: ["old"], after: ["new"], atMs: 0 };

test.each([
  ["up to the cursor's line", [], 3],
  ["up to an edit above", [{ ...edited, lines: { start: 2, end: 3 } }], 2],
  ["not up to an edit below", [{ ...edited, lines: { start: 4, end: 5 } }], 3],
  ["not up to one outside of the window", [{ ...edited, lines: { start: 0, end: 1 } }], 3],
  ["nor to one of another file", [{ ...edited, path: "b", lines: { start: 2, end: 3 } }], 3],
])("the prompt ends %s", (_, history, end) => {
  const edit = promptInputOf("0\n«1\n2\n3|\n4\n»5\n", { history });
  expect(sweepPrefill(edit)).toEqual({ start: 1, end });
});

test("a long edit is shown by its first and last lines", () => {
  const after = Array.from({ length: 60 }, (_, i) => `line ${i}`);
  const history = [{ ...edited, after, lines: { start: 0, end: 60 } }];
  const shown = printQuestion(sweep.ask(promptInputOf("«a|\n»", { history })));
  expect(shown).toContain("updated:\nline 0\n");
  expect(shown).toContain("line 19\n...\nline 41\n");
  expect(shown).toContain("line 59\n<|file_sep|>original/src/a.ts:1:2\n");
});

test("the prompt in the Sweep format is the golden one", async () => {
  await expect(printQuestion(sweep.ask(goldenPromptInput))).toMatchFileSnapshot("./fixtures/sweep.txt");
});
