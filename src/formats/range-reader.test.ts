import { expect, test } from "vitest";
import { printParts } from "./format.laws.ts";
import { range } from "./range.ts";
import { readAnswer } from "./reading/answer-reader.ts";

const cases: readonly (readonly [name: string, answer: string, expected: string])[] = [
  ["one line", "@@ 2 return a\n  return b;\n@@ end", "[1,2) 1:return a => `  return b;`"],
  ["a range", "@@ 2-4 if (a | }\nx\ny\n@@ end", "[1,4) 1:if (a 3:} => `x` `y`"],
  ["blank lines at both ends", "@@ 2-4 |\nx\n@@ end", "[1,4) 1: 3: => `x`"],
  ["a blank first line", "@@ 2-4 | }\nx\n@@ end", "[1,4) 1: 3:} => `x`"],
  ["a blank last line", "@@ 2-4 a |\nx\n@@ end", "[1,4) 1:a 3: => `x`"],
  ["openings that begin with a bar", '@@ 2-4 | "a" | | "b"\nx\n@@ end', '[1,4) 1:| "a" 3:| "b" => `x`'],
  ["an opening that looks like a range", "@@ 2 - 5 items\nx\n@@ end", "[1,2) 1:- 5 items => `x`"],
  ["an opening that begins with a colon", "@@ 2 : b\nx\n@@ end", "[1,2) 1:: b => `x`"],
  ["a blank line", "@@ 2\nx\n@@ end", "[1,2) 1: => `x`"],
  ["insertion", "@@ 2+ a\nx\n@@ end", "[2,2) 1:a => `x`"],
  ["insertion at the top", "@@ 0+\nx\n@@ end", "[0,0) => `x`"],
  ["deletion", "@@ delete 2-4 a | b\n\n@@ delete 7 c\n@@ end", "[1,4) 1:a 3:b =>; [6,7) 6:c =>"],
  ["blank rows are code", "@@ 2 a\n\n\n@@ end", "[1,2) 1:a => `` ``"],
  ["escaped rows", "@@ 2 a\n\\@@ end\n\\\\@@\n \\```\n\\x\n@@ end", "[1,2) 1:a => `@@ end` `\\@@` ` ```` `\\x`"],
  [
    "several files",
    "@@ file b c.ts\n@@ 1 a\nx\n@@ file `d.ts`\n@@ 2 b\ny\n@@ end",
    "b c.ts [0,1) 0:a => `x`; d.ts [1,2) 1:b => `y`",
  ],
  [
    "files made, gone and moved",
    '@@ create n.ts\nx\n@@ create e.ts\n@@ remove "a\\"b"\n@@ move "a b" c\n@@ end',
    'n.ts create `x`; e.ts create; a"b remove; a b move c',
  ],
  [
    "the file stays named behind one that is made",
    "@@ file a\n@@ create b\n@@ 1 a\nx\n@@ end",
    "b create; a [0,1) 0:a => `x`",
  ],
  ["nothing to change", "@@ none\n@@ end", "no change"],
  ["nothing to change, without an end", "@@ none", "no change"],

  ["nothing to change, in words", "No changes are needed.\n", "no change"],
  ["heads that are closed", "@@ 1-2 a | b @@\nx\n@@ 4 @@\ny\n@@ end @@", "[0,2) 0:a 1:b => `x`; [3,4) 3:@@ => `y`"],
  ["words in front", "Here it is:\n\n@@ 1 a\nx\n@@ end", "normalization marks 1; [0,1) 0:a => `x`"],
  ["words behind", "@@ 1 a\nx\n@@ end\nDone.", "[0,1) 0:a => `x`; normalization marks 4"],
  ["a fence around all", "```\n@@ 1 a\nx\n@@ end\n```", "normalization fence 1; [0,1) 0:a => `x`"],
  ["a fence around all but the end", "```\n@@ 1 a\nx\n```\n@@ end", "normalization fence 1; [0,1) 0:a => `x`"],
  [
    "a fence around each, words between",
    "```\n@@ 1 a\nx\n```\nThen:\n```\n@@ 2 b\ny\n```\n@@ end",
    "normalization fence 1; [0,1) 0:a => `x`; normalization fence 6; normalization marks 5; [1,2) 1:b => `y`",
  ],
  ["a fence around the rows", "@@ 1 a\n```ts\nx\n```\n\n@@ end", "normalization fence 1; [0,1) 0:a => `x`"],
  [
    "a fence in the code of a fenced answer",
    "~~~\n@@ 1 a\n```\n@@ end\n~~~",
    "normalization fence 1; refusal unreadable-row 2",
  ],
  [
    "a fence that the old text has too",
    "@@ 1-3 ```ts | ```\n```js\ny\n```\n@@ end",
    "[0,3) 0:```ts 2:``` => ````js` `y` `````",
  ],
  [
    "fences of a Markdown file",
    "```\n@@ file a.md\n@@ 1 a\n```js\ny\n```\n@@ end\n```",
    "normalization fence 1; a.md [0,1) 0:a => ````js` `y` `````",
  ],
  [
    "a fence around the edits of a Markdown file",
    "```\n@@ file a.md\n@@ 1 a\ny\n```\n@@ end",
    "normalization fence 1; a.md [0,1) 0:a => `y`",
  ],
  [
    "an end in the middle",
    "@@ 1 a\nx\n@@ end\n@@ 2 b\ny\n@@ end",
    "[0,1) 0:a => `x`; normalization marks 4; [1,2) 1:b => `y`",
  ],
  ["code behind", "@@ 1 a\nx\n@@ end\n```ts\ny\n```", "[0,1) 0:a => `x`; normalization fence 4; normalization marks 4"],
  [
    "commands behind",
    "@@ 1 a\nx\n@@ end\n```sh\ny\n```",
    "[0,1) 0:a => `x`; normalization fence 4; normalization marks 4",
  ],
  [
    "code behind, below its path",
    "@@ 1 a\nx\n@@ end\nsrc/a.ts\n```ts\ny\n```",
    "[0,1) 0:a => `x`; normalization fence 5; normalization marks 4; refusal unreadable-row 5",
  ],
  ["an end twice", "@@ 1 a\nx\n@@ end\n@@ end", "[0,1) 0:a => `x`"],
  ["a range without openings", "@@ 2-3\nx\n@@ end", "normalization marks 1; [1,3) => `x`"],
  ["a range with one opening", "@@ 2-3 a\nx\n@@ end", "normalization marks 1; [1,3) 1:a => `x`"],
  [
    "numbers of the display",
    "@@ 2-3 a | b\n2\tx\n3\ty\n4:z\n@@ end",
    "normalization display-prefix 1; [1,3) 1:a 2:b => `x` `y` `z`",
  ],
  ["numbers of the display, not in all rows", "@@ 2 a\n2:x\ny\n@@ end", "[1,2) 1:a => `2:x` `y`"],
  ["numbers that do not count up", "@@ 2 a\n2:x\n2:y\n@@ end", "[1,2) 1:a => `2:x` `2:y`"],
  ["numbers that are code", "@@ 2-3 2 | 3\n2\tx\n3\ty\n@@ end", "[1,3) 1:2 2:3 => `2\tx` `3\ty`"],

  ["no end", "@@ 1 a\nx\n@@ 2 b\ny\n", "[0,1) 0:a => `x`; refusal cut-off 3"],
  ["no end behind a deletion", "@@ delete 1", "refusal cut-off 1"],
  ["no end behind a file", "@@ file a.ts", "refusal cut-off 1"],
  ["no rows", "@@ 1 a\n@@ 2 b\ny\n@@ end", "refusal unreadable-row 1; [1,2) 1:b => `y`"],
  ["rows behind a deletion", "@@ delete 1 a\nx\n@@ end", "refusal unreadable-row 2"],
  ["rows behind a file", "@@ file a\nx\n@@ 1 a\ny\n@@ end", "refusal unreadable-row 2; a [0,1) 0:a => `y`"],
  ["line 0", "@@ 0 a\nx\n@@ end", "refusal unreadable-row 1"],
  ["a range that ends before it begins", "@@ 3-2 a | b\nx\n@@ end", "refusal unreadable-row 1"],
  ["a deletion between lines", "@@ delete 3+ a\n@@ end", "refusal unreadable-row 1"],
  [
    "a command that is none",
    "@@ 1 a\nx\n@@ -1,2 +1,2 @@\ny\n@@ 3 c\nz\n@@ end",
    "refusal unreadable-row 3; [2,3) 2:c => `z`",
  ],
  ["a command that is none behind a deletion", "@@ delete 1 a\n@@ x\n@@ end", "[0,1) 0:a =>; refusal unreadable-row 2"],
  ["a path is missing", "@@ create\nx\n@@ end", "refusal unreadable-row 1"],
  ["a move of three paths", "@@ move a b c\n@@ end", "refusal unreadable-row 1"],
  ["a fence that is not closed", "@@ 1 a\n```ts\nx\n@@ end", "refusal unreadable-row 1"],
  ["edits, and nothing to change", "@@ 1 a\nx\n@@ none\n@@ end", "[0,1) 0:a => `x`; refusal unreadable-row"],
  ["nothing but words", "I cannot do that.", "refusal no-edits"],
  ["nothing", "", "refusal no-edits"],
];

for (const [name, answer, expected] of cases) {
  test(`the range reader reads ${name}`, () => {
    const reader = range.read({ paths: ["src/a.ts"] });
    expect(printParts([...reader.push(answer), ...reader.end(false)])).toBe(expected);
  });
}

test("an answer cut after its end is complete", () => {
  const answer = "@@ 1 a\nx\n@@ end";
  expect(readAnswer(range.read({ paths: [] }), answer, true).refusals).toEqual([]);
  expect(readAnswer(range.read({ paths: [] }), "", true).refusals).toMatchObject([{ kind: "cut-off" }]);
});

test("the reader reports the open operation before it is complete", () => {
  const reader = range.read({ paths: ["src/a.ts"] });
  expect(reader.push("@@ 1-2 a | b\nx\ny")).toEqual([]);
  expect(reader.open).toMatchObject({ kind: "lines", start: 0, end: 2, lines: ["x"] });
  expect(reader.push("\n@@ delete 4")).toEqual([]);
  expect(reader.open).toMatchObject({ lines: ["x", "y"] });
  expect(printParts(reader.push("\n"))).toBe("[0,2) 0:a 1:b => `x` `y`");
  expect(reader.open).toBeUndefined();
});
