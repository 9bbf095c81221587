import { expect, test } from "vitest";
import { printQuestion, readAs, testNextEditFormat } from "./format.laws.ts";
import { goldenPromptInput } from "./golden-prompt-input.laws.ts";
import { mercury, mercuryMarks } from "./mercury.ts";

testNextEditFormat(mercury, {
  answer: (lines) => `\`\`\`\n${lines.map((line) => `${line}\n`).join("")}\`\`\``,
  none: ["None", "```\nNone\n```", "<|code_to_edit|>\n<|/code_to_edit|>"],
  unreadable: ["```\na\n<|code_to_edit|>\n```", "<|current_file_content|>\n"],
  marks: mercuryMarks.anywhere,
  cursor: "<|cursor|>",
});

const input = "x = 1\n«y = 2\nz = |\n»w = 4\n";
const read = "x = 1\ny = 2\n[z = |z = 3]\nw = 4\n";

test.each([
  ["in a fence", "```\ny = 2\nz = 3\n```", read],
  ["in its tag", "<|code_to_edit|>\ny = 2\nz = 3\n<|/code_to_edit|>", read],
  ["in both", "```\n<|code_to_edit|>\ny = 2\nz = 3\n<|/code_to_edit|>\n```", read],
  ["in both, the other way round", "<|code_to_edit|>\n```\ny = 2\nz = 3\n```\n<|/code_to_edit|>", read],
  ["in nothing", "y = 2\nz = 3", read],
  [
    "words for the person",
    "Sorry.",
    "x = 1\ny = 2\nz = \nw = 4\n(unreadable: The answer has none of the lines to edit, and marks no end.)",
  ],
  ["no edit", "None", "x = 1\ny = 2\nz = \nw = 4\n"],
])("mercury reads an answer: %s", async (_, answer, shown) => expect(await readAs(mercury, input, answer)).toBe(shown));

test("a line that the window contains does not mean no edit", async () => {
  expect(await readAs(mercury, "«None\na|\n»", "```\nNone\nab\n```")).toBe("None\n[a|ab]\n");
});

test("the prompt in the Mercury format is the golden one", async () => {
  await expect(printQuestion(mercury.ask(goldenPromptInput))).toMatchFileSnapshot("./fixtures/mercury.md");
});
