import { expect, test } from "vitest";
import { chat, chatMarks } from "./chat.ts";
import { printQuestion, promptInputOf, readAs, testNextEditFormat } from "./format.laws.ts";
import { goldenPromptInput } from "./golden-prompt-input.laws.ts";

testNextEditFormat(chat, {
  answer: (lines) => `\`\`\`ts\n${lines.map((line) => `${line}\n`).join("")}\`\`\`\n`,
  none: ["No changes.", "No changes are needed.", "<think>\nHm.\n</think>\nNo changes."],
  unreadable: ["I would rename it.", "```\n<|rewrite|>\na\n<|rewrite|>\n```"],
  marks: chatMarks.anywhere,
  cursor: "<|cursor|>",
});

const input = "x = 1\n«y = 2\nz = |\n»w = 4\n";
const read = "x = 1\ny = 2\n[z = |z = 3]\nw = 4\n";

test.each([
  ["in a fence", "```\ny = 2\nz = 3\n```", read],
  ["with words around it", "Here you go:\n\n```ts\ny = 2\nz = 3\n```\n\nNow `z` has a value.", read],
  ["with the marks", "```\n<|rewrite|>\ny = 2\nz = 3\n<|/rewrite|>\n```", read],
  ["with tildes", "~~~\ny = 2\nz = 3\n~~~", read],
  ["after reasoning", "<think>\n```\ny = 9\n```\n</think>\n```\ny = 2\nz = 3\n```", read],
  ["with the lines around", "```\nx = 1\ny = 2\nz = 3\nw = 4\n```", read],
  ["nothing but a line below", "```\nw = 4\n```", "x = 1\ny = 2\nz = \nw = 4\n"],
  ["the fence not closed, as many lines", "```\ny = 2\nz = 3", read],
  [
    "the fence not closed, fewer lines",
    "```\ny = 2\n",
    "x = 1\ny = 2\nz = \nw = 4\n(unreadable: The answer has fewer lines than there are to edit, and marks no end.)",
  ],
  ["no line in it", "```\n```", "x = 1\ny = 2\nz = \nw = 4\n(unreadable: The answer has none of the lines to edit.)"],
  ["words alone", "Nothing comes to mind", "x = 1\ny = 2\nz = \nw = 4\n(unreadable: The answer has no block of code.)"],
])("chat reads an answer: %s", async (_, answer, shown) => expect(await readAs(chat, input, answer)).toBe(shown));

test("code with a fence is put in a longer fence", async () => {
  const notation = "«```ts\na|\n```\n»";
  expect(printQuestion(chat.ask(promptInputOf(notation)))).toContain("between two rows of ````,");
  expect(await readAs(chat, notation, "````\n```ts\nab\n```\n````")).toBe("```ts\n[a|ab]\n```\n");
  expect(await readAs(chat, notation, "```\n```ts\nab\n```\n```")).toBe(
    "```ts\na\n```\n(unreadable: The fence ``` around the answer is no longer than one that the code has.)",
  );
});

test("the prompt in the chat format is the golden one", async () => {
  await expect(printQuestion(chat.ask(goldenPromptInput))).toMatchFileSnapshot("./fixtures/chat.md");
});
