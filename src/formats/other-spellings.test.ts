import { expect, test } from "vitest";
import { applyWorkspaceEdit } from "../text/index.ts";
import type { EditFormat } from "./edit-format.ts";
import { resolveOperations } from "./placing/resolve-operations.ts";
import { readAnswer } from "./reading/answer-reader.ts";
import { searchReplace } from "./search-replace.ts";
import { strReplace } from "./str-replace.ts";
import { udiff } from "./udiff.ts";
import { v4a } from "./v4a.ts";

const replayOf = (format: EditFormat, answer: string, before: string, path = "a.ts") => {
  const files = new Map([[path, before]]);
  const content = readAnswer(format.read({ paths: [path] }), answer);
  const placement = resolveOperations(content.operations, files);
  const outcome = applyWorkspaceEdit(files, placement.edit);
  const kinds = [...content.normalizations, ...placement.normalizations].map(({ kind }) => kind);
  const refusals = [...content.refusals, ...placement.refusals].map(({ kind }) => kind);
  return { after: outcome.kind === "applied" ? outcome.files.get(path) : undefined, kinds, refusals };
};
const block = (search: string, replace: string) => `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`;

test.each([
  ["a block", searchReplace, `a.ts\n${block("x;", "y;")}${block("x;", "y;")}`, "x;\nz\n", "y;\nz\n"],
  [
    "a block that adds lines",
    searchReplace,
    `a.ts\n${block("x;", "x;\ny;")}${block("x;", "x;\ny;")}`,
    "x;\n",
    "x;\ny;\n",
  ],
  ["a hunk", udiff, "--- a.ts\n+++ a.ts\n@@ @@\n-x;\n+y;\n@@ @@\n-x;\n+y;\n", "x;\n", "y;\n"],
  [
    "an edit in JSON",
    strReplace,
    '{"old_string":"x","new_string":"xy"}\n{"old_string":"x","new_string":"xy"}\n',
    "x;\n",
    "xy;\n",
  ],
])("row 35: the same twice is taken once: %s", (_, format, answer, before, after) => {
  expect(replayOf(format, answer, before)).toEqual({ after, kinds: ["marks"], refusals: [] });
});

test("row 35: an edit that is repeated for two places is applied to both", () => {
  const { kinds, refusals } = replayOf(searchReplace, `a.ts\n${block("x;", "y;")}${block("x;", "y;")}`, "x;\nx;\n");
  expect([kinds, refusals]).toEqual([[], ["ambiguous", "ambiguous"]]);
});

test.each([
  ["old text with a divider", "a();\n=======\nb();\n=======\nc();", "a();\n=======\nb();\n", "c();\n"],
  ["new text with a divider", "a();\n=======\nb();\n=======\nc();", "a();\nd();\n", "b();\n=======\nc();\nd();\n"],
  ["neither is in the file", "a();\n=======\nb();\n=======\nc();", "d();\n", undefined],
  ["both are in the file", "a();\n=======\nb();\n=======\nc();", "a();\n=======\nb();\na();\n", "c();\na();\n"],
])("row 35: one of two dividers, by what is in the file: %s", (_, rows, before, after) => {
  const { kinds, refusals, ...found } = replayOf(
    searchReplace,
    `a.ts\n<<<<<<< SEARCH\n${rows}\n>>>>>>> REPLACE\n`,
    before,
  );
  expect(found.after).toBe(after ?? before);
  expect([kinds, refusals]).toEqual(after === undefined ? [[], ["unreadable-row"]] : [["marks"], []]);
});

test.each([
  [2, "a\n{\n}\nb\n1\n2\n3\n}\n", "a\n{\n});\nb\n1\n2\n3\n}\n"],
  [4, "a\n{\n}\nb\n1\n2\n3\n}\n", "a\n{\n});\nb\n1\n2\n3\n}\n"],
  [7, "a\n{\n}\nb\n1\n2\n3\n}\n", "a\n{\n}\nb\n1\n2\n3\n});\n"],
  [4, "a\n{\n}\nb\n}\n", undefined],
  [6, "a\n{\n}\nb\n1\n2\n3\n}\n", undefined],
])("row 35: a hint that is off by one: %d in %j", (line, before, after) => {
  const answer = `a.ts\n<<<<<<< SEARCH\n:start_line:${line}\n-------\n}\n=======\n});\n>>>>>>> REPLACE\n`;
  const { kinds, refusals, ...found } = replayOf(searchReplace, answer, before);
  expect(found.after).toBe(after ?? before);
  expect([kinds, refusals]).toEqual(after === undefined ? [[], ["ambiguous"]] : [["moved"], []]);
});

test.each([
  ["@@ -2,0 +3 @@\n+n\n", "a\nb\nn\nc\n"],
  ["@@ -0,0 +1,2 @@\n+n\n+m\n@@ -3,0 +6 @@\n+o\n", "n\nm\na\nb\nc\no\n"],
  ["@@ -1 +0,0 @@\n-a\n@@ -2,0 +2 @@ a\n+n\n", "b\nn\nc\n"],
  ["@@ -2,0 +3 @@ b\n+n\n", "a\nb\nn\nc\n"],
])("row 35: new lines alone, placed by the numbers of git diff -U0: %j", (rows, after) => {
  const { refusals, kinds, ...found } = replayOf(udiff, `--- a/a.ts\n+++ b/a.ts\n${rows}`, "a\nb\nc\n");
  const isReported = rows.startsWith("@@ -0") ? kinds.length > 0 : true;
  expect([found.after, refusals, kinds.includes("marks")]).toEqual([after, [], isReported]);
});

test.each([
  "@@ -2,0 +3 @@ c\n+n\n",
  "@@ -2,0 +9 @@\n+n\n",
  "@@ -2,0 +3,2 @@\n+n\n",
  "@@ -2 +3 @@\n+n\n",
  "@@ -7,0 +8 @@\n+n\n",
])("row 35: new lines alone, with numbers that do not fit, are refused: %j", (rows) => {
  const { refusals } = replayOf(udiff, `--- a/a.ts\n+++ b/a.ts\n${rows}`, "a\nb\nc\n");
  expect(refusals).not.toEqual([]);
});

const nfc = "caf\u00e9/\u00fc.ts";
test.each([
  ["src\\util.ts", "src/util.ts"],
  [".\\src\\util.ts", "src/util.ts"],
  [nfc.normalize("NFD"), nfc],
  [nfc, nfc.normalize("NFD")],
])("row 35: a path in another spelling, in every format: %j", (written, path) => {
  const answers: readonly (readonly [EditFormat, string])[] = [
    [searchReplace, `${written}\n${block("x;", "y;")}`],
    [v4a, `*** Begin Patch\n*** Update File: ${written}\n@@\n-x;\n+y;\n*** End Patch\n`],
    [udiff, `--- ${written}\n+++ ${written}\n@@ @@\n-x;\n+y;\n`],
    [strReplace, JSON.stringify({ file_path: written, old_string: "x;", new_string: "y;" })],
  ];
  for (const [format, answer] of answers) {
    expect(replayOf(format, answer, "x;\n", path)).toEqual({ after: "y;\n", kinds: ["path"], refusals: [] });
  }
});

// JSON with unescaped backslashes: some begin an escape, as in `\test`, others none, as in
// `\money`.
test.each([
  [String.raw`a\test.ts`, "a/test.ts"],
  [String.raw`src\new\file.ts`, "src/new/file.ts"],
  [String.raw`lib\bin\read.ts`, "lib/bin/read.ts"],
  [String.raw`src\util.ts`, "src/util.ts"],
  [String.raw`lib\money.test.ts`, "lib/money.test.ts"],
  [String.raw`packages\test.ts`, "test.ts"],
])("row 35: a path whose backslashes are not escaped in JSON: %s", (written, path) => {
  const edit = `{"file_path":"${written}","old_string":"x;","new_string":"y;"}\n`;
  const whole = `{"path":"${written}","file_text":"y;\\n"}\n`;
  const patch = `{"input":"*** Begin Patch\\n*** Update File: ${written}\\n@@\\n-x;\\n+y;\\n*** End Patch"}\n`;
  const answers: (readonly [EditFormat, string])[] = [[strReplace, edit]];
  // A file without old lines must be named exactly.
  if (path !== "test.ts") answers.push([strReplace, whole]);
  // A patch has rows, which other escapes would break.
  if (!/\\[^t]/.test(written)) answers.push([v4a, patch]);
  for (const [format, answer] of answers) {
    const { after, kinds, refusals } = replayOf(format, answer, "x;\n", path);
    expect([after, refusals]).toEqual(["y;\n", []]);
    expect(kinds).toContain("path");
  }
});

test.each([
  ["a\test.ts", ["b/test.ts", "c/test.ts"]],
  ["a\new.ts", ["a/other.ts"]],
  ["..\test.ts", ["../test.ts"]],
  [".git\test.ts", ["a/file.ts"]],
])("row 35: no path whose backslashes are not escaped in JSON is guessed: %s in %j", (written, paths) => {
  const answer = `{"file_path":"${written}","old_string":"x;","new_string":"y;"}\n`;
  const files = new Map(paths.map((path) => [path, "x;\n"]));
  const content = readAnswer(strReplace.read({ paths }), answer);
  const placement = resolveOperations(content.operations, files);
  expect([placement.placed, placement.refusals.map(({ kind }) => kind)]).toEqual([[], ["unsafe-path"]]);
});

const three = ["a", "b", "c"].map((name) => `function ${name}() {\n  return 1;\n}\n\n`).join("");

test.each([
  ["@@ -1,1 +1,1 @@ function c() {", 2],
  ["@@ -9 +9 @@ function a() {", 0],
  ["@@ -12,1 +12,1 @@ function b() {", 1],
  ["@@ -2,1 +2,1 @@ function b() {", 1],
  // The number fits, and so does its heading.
  ["@@ -6,1 +6,1 @@ function b() {", 1],
  ["@@ -10 +10 @@", 2],
])("row 22: the heading of a hunk outranks a line number that does not fit: %s", (row, at) => {
  const answer = `--- a/a.ts\n+++ b/a.ts\n${row}\n-  return 1;\n+  return 2;\n`;
  const { after, refusals } = replayOf(udiff, answer, three);
  let index = 0;
  const expected = three.replace(/return 1/g, (text) => (index++ === at ? "return 2" : text));
  // The place that is meant is changed, or none.
  expect([expected, three]).toContain(after);
  expect(after === three).toBe(refusals.length > 0);
});
