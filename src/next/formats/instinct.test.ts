import { expect, test } from "vitest";
import { printQuestion, readAs, testNextEditFormat } from "./format.laws.ts";
import { goldenPromptInput } from "./golden-prompt-input.laws.ts";
import { instinct, instinctMarks } from "./instinct.ts";
import { endsAlike } from "./read-window.ts";

testNextEditFormat(instinct, {
  answer: (lines) => lines.map((line) => `${line}\n`).join(""),
  none: ["<|editable_region_end|>"],
  unreadable: ["a\n<|editable_region_start|>\n", "<|snippet|>\n"],
  marks: instinctMarks.anywhere,
  isOpen: (after, before) => !endsAlike(before, after),
  cursor: "<|user_cursor_is_here|>",
});

const input = "x = 1\n«y = 2\nz = |\n»w = 4\n";

test.each([
  ["as it was trained", "y = 2\nz = 3", "x = 1\ny = 2\n[z = |z = 3]\nw = 4\n"],
  ["in a fence", "```ts\ny = 2\nz = 3\n```\nI set z.", "x = 1\ny = 2\n[z = |z = 3]\nw = 4\n"],
  [
    "in its marks",
    "<|editable_region_start|>\ny = 2\nz = 3\n<|editable_region_end|>",
    "x = 1\ny = 2\n[z = |z = 3]\nw = 4\n",
  ],
  ["after reasoning", "<think>\ny = 9\n</think>\ny = 2\nz = 3\n", "x = 1\ny = 2\n[z = |z = 3]\nw = 4\n"],
  [
    "words for the person",
    "I cannot help with that.\nSorry.\n",
    "x = 1\ny = 2\nz = \nw = 4\n(unreadable: The answer has none of the lines to edit, and marks no end.)",
  ],
  ["with a line below, and a line gone", "z = \nw = 4\n", "x = 1\n[y = 2\n|]z = \nw = 4\n"],
  ["lines that go", "z = \n", "x = 1\n[y = 2\n|]z = \nw = 4\n"],
])("instinct reads an answer: %s", async (_, answer, read) => expect(await readAs(instinct, input, answer)).toBe(read));

test("a fence that the window contains too is a line", async () => {
  expect(await readAs(instinct, "«```ts\na|\n```\n»", "```ts\nab\n```\n")).toBe("```ts\n[a|ab]\n```\n");
});

test("the prompt in the Instinct format is the golden one", async () => {
  await expect(printQuestion(instinct.ask(goldenPromptInput))).toMatchFileSnapshot("./fixtures/instinct.md");
});
