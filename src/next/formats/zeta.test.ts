import { expect, test } from "vitest";
import { printQuestion, readAs, testNextEditFormat } from "./format.laws.ts";
import { goldenPromptInput } from "./golden-prompt-input.laws.ts";
import { zeta, zetaMarks } from "./zeta.ts";

testNextEditFormat(zeta, {
  answer: (lines) => `<|editable_region_start|>\n${lines.map((line) => `${line}\n`).join("")}<|editable_region_end|>`,
  none: ["<|editable_region_start|>\n<|editable_region_end|>\n"],
  unreadable: ["a\n<|editable_region_start|>\nb\n", "a\nb <|start_of_file|>\n", "<|fim_middle|>\n"],
  marks: zetaMarks.anywhere,
  cursor: "<|user_cursor_is_here|>",
});

const input = "x = 1\n«y = 2\nz = |\n»w = 4\n";

test.each([
  [
    "as it was trained",
    "<|editable_region_start|>\ny = 2\nz = 3\n<|editable_region_end|>\n",
    "x = 1\ny = 2\n[z = |z = 3]\nw = 4\n",
  ],
  ["without the first mark", "y = 2\nz = 3\n<|editable_region_end|>", "x = 1\ny = 2\n[z = |z = 3]\nw = 4\n"],
  ["in a fence without marks", "```ts\ny = 2\nz = 3\n```\n", "x = 1\ny = 2\n[z = |z = 3]\nw = 4\n"],
  [
    "marks on the lines",
    "<|editable_region_start|>y = 2\nz = 3<|editable_region_end|>",
    "x = 1\ny = 2\n[z = |z = 3]\nw = 4\n",
  ],
  [
    "what follows the last mark is nothing",
    "y = 2\nz = 3\n<|editable_region_end|>\nw = 4\n```\n",
    "x = 1\ny = 2\n[z = |z = 3]\nw = 4\n",
  ],
  ["lines that go", "<|editable_region_start|>\nz = \n<|editable_region_end|>", "x = 1\n[y = 2\n|]z = \nw = 4\n"],
  [
    "lines that are left out without a mark stay",
    "<|editable_region_start|>\ny = 2\n",
    "x = 1\ny = 2\nz = \nw = 4\n(unreadable: The answer has fewer lines than there are to edit, and marks no end.)",
  ],
])("zeta reads an answer: %s", async (_, answer, read) => expect(await readAs(zeta, input, answer)).toBe(read));

test("the prompt in the Zeta format is the golden one", async () => {
  await expect(printQuestion(zeta.ask(goldenPromptInput))).toMatchFileSnapshot("./fixtures/zeta.md");
});
