import { expect, test } from "vitest";
import { printParts } from "./format.laws.ts";
import { readAnswer } from "./reading/answer-reader.ts";
import { udiff } from "./udiff.ts";

/** `{` alone in a row is replaced by the two rows that name `a.ts`. */
const cases: readonly (readonly [name: string, answer: string, expected: string])[] = [
  ["numbers", "{\n@@ -3,2 +3,2 @@ half() {\n x\n-y\n+z\n", "a.ts block `x` `y` => `x` `z`"],
  ["dots for numbers", "{\n@@ ... @@\n-y\n+z", "a.ts block `y` => `z`"],
  ["nothing for numbers", "{\n@@ @@\n-y\n+z", "a.ts block `y` => `z`"],
  ["no row of @@", "{\n x\n-y\n+z", "a.ts block `x` `y` => `x` `z`"],
  [
    "wrong numbers",
    "{\n@@ -3,9 +3,1 @@\n x\n-y\n+z\n@@ -9 +9 @@\n-u",
    "normalization marks 3; a.ts block `x` `y` => `x` `z`; normalization marks 7; a.ts block `u` =>",
  ],
  [
    "fewer lines than stated, and words behind",
    "{\n@@ -3,9 +3,9 @@\n x\n-y\n+z\n\nDone.",
    "normalization marks 3; a.ts block `x` `y` => `x` `z`",
  ],
  [
    "fewer lines than stated, in a fence",
    "```\n{\n@@ -3,9 +3,9 @@\n-y\n+z\n```",
    "normalization marks 4; a.ts block `y` => `z`",
  ],
  ["fewer lines than stated, at the end", "{\n@@ -3,9 +3,9 @@\n x\n-y\n+z\n", "refusal cut-off 3"],
  [
    "a line less than stated, with its context",
    "{\n@@ -3,4 +3,4 @@\n x\n-y\n+z\n u\n",
    "normalization marks 3; a.ts block `x` `y` `u` => `x` `z` `u`",
  ],
  [
    "a line less than stated, behind a new line",
    "{\n@@ -3,3 +3,3 @@\n x\n-y\n+z\n",
    "normalization marks 3; a.ts block `x` `y` => `x` `z`",
  ],
  [
    "a line less than stated, behind a blank new line",
    "{\n@@ -3,2 +3,3 @@\n x\n+\n",
    "normalization marks 3; a.ts block `x` => `x` ``",
  ],
  ["two lines less than stated, behind a new line", "{\n@@ -3,4 +3,4 @@\n x\n-y\n+z\n", "refusal cut-off 3"],
  ["two lines less than stated on one side", "{\n@@ -3,3 +3,4 @@\n x\n-y\n+z\n", "refusal cut-off 3"],
  [
    "a line less than stated, without lines that stay",
    "{\n@@ -3,2 +3,2 @@\n-y\n+z\n",
    "normalization marks 3; a.ts block `y` => `z`",
  ],
  [
    "a line less than stated, behind a deleted line",
    "{\n@@ -3,2 +3,1 @@\n-y\n",
    "normalization marks 3; a.ts block `y` =>",
  ],
  [
    "a line less than stated, in turns",
    "{\n@@ -3,3 +3,3 @@\n-x\n+y\n-y\n+z\n",
    "normalization marks 3; a.ts block `x` `y` => `y` `z`",
  ],
  ["two lines less than stated", "{\n@@ -3,3 +3,3 @@\n-y\n+z\n", "refusal cut-off 3"],
  [
    "a line less than stated, behind a blank line that stays",
    "{\n@@ -3,4 +3,4 @@\n x\n-y\n+z\n \n",
    "normalization marks 3; a.ts block `x` `y` `` => `x` `z` ``",
  ],
  [
    "a line less than stated, as in all hunks",
    "{\n@@ -3,3 +3,3 @@\n x\n-y\n+z\n@@ -9,3 +9,3 @@\n u\n-v\n+w\n",
    "normalization marks 3; a.ts block `x` `y` => `x` `z`; normalization marks 7; a.ts block `u` `v` => `u` `w`",
  ],
  [
    "a line less than stated, unlike in other hunks",
    "{\n@@ -3,2 +3,2 @@\n x\n-y\n+z\n@@ -9,3 +9,3 @@\n u\n-v\n+w\n",
    "a.ts block `x` `y` => `x` `z`; normalization marks 7; a.ts block `u` `v` => `u` `w`",
  ],
  ["fewer lines of a new file, at the end", "--- /dev/null\n+++ b/n.ts\n@@ -0,0 +1,9 @@\n+x\n", "refusal cut-off 3"],
  ["paths without a/ and b/", "--- a/b.ts\n+++ a/c.ts\n@@ @@\n-y", "a/c.ts block `y` =>"],
  [
    "a date behind the path",
    "--- a.ts\t2024-01-01 10:00:00\n+++ a.ts 2024-01-01 10:00:00\n@@ @@\n-y",
    "a.ts block `y` =>",
  ],
  ["a path in quotes", '--- "a/\\303\\274 b.ts"\n+++ "b/\\303\\274 b.ts"\n@@ @@\n-y', "ü b.ts block `y` =>"],
  ["a folder that is called a", "--- a/known.ts\n+++ a/known.ts\n@@ @@\n-y", "a/known.ts block `y` =>"],
  ["prefixes of diff.mnemonicPrefix", "--- i/b.ts\n+++ w/b.ts\n@@ @@\n-y", "b.ts block `y` =>"],
  ["git's head", "diff --git a/a.ts b/a.ts\nindex 1..2 100644\n{\n@@ -1 +1 @@\n-y\n+z", "a.ts block `y` => `z`"],
  ["several files", "{\n@@ @@\n-y\n--- a/b.ts\n+++ b/b.ts\n@@ @@\n-z", "a.ts block `y` =>; b.ts block `z` =>"],
  ["several files without @@", "{\n-y\n--- b.ts\n+++ b.ts\n-z", "a.ts block `y` =>; b.ts block `z` =>"],
  [
    "lines that look like a head",
    "{\n@@ -1,2 +1,2 @@\n x\n--- u\n+++ v\n@@ -9 +9 @@\n-y",
    "a.ts block `x` `-- u` => `x` `++ v`; normalization marks 7; a.ts block `y` =>",
  ],
  ["a new file", "--- /dev/null\n+++ b/n.ts\n@@ -0,0 +1,2 @@\n+x\n+\n", "n.ts create `x` ``"],
  ["an empty new file", "diff --git a/n.ts b/n.ts\nnew file mode 100644\n", "n.ts create"],
  ["a file that goes", "--- a/a.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", "a.ts remove"],
  ["an empty file that goes", "diff --git a/a.ts b/a.ts\ndeleted file mode 100644\n", "a.ts remove"],
  [
    "an empty file that goes, in front of another",
    "diff --git a/b.ts b/b.ts\ndeleted file mode 100644\n{\n@@ @@\n-x",
    "b.ts remove; a.ts block `x` =>",
  ],
  ["a quoted path in git's head", 'diff --git "a/\\303\\274" "b/\\303\\274"\nnew file mode 100644', "ü create"],
  [
    "a file that moves",
    "diff --git a/a.ts b/c.ts\nrename from a.ts\nrename to c.ts\n--- a/a.ts\n+++ b/c.ts\n@@ @@\n-x",
    "a.ts block `x` =>; a.ts move c.ts",
  ],
  ["an empty file gets lines", "{\n@@ -0,0 +1 @@\n+x", "a.ts block => `x`"],
  ["empty rows for blank lines", "{\n@@ @@\n x\n\n-y\n\n", "a.ts block `x` `` `y` => `x` ``"],
  ["empty rows that the numbers count", "{\n@@ -1,3 +1,2 @@\n x\n-y\n\n", "a.ts block `x` `y` `` => `x` ``"],
  ["CRLF", "{\n@@ @@\n x\n-y\n".replaceAll("\n", "\r\n"), "a.ts block `x` `y` => `x`"],
  ["fences in a fenced diff", "```diff\n{\n@@ @@\n ```\n-x\n ```\n```", "a.ts block ````` `x` ````` => ````` `````"],
  [
    "several fences",
    "```diff\n{\n@@ @@\n-x\n```\nand\n```diff\n{\n@@ @@\n-y\n```",
    "a.ts block `x` =>; a.ts block `y` =>",
  ],
  ["code behind", "```diff\n{\n@@ @@\n-x\n```\n```ts\ny\n```", "a.ts block `x` =>; normalization marks 7"],
  [
    "code behind, below its path",
    "```diff\n{\n@@ @@\n-x\n```\nsrc/a.ts\n```ts\ny\n```",
    "a.ts block `x` =>; refusal unreadable-row 8",
  ],
  ["a path above the fence", "a.ts\n```diff\n@@ @@\n-x\n```", "a.ts block `x` =>"],
  ["no path", "```diff\n@@ @@\n-x\n```", "block `x` =>"],
  ["words behind", "{\n@@ @@\n x\n-y\n\nThis takes y out.", "a.ts block `x` `y` => `x`"],
  ["a list behind", "{\n@@ -1,2 +1 @@\n x\n-y\n\n- This takes y out.", "a.ts block `x` `y` => `x`"],
  ["a signature behind", "{\n@@ -1 +0,0 @@\n-y\n-- \n2.40", "a.ts block `y` =>"],

  [
    "a line that stays without a blank",
    "{\n@@ @@\n x\n}\n-y",
    "normalization marks 5; a.ts block `x` `}` `y` => `x` `}`",
  ],
  [
    "new lines without a plus",
    "--- /dev/null\n+++ b/n.ts\n@@ -0,0 +1,2 @@\nx\n+y",
    "normalization marks 4; n.ts create `x` `y`",
  ],

  ["no line of the file", "{\n@@ @@\n+x", "refusal unreadable-row 3"],
  ["no line of the file, but a number", "{\n@@ -5,0 +6 @@\n+x", "normalization marks 3; a.ts block => `x`"],
  ["no line of the file, but numbers that disagree", "{\n@@ -5,0 +9 @@\n+x", "refusal unreadable-row 3"],
  ["nothing that changes", "{\n@@ @@\n x", "refusal no-change 3"],
  ["no rows", "{\n@@ @@\n", "refusal unreadable-row 3"],
  ["no rows in one of several hunks", "{\n@@ @@\n@@ @@\n-x", "a.ts block `x` =>; normalization marks 3"],
  ["nothing behind the head", "{\nThat is all.", "refusal no-edits 1"],
  ["lines out of a new file", "--- /dev/null\n+++ b/n.ts\n@@ @@\n-x\n+y", "refusal unreadable-row 3"],
  ["a merge", "diff --cc a.ts\n{\n@@@ -1 -1 +1 @@@\n--x", "refusal unreadable-row 4"],
  [
    "a binary file",
    "diff --git a/a.png b/a.png\nBinary files a/a.png and b/a.png differ\n",
    "refusal unreadable-row 2; refusal no-edits 1",
  ],
  ["a fence that is not closed", "```diff\n{\n@@ @@\n-x\n@@ @@\n-y", "a.ts block `x` =>; refusal cut-off 6"],
  ["nothing to change", "No changes.", "no change"],
  ["nothing but words", "I cannot do that.", "refusal no-edits"],
];

for (const [name, answer, expected] of cases) {
  test(`the udiff reader reads ${name}`, () => {
    const reader = udiff.read({ paths: ["src/a.ts", "a/known.ts"] });
    const spelt = answer.replace(/^\{(?=\r?\n)/gm, "--- a/a.ts\n+++ b/a.ts");
    expect(printParts([...reader.push(spelt), ...reader.end(false)])).toBe(expected);
  });
}

const places: readonly (readonly [name: string, rows: string, expected: object])[] = [
  ["a number", "@@ -12,1 +12,0 @@ half() {\n-x", { near: 11 }],
  ["a broken number", "@@ -12 @@\n-x", { near: 11 }],
  ["a heading", "@@ half() {\n-x", { headings: ["half() {"] }],
  ["a heading between marks", "@@ half() { @@\n-x", { headings: ["half() {"] }],
  ["the end of the file, open before", "@@ @@\n-x\n\\ No newline at end of file\n+x", { finalNewline: true }],
  ["the end of the file, open after", "@@ @@\n-x\n+y\n\\ No newline at end of file", { finalNewline: false }],
];

for (const [name, rows, expected] of places) {
  test(`the place of a hunk: ${name}`, () => {
    const { operations } = readAnswer(udiff.read({ paths: [] }), `--- a\n+++ a\n${rows}`);
    expect(operations).toMatchObject([{ kind: "block", search: ["x"], ...expected }]);
  });
}

test("header names that are no paths refer to the only file", () => {
  const { operations, normalizations } = readAnswer(
    udiff.read({ paths: ["m.go"] }),
    "--- original.go\n+++ updated.go\n@@ @@\n-x",
  );
  expect(operations).toMatchObject([{ path: undefined }]);
  expect(normalizations).toMatchObject([{ kind: "path", path: "m.go" }]);
});

test("a cut-off diff is refused", () => {
  const { operations, refusals } = readAnswer(udiff.read({ paths: [] }), "--- a\n+++ a\n@@ @@\n-x\n@@ @@\n-y\n", true);
  expect(operations).toMatchObject([{ search: ["x"] }]);
  expect(refusals).toMatchObject([{ kind: "cut-off", row: 4 }]);
});

test("the reader reports the open operation before it is complete", () => {
  const reader = udiff.read({ paths: [] });
  expect(reader.push("--- a\n+++ a\n@@ @@\n x\n-y\n+")).toEqual([]);
  expect(reader.open).toMatchObject({ kind: "block", search: ["x", "y"], replace: ["x"] });
  expect(printParts(reader.push("z\n@@ @@\n"))).toBe("a block `x` `y` => `x` `z`");
});

test("a file header without a file name is refused", () => {
  const { operations, refusals } = readAnswer(udiff.read({ paths: ["a"] }), "--- /dev/null\n+++ /dev/null\n");
  expect(operations).toEqual([]);
  expect(refusals).toMatchObject([{ kind: "unreadable-row", row: 0 }]);
});
