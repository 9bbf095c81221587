import { expect, test } from "vitest";
import { endsAlike } from "./ends-alike.ts";
import { printQuestion, readAs, testNextEditFormat } from "./format.laws.ts";
import { goldenScene } from "./golden-scene.laws.ts";
import { instinct, instinctMarks } from "./instinct.ts";

testNextEditFormat(instinct, {
  answer: (lines) => lines.map((line) => `${line}\n`).join(""),
  none: ["<|editable_region_end|>"],
  unreadable: ["a\n<|editable_region_start|>\n", "<|snippet|>\n"],
  marks: instinctMarks.anywhere,
  isOpen: (after, before) => !endsAlike(before, after),
  cursor: "<|user_cursor_is_here|>",
});

const scene = "x = 1\n«y = 2\nz = |\n»w = 4\n";

test.each([
  ["as it was trained", "y = 2\nz = 3", "x = 1\ny = 2\n[z = |z = 3]\nw = 4\n"],
  ["in a fence", "```ts\ny = 2\nz = 3\n```\nI set z.", "x = 1\ny = 2\n[z = |z = 3]\nw = 4\n"],
  [
    "in its marks",
    "<|editable_region_start|>\ny = 2\nz = 3\n<|editable_region_end|>",
    "x = 1\ny = 2\n[z = |z = 3]\nw = 4\n",
  ],
  ["behind thoughts", "<think>\ny = 9\n</think>\ny = 2\nz = 3\n", "x = 1\ny = 2\n[z = |z = 3]\nw = 4\n"],
  [
    "words for the person",
    "I cannot help with that.\nSorry.\n",
    "x = 1\ny = 2\nz = \nw = 4\n(unreadable: The answer has none of the lines to edit, and marks no end.)",
  ],
  ["with a line below, and a line gone", "z = \nw = 4\n", "x = 1\n[y = 2\n|]z = \nw = 4\n"],
  ["lines that go", "z = \n", "x = 1\n[y = 2\n|]z = \nw = 4\n"],
])("%s", async (_, said, read) => expect(await readAs(instinct, scene, said)).toBe(read));

test("a fence that the window has too is a line of it", async () => {
  expect(await readAs(instinct, "«```ts\na|\n```\n»", "```ts\nab\n```\n")).toBe("```ts\n[a|ab]\n```\n");
});

test("a prompt", async () => {
  await expect(printQuestion(instinct.ask(goldenScene))).toMatchFileSnapshot("./fixtures/instinct.md");
});
