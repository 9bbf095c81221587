import { expect, test } from "vitest";
import { printParts } from "./format.laws.ts";
import { readAnswer } from "./reading/answer-reader.ts";
import { v4a } from "./v4a.ts";

/**
 * `{` and `}` alone in a row are replaced by `*** Begin Patch` and `*** End Patch`, `*a`, `*u`,
 * `*d` by the marks of files.
 */
const cases: readonly (readonly [name: string, answer: string, expected: string])[] = [
  ["an update", "{\n*u a.ts\n@@\n x\n-y\n+z\n}", "a.ts block `x` `y` => `x` `z`"],
  ["no @@ in front of the first hunk", "{\n*u a.ts\n x\n-y\n}", "a.ts block `x` `y` => `x`"],
  ["two hunks", "{\n*u a.ts\n@@\n-y\n+z\n@@\n-u\n}", "a.ts block `y` => `z`; a.ts block `u` =>"],
  ["new lines alone", "{\n*u a.ts\n@@\n+z\n}", "a.ts block => `z`"],
  ["a new file", "{\n*a a.ts\n+x\n+\n+ y\n}", "a.ts create `x` `` ` y`"],
  ["an empty new file", "{\n*a a.ts\n}", "a.ts create"],
  ["a file that was shown is added", "{\n*a src/a.ts\n+x\n}", "src/a.ts whole `x`"],
  ["a file that goes", "{\n*d a b.ts\n}", "a b.ts remove"],
  ["a file that moves", "{\n*u a.ts\n*** Move to: b.ts\n@@\n-x\n+y\n}", "a.ts block `x` => `y`; a.ts move b.ts"],
  ["a file that only moves", "{\n*u a.ts\n*** Move to: b.ts\n}", "a.ts move b.ts"],
  ["several files", "{\n*a a\n+x\n*d b\n*u c\n-y\n}", "a create `x`; b remove; c block `y` =>"],
  ["empty rows for blank lines", "{\n*u a\n@@\n x\n\n-y\n}", "a block `x` `` `y` => `x` ``"],
  [
    "empty rows in front of a mark",
    "{\n*u a\n@@\n-y\n\n\n@@\n-z\n\n*a b\n+x\n\n}",
    "a block `y` =>; a block `z` =>; b create `x`",
  ],
  ["blanks around marks", " *** Begin Patch\n  *** Update File: a\n@@\n-x\n*** End Patch ", "a block `x` =>"],
  [
    "a line that looks like a mark",
    "{\n*u a\n@@\n *** End Patch\n-x\n}",
    "a block `*** End Patch` `x` => `*** End Patch`",
  ],
  [
    "CRLF",
    "{\r\n*u a\r\n@@\r\n-x\r\n+y\r\n}\r\n"
      .replace("*u", "*** Update File:")
      .replace("{", "*** Begin Patch")
      .replace("}", "*** End Patch"),
    "a block `x` => `y`",
  ],

  ["words around", "Here:\n\n```\n{\n*u a\n-x\n}\n```\nDone.", "a block `x` =>"],
  ["a command around", "apply_patch <<'EOF'\n{\n*u a\n-x\n}\nEOF", "a block `x` =>"],
  [
    "a JSON string around",
    '{"cmd":["apply_patch","*** Begin Patch\\n*** Update File: a\\n@@\\n-\\"x\\"\\n*** End Patch"]}',
    'a block `"x"` =>',
  ],
  ["code behind", "{\n*u a\n-x\n}\n```ts\ny\n```", "a block `x` =>; normalization marks 5"],
  [
    "code behind, below its path",
    "{\n*u a\n-x\n}\nsrc/a.ts\n```ts\ny\n```",
    "a block `x` =>; refusal unreadable-row 6",
  ],
  ["two patches", "{\n*u a\n-x\n}\n{\n*u b\n-y\n}", "a block `x` =>; b block `y` =>"],
  ["no mark at the beginning", "*u a\n-x\n}", "normalization marks 1; a block `x` =>"],
  ["a fence for an end", "```\n{\n*u a\n-x\n```", "normalization marks 5; a block `x` =>"],
  ["the end of a command for an end", "apply_patch <<EOF\n{\n*u a\n-x\nEOF", "normalization marks 5; a block `x` =>"],
  [
    "fences in a fenced patch",
    "```\n{\n*u a.md\n@@\n ```\n-x\n ```\n}\n```",
    "a.md block ````` `x` ````` => ````` `````",
  ],
  ["a line that stays without a blank", "{\n*u a\n@@\nx\n-y\n}", "normalization marks 4; a block `x` `y` => `x`"],
  ["a line that stays, begun by a tab", "{\n*u a\n@@\n\tx\n-y\n}", "normalization marks 4; a block `\tx` `y` => `\tx`"],
  ["new lines without a plus", "{\n*a a\nx\n\n  y\n}", "normalization marks 3; a create `x` `` `  y`"],

  ["no end", "{\n*u a\n@@\n-x\n@@\n-y", "a block `x` =>; refusal cut-off 5"],
  ["no end behind a deletion", "{\n*d a", "refusal cut-off 2"],
  ["no end of a JSON string", '{"input":"*** Begin Patch\\n*** Update', "refusal cut-off 1"],
  ["an empty patch", "{\n}", "refusal no-edits"],
  ["an update without a hunk", "{\n*u a\n}", "refusal no-edits 2"],
  ["a hunk without rows", "{\n*u a\n@@ x\n}", "refusal unreadable-row 3"],
  ["a hunk that changes nothing", "{\n*u a\n@@\n x\n y\n}", "refusal no-change 3"],
  ["a mark that is none", "{\n*** Frobnicate File: a\nx\n*u b\n-y\n}", "refusal unreadable-row 2; b block `y` =>"],
  ["rows of no file", "{\nx\ny\n*u b\n-y\n}", "refusal unreadable-row 2; b block `y` =>"],
  ["rows of a file that goes", "{\n*d a\n-x\n}", "refusal unreadable-row 3; a remove"],
  ["a move in the wrong place", "{\n*u a\n-x\n*** Move to: b\n}", "refusal unreadable-row 4; a block `x` =>"],
  ["nothing to change", "No changes.", "no change"],
  ["nothing but words", "I cannot do that.", "refusal no-edits"],
];

const marks: Readonly<Record<string, string>> = {
  "{": "*** Begin Patch",
  "}": "*** End Patch",
  "*u": "*** Update File:",
  "*a": "*** Add File:",
  "*d": "*** Delete File:",
};

for (const [name, answer, expected] of cases) {
  test(`the v4a reader reads ${name}`, () => {
    const reader = v4a.read({ paths: ["src/a.ts"] });
    const spelt = answer.replace(/^(?:[{}]$|\*[uad](?= ))/gm, (mark) => marks[mark]!);
    expect(printParts([...reader.push(spelt), ...reader.end(false)])).toBe(expected);
  });
}

test.each([
  ["{\n*a src/new\nline.ts\n}", "refusal unsafe-path 2"],
  ["{\n*a src/new\nline.ts\n+x\n*d b\n}", "refusal unsafe-path 2; b remove"],
  ["{\n*u src/\na.ts\n@@\n-x\n+y\n}", "refusal unsafe-path 2"],
  ["{\n*d src\nlib/a.ts\n}", "refusal unsafe-path 2"],
  ["{\n*u a.ts\n*** Move to: src/\nb.ts\n@@\n-x\n}", "refusal unsafe-path 2"],
  ["{\n*a src/new\nx + y\n}", "normalization marks 3; src/new create `x + y`"],
  ["{\n*a VERSION\n+1.2\n}", "VERSION create `1.2`"],
])("row 9: a path that goes on in the row below: %j", (answer, expected) => {
  const spelt = answer.replace(/^(?:[{}]$|\*[uad](?= ))/gm, (mark) => marks[mark]!);
  const reader = v4a.read({ paths: [] });
  expect(printParts([...reader.push(spelt), ...reader.end(false)])).toBe(expected);
});

const places: readonly (readonly [name: string, rows: string, expected: object])[] = [
  ["a heading", "@@ class A {\n-x\n", { headings: ["class A {"] }],
  ["a heading between marks", "@@ class A { @@\n-x\n", { headings: ["class A {"] }],
  ["headings inside of one another", "@@ class A {\n@@   half() {\n-x\n", { headings: ["class A {", "  half() {"] }],
  ["numbers of a diff", "@@ -12,3 +12,4 @@\n-x\n", { near: 11 }],
  ["the end of the file", "@@\n-x\n*** End of File\n", { isAtEnd: true, finalNewline: true }],
];

for (const [name, rows, expected] of places) {
  test(`the place of a hunk: ${name}`, () => {
    const answer = `*** Begin Patch\n*** Update File: a\n${rows}*** End Patch`;
    const { operations } = readAnswer(v4a.read({ paths: [] }), answer);
    expect(operations).toMatchObject([{ kind: "block", search: ["x"], replace: [], ...expected }]);
  });
}

test("an answer cut after its end is complete", () => {
  const answer = "*** Begin Patch\n*** Delete File: a\n*** End Patch";
  expect(readAnswer(v4a.read({ paths: [] }), answer, true).refusals).toEqual([]);
  expect(readAnswer(v4a.read({ paths: [] }), "", true).refusals).toMatchObject([{ kind: "cut-off" }]);
});

test("the reader reports the open operation before it is complete", () => {
  const reader = v4a.read({ paths: [] });
  expect(reader.push("*** Begin Patch\n*** Update File: a\n@@\n x\n-y\n+")).toEqual([]);
  expect(reader.open).toMatchObject({ kind: "block", search: ["x", "y"], replace: ["x"] });
  expect(printParts(reader.push("z\n*** Add File: b\n"))).toBe("a block `x` `y` => `x` `z`");
  expect(reader.open).toMatchObject({ kind: "create", path: "b", lines: [] });
});
