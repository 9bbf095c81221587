import { expect, test } from "vitest";
import { printQuestion, promptInputOf, readAs, testNextEditFormat } from "./format.laws.ts";
import { goldenPromptInput } from "./golden-prompt-input.laws.ts";
import { zeta2, zeta2Marks } from "./zeta-2.ts";

testNextEditFormat(zeta2, {
  answer: (lines) => `${lines.map((line) => `${line}\n`).join("")}>>>>>>> UPDATED\n`,
  none: ["NO_EDITS\n>>>>>>> UPDATED\n", "NO_EDITS", ">>>>>>> UPDATED"],
  unreadable: ["<<<<<<< CURRENT\na\n", "NO_EDITS\nb\n>>>>>>> UPDATED\n", "<filename>src/b.ts\n"],
  marks: [...zeta2Marks.anywhere, ...zeta2Marks.asLine!],
  cursor: "<|user_cursor|>",
});

const input = "x = 1\n«y = 2\nz = |\n»w = 4\n";

test.each([
  ["as it was trained", "y = 2\nz = 3\n>>>>>>> UPDATED\n", "x = 1\ny = 2\n[z = |z = 3]\nw = 4\n"],
  ["with the cursor", "y = 2\nz = 3<|user_cursor|>\n>>>>>>> UPDATED\n", "x = 1\ny = 2\n[z = |z = 3]\nw = 4\n"],
  ["no edits", "NO_EDITS\n>>>>>>> UPDATED\n", "x = 1\ny = 2\nz = \nw = 4\n"],
  [
    "no edits behind lines",
    "y = 3\nNO_EDITS\n>>>>>>> UPDATED\n",
    "x = 1\ny = 2\nz = \nw = 4\n(unreadable: The answer contains lines and NO_EDITS.)",
  ],
  ["lines that go", "z = \n>>>>>>> UPDATED\n", "x = 1\n[y = 2\n|]z = \nw = 4\n"],
])("zeta 2 reads an answer: %s", async (_, answer, read) => expect(await readAs(zeta2, input, answer)).toBe(read));

test("a line between the sides of a conflict is refused, a heading like it is not", () => {
  expect(zeta2.ask(promptInputOf("«a|\n=======\n»"))).toEqual({
    kind: "refused",
    reason: { kind: "says-mark", mark: "=======" },
  });
  expect(zeta2.ask(promptInputOf("«a|\n==========\n»")).kind).toBe("raw");
});

test("the prompt in the Zeta 2 format is the golden one", async () => {
  await expect(printQuestion(zeta2.ask(goldenPromptInput))).toMatchFileSnapshot("./fixtures/zeta-2.txt");
});
