import { expect, test } from "vitest";
import { printParts } from "./format.laws.ts";
import { numbered } from "./numbered.ts";
import { readAnswer } from "./reading/answer-reader.ts";

/** Rows inside a fence, separated by ` / `. */
const blocks: readonly (readonly [name: string, rows: string, expected: string])[] = [
  ["a line", "3:  return a;", "[2,3) => `  return a;`"],
  ["several lines for one", "3:a / 3: / 3:b", "[2,3) => `a` `` `b`"],
  ["deletion", "3: / 4:", "[2,3) =>; [3,4) =>"],
  ["an empty line in place of one", "3=", "[2,3) => ``"],
  ["two empty lines", "3: / 3:", "[2,3) => `` ``"],
  ["an empty line among others", "3= / 3:a", "[2,3) => `` `a`"],
  ["the top and the end", "_:a / _: / +: / +:b", "[0,0) => `a` ``; block => `` `b`"],
  ["code that looks like a row", "3:1: 'a' / 3:2=b", "[2,3) => `1: 'a'` `2=b`"],
  ["code that looks like a fence", "3:```", "[2,3) => ` ``` `".replaceAll(" ``` ", "```")],
  ["numbers in any order", "9:a / 3:b", "[8,9) => `a`; [2,3) => `b`"],
  ["nothing to change", "No changes.", "no change"],

  ["line 0", "0:a", "refusal no-such-line 2"],
  ["a range", "2-3:a", "refusal unreadable-row 2"],
  ["a hexadecimal number", "0x3:a", "refusal unreadable-row 2"],
  ["a number with an exponent", "1e0:a", "refusal unreadable-row 2"],
  ["a number with a zero in front", "03:a", "refusal unreadable-row 2"],
  ["code of an object that looks numbered", "1:const a = { /   2: 'b', / 1:};", "refusal unreadable-row 3"],
  ["code behind the sign of an empty line", "3=a", "refusal unreadable-row 2"],
  ["a row without a number", "3:a / b / c / 4:d", "refusal unreadable-row 3; [3,4) => `d`"],
  ["a blank row", "3:a /  / 3:b", "refusal unreadable-row 3"],
  ["a group that goes on after another", "2:a / 3:b / 2:c", "[1,2) => `a`; [2,3) => `b`; refusal overlap 4"],
  ["edits, and nothing to change", "3:a / No changes.", "[2,3) => `a`; refusal unreadable-row 3"],
];

for (const [name, rows, expected] of blocks) {
  test(`the numbered reader reads a block: ${name}`, () => {
    expect(partsOf(`\`\`\`ts\n${rows.replaceAll(" / ", "\n")}\n\`\`\`\n`)).toBe(expected);
  });
}

const answers: readonly (readonly [name: string, answer: string, expected: string])[] = [
  ["words around", "Here:\n```\n3:a\n```\nDone.", "[2,3) => `a`"],
  ["two blocks", "```\n3:a\n```\n```\n4:b\n```", "[2,3) => `a`; [3,4) => `b`"],
  ["a line in two blocks", "```\n3:a\n```\n```\n3:b\n```", "[2,3) => `a`; refusal overlap 5"],
  [
    "several files",
    "# src/a.ts\n\n```ts\n3:a\n```\n**`lib/b.ts`**:\n```\n3:b\n```",
    "src/a.ts [2,3) => `a`; lib/b.ts [2,3) => `b`",
  ],
  ["a heading in words", "# What I did\n```\n3:a\n```", "[2,3) => `a`"],
  ["a row behind the marks of the fence", "```2:x\n3:a\n```", "refusal unreadable-row 1; [2,3) => `a`"],
  ["a path in the fence", "```ts src/a.ts\n3:a\n```", "src/a.ts [2,3) => `a`"],
  ["no fence", "3:a\n4:b\n", "[2,3) => `a`; [3,4) => `b`; normalization fence 1"],
  ["no fence, a range alone", "2-3:  a\n", "refusal unreadable-row 1; normalization fence 1"],
  [
    "no fence, a range behind words",
    "Sure.\n2 - 3:  a\n4:b",
    "refusal unreadable-row 2; [3,4) => `b`; normalization fence 2",
  ],
  ["a range beside a fence", "2-3:a\n```\n4:b\n```", "refusal unreadable-row 1; [3,4) => `b`"],
  ["no fence, words around", "Sure.\n3:a\n\nDone.", "[2,3) => `a`; normalization fence 2"],
  ["no fence, words between", "3:a\nand\n4:b", "refusal unreadable-row 2; [3,4) => `b`; normalization fence 1"],
  ["no fence, code behind", "3:a\n  const z = 1;\n", "refusal unreadable-row 2; normalization fence 1"],
  ["no fence, code behind words", "3:a\n\nDone.\nreturn z;\n", "refusal unreadable-row 4; normalization fence 1"],
  ["rows beside a fence", "3:a\n```\n4:b\n```", "refusal unreadable-row 1; [3,4) => `b`"],
  ["a fence that is not closed", "```\n3:a\n4:b", "[2,3) => `a`; refusal cut-off 3"],
  ["whole code", "```\na\nb\n```", "refusal unreadable-row 2"],
  ["an empty block", "```\n```", "refusal no-edits"],
  ["nothing to change, outside of a block", "Looks good.\n\nNo changes needed.", "no change"],
  ["words alone", "I cannot.", "refusal no-edits"],
];

for (const [name, answer, expected] of answers) {
  test(`the numbered reader reads an answer: ${name}`, () => expect(partsOf(answer)).toBe(expected));
}

test("a cut-off answer in numbered is refused wherever it ends", () => {
  const cut = readAnswer(numbered.read({ paths: [] }), "```\n3:a\n```\n", true);
  expect(cut).toMatchObject({ operations: [{ kind: "lines" }], refusals: [{ kind: "cut-off" }] });
});

function partsOf(answer: string): string {
  const reader = numbered.read({ paths: ["src/a.ts"] });
  return printParts([...reader.push(answer), ...reader.end(false)]);
}

test.each([
  ["sp ace/my file.ts", "sp ace/my file.ts [0,1) => `y`"],
  ["`sp ace/my file.ts`", "sp ace/my file.ts [0,1) => `y`"],
  ["### Change lib/b.ts", "Change lib/b.ts [0,1) => `y`"],
  ["Now src/a.ts", "src/a.ts [0,1) => `y`"],
])(
  "row 21: line numbers never go to the file of the block before where a row names another one: %s",
  (row, expected) => {
    const answer = `b.ts\n\`\`\`\n1:x\n\`\`\`\n${row}\n\`\`\`\n1:y\n\`\`\``;
    const reader = numbered.read({ paths: ["src/a.ts", "b.ts"] });
    expect(printParts([...reader.push(answer), ...reader.end(false)])).toBe(`b.ts [0,1) => \`x\`; ${expected}`);
  },
);
