import { expect, test } from "vitest";
import { printQuestion, readAs, sceneOf, testNextEditFormat } from "./format.laws.ts";
import { goldenScene } from "./golden-scene.laws.ts";
import { zeta2, zeta2Marks } from "./zeta-2.ts";

testNextEditFormat(zeta2, {
  answer: (lines) => `${lines.map((line) => `${line}\n`).join("")}>>>>>>> UPDATED\n`,
  none: ["NO_EDITS\n>>>>>>> UPDATED\n", "NO_EDITS", ">>>>>>> UPDATED"],
  unreadable: ["<<<<<<< CURRENT\na\n", "NO_EDITS\nb\n>>>>>>> UPDATED\n", "<filename>src/b.ts\n"],
  marks: [...zeta2Marks.anywhere, ...zeta2Marks.asLine!],
  cursor: "<|user_cursor|>",
});

const scene = "x = 1\n«y = 2\nz = |\n»w = 4\n";

test.each([
  ["as it was trained", "y = 2\nz = 3\n>>>>>>> UPDATED\n", "x = 1\ny = 2\n[z = |z = 3]\nw = 4\n"],
  ["with the cursor", "y = 2\nz = 3<|user_cursor|>\n>>>>>>> UPDATED\n", "x = 1\ny = 2\n[z = |z = 3]\nw = 4\n"],
  ["no edits", "NO_EDITS\n>>>>>>> UPDATED\n", "x = 1\ny = 2\nz = \nw = 4\n"],
  [
    "no edits behind lines",
    "y = 3\nNO_EDITS\n>>>>>>> UPDATED\n",
    "x = 1\ny = 2\nz = \nw = 4\n(unreadable: The answer has lines and says NO_EDITS.)",
  ],
  ["lines that go", "z = \n>>>>>>> UPDATED\n", "x = 1\n[y = 2\n|]z = \nw = 4\n"],
])("%s", async (_, said, read) => expect(await readAs(zeta2, scene, said)).toBe(read));

test("a line between the sides of a conflict is refused, a heading like it is not", () => {
  expect(zeta2.ask(sceneOf("«a|\n=======\n»"))).toEqual({
    kind: "refused",
    reason: { kind: "says-mark", mark: "=======" },
  });
  expect(zeta2.ask(sceneOf("«a|\n==========\n»")).kind).toBe("raw");
});

test("a prompt", async () => {
  await expect(printQuestion(zeta2.ask(goldenScene))).toMatchFileSnapshot("./fixtures/zeta-2.txt");
});
