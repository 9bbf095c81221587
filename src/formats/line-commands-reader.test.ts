import { expect, test } from "vitest";
import { printParts } from "./format.laws.ts";
import { lineCommands } from "./line-commands.ts";

/** `]` alone in a row is replaced by `end_of_edit`. */
const cases: readonly (readonly [name: string, answer: string, expected: string])[] = [
  ["a line", "edit 4:4\nx\n]", "[3,4) => `x`"],
  ["lines", "edit 4:6\n  x\n\n]", "[3,6) => `  x` ``"],
  ["lines that go", "edit 4:6\n]", "[3,6) =>"],
  ["several edits", "edit 4:4\nx\n]\nedit 1:2\ny\n]", "[3,4) => `x`; [0,2) => `y`"],
  ["new lines", "insert 4\nx\nend_of_insert", "[4,4) => `x`"],
  ["new lines at the top", "insert 0\nx\nend_of_insert", "[0,0) => `x`"],
  ["a file that is opened", "open src/a.ts\nedit 4:4\nx\n]", "src/a.ts [3,4) => `x`"],
  ["a file that is opened at a line", 'open "a b.ts" 12\nedit 4:4\nx\n]', "a b.ts [3,4) => `x`"],
  ["a new file", "create n.ts\nedit 1:1\nx\n]\nedit 1:1\ny\n]", "n.ts create `x`; n.ts [0,1) => `y`"],
  ["an empty new file", "create n.ts\n", "n.ts create"],
  ["another end", "edit 4:4 << EOF\nx\n]\nEOF", "[3,4) => `x` `end_of_edit`"],
  ["a row that nearly ends", "edit 1:9\nx\nend_of_input\n]", "[0,9) => `x` `end_of_input`"],
  [
    "words and fences around",
    "I edit 4 lines.\nedit 4 lines\ncreate a test\n```\nedit 4:4\nx\n]\n```\n",
    "[3,4) => `x`",
  ],

  ["no end", "edit 4:4\nx\nedit 5:5\ny\n]", "refusal unreadable-row 1; [4,5) => `y`"],
  ["cut off", "edit 4:4\nx\nend_of_ed", "refusal cut-off 1"],
  ["no beginning", "x\n]", "refusal unreadable-row 2"],
  ["one number", "edit 4\nx\n]", "refusal unreadable-row 1"],
  ["no numbers", "edit 4:x\nx\n]", "refusal unreadable-row 1"],
  ["line 0", "edit 0:1\nx\n]", "refusal unreadable-row 1"],
  ["a range that ends before it begins", "edit 6:4\nx\n]", "refusal unreadable-row 1"],
  ["nothing to change", "No changes.", "no change"],
  ["nothing but words", "I cannot do that.", "refusal no-edits"],
];

for (const [name, answer, expected] of cases) {
  test(`the line-commands reader reads ${name}`, () => {
    const reader = lineCommands.read({ paths: ["src/a.ts"] });
    const spelt = answer.replace(/^\]$/gm, "end_of_edit");
    expect(printParts([...reader.push(spelt), ...reader.end(false)])).toBe(expected);
  });
}

test("the reader reports the open operation before it is complete", () => {
  const reader = lineCommands.read({ paths: ["src/a.ts"] });
  expect(reader.push("edit 4:4\nx\ny")).toEqual([]);
  expect(reader.open).toMatchObject({ kind: "lines", start: 3, end: 4, lines: ["x"] });
  expect(printParts(reader.push("\nend_of_edit\n"))).toBe("[3,4) => `x` `y`");
});

test.each(["open sp ace/my file.ts", "open `sp ace/my file.ts`", "open my file.ts 12"])(
  "row 21: %s names a file with blanks",
  (row) => {
    const reader = lineCommands.read({ paths: ["a.ts"] });
    const parts = [...reader.push(`open a.ts\n${row}\nedit 1:1\nx\nend_of_edit\n`), ...reader.end(false)];
    expect(printParts(parts)).toMatch(/^(?:sp ace\/)?my file\.ts \[0,1\) => `x`$/);
  },
);
