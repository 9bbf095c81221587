import { expect, test } from "vitest";
import { printQuestion, promptInputOf, readAs, testNextEditFormat } from "./format.laws.ts";
import { goldenPromptInput } from "./golden-prompt-input.laws.ts";
import { WindowLines } from "./window-lines.ts";
import { blockBorders, zeta21, zeta21Marks } from "./zeta-2-1.ts";

testNextEditFormat(zeta21, {
  answer: (lines, input) => {
    const last = blockBorders(WindowLines.of(input)).length;
    return `<|marker_1|>${lines.map((line) => `${line}\n`).join("")}<|marker_${last}|>`;
  },
  none: ["<|marker_1|><|marker_1|>", "<|marker_2|><|marker_2|><[end▁of▁sentence]>", "<|marker_1|>\n<|marker_1|>\n"],
  unreadable: [
    "a = 1\n",
    "<|marker_1|>a = 1\n",
    "<|marker_2|>a = 1\n<|marker_1|>",
    "<|marker_1|>a = 1\n<|marker_9|>",
    "<|marker_1|>a = 1\n<|marker_x|>",
    "<|marker_1|><|marker_1|>a = 1\n",
    "<|marker_1|><filename>b\n<|marker_2|>",
  ],
  marks: zeta21Marks.anywhere,
  cursor: "<|user_cursor|>",
});

const window = "x = 1\n«y = 2\nz = |\n»w = 4\n";
/** Two blocks, the second from `h` on. */
const blocks = "«a\nb|\nc\nd\ne\nf\n\nh\ni\nj\nk\nl\nm\n»n\n";

test.each([
  [
    "as it was trained",
    window,
    "<|marker_1|>y = 2\nz = 3\n<|marker_2|><[end▁of▁sentence]>",
    "x = 1\ny = 2\n[z = |z = 3]\nw = 4\n",
  ],
  [
    "with the cursor",
    window,
    "<|marker_1|>y = 2\nz = 3<|user_cursor|>\n<|marker_2|>",
    "x = 1\ny = 2\n[z = |z = 3]\nw = 4\n",
  ],
  [
    "without a line break in front of the mark",
    window,
    "<|marker_1|>y = 2\nz = 3<|marker_2|>",
    "x = 1\ny = 2\n[z = |z = 3]\nw = 4\n",
  ],
  [
    "a blank line in front, as it was trained",
    window,
    "<|marker_1|>\ny = 2\nz = \n<|marker_2|>\n",
    "x = 1\n[|\n]y = 2\nz = \nw = 4\n",
  ],
  [
    "a blank line put in behind the first line",
    window,
    "<|marker_1|>y = 2\n\nz = \n<|marker_2|>",
    "x = 1\ny = 2\n[|\n]z = \nw = 4\n",
  ],
  ["a block that goes", window, "<|marker_1|><|marker_2|>", "x = 1\n[y = 2\nz = \n|]w = 4\n"],
  [
    "the first block alone",
    blocks,
    "<|marker_1|>a\nB\nc\nd\ne\nf\n\n<|marker_2|>",
    "a\n[b|B]\nc\nd\ne\nf\n\nh\ni\nj\nk\nl\nm\nn\n",
  ],
  [
    "the second block alone",
    blocks,
    "<|marker_2|>h\nI\nj\nk\nl\nm\n<|marker_3|>",
    "a\nb\nc\nd\ne\nf\n\nh\n[i|I]\nj\nk\nl\nm\nn\n",
  ],
  [
    "both, with the mark between",
    blocks,
    "<|marker_1|>a\nb\nc\nd\ne\nF\n\n<|marker_2|>h\nI\nj\nk\nl\nm\n<|marker_3|>",
    "a\nb\nc\nd\ne\n[f|F]\n\nh\n[i|I]\nj\nk\nl\nm\nn\n",
  ],
  [
    "a mark at which it only might end",
    blocks,
    "<|marker_1|>a\nb\n<|marker_2|>c\n",
    "a\nb\nc\nd\ne\nf\n\nh\ni\nj\nk\nl\nm\nn\n(unreadable: The answer has no marker after its last line.)",
  ],
])("zeta 2.1 reads an answer: %s", async (_, notation, answer, read) =>
  expect(await readAs(zeta21, notation, answer)).toBe(read),
);

/** Lines as a string of words, and the lines with markers. */
test.each([
  ["few lines are one block", "a b c d e f g", [0, 7]],
  ["behind a blank line, with enough on both sides", "a b c d e _ g h i j k l", [0, 6, 12]],
  ["not with too little below", "a b c d e _ g h i j k", [0, 11]],
  ["nor with too little above", "a b c d _ f g h i j k l", [0, 12]],
  ["not with a line that ends something", "a b c d e _ } h i j k l m", [0, 7, 13]],
  ["if there is one soon", "a b c d e _ } } } } } l m n o p q", [0, 6, 17]],
  ["where it becomes long", "a b c d e f g h i j k l m n o p q r", [0, 16, 18]],
  ["", "", [0, 1]],
])("blockBorders splits the lines: %s", (_, words, borders) => {
  const lines = words.split(" ").map((word) => (word === "_" ? "" : word));
  expect(blockBorders({ lines, endsBehindLastBreak: false })).toEqual(borders);
});

test("the prompt in the Zeta 2.1 format is the golden one", async () => {
  const question = zeta21.ask(goldenPromptInput);
  await expect(printQuestion(question)).toMatchFileSnapshot("./fixtures/zeta-2-1.txt");
});

test("the prompt has markers between the blocks, and the cursor marker at the cursor", () => {
  const shown = printQuestion(zeta21.ask(promptInputOf(blocks)));
  expect(shown).toContain("<|marker_1|>a\nb<|user_cursor|>\nc\nd\ne\nf\n\n<|marker_2|>h\n");
  expect(shown).toMatch(/m\n<\|marker_3\|>\n<\[fim-middle\]>$/);
});
