import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyFilePatch } from "./apply-file-patch.ts";
import { law } from "./edit.laws.ts";
import { canTest, debianPackage } from "./node/fixtures/promised-tools.ts";
import { isInstalled, readText, tryRun, withFolder } from "./node/real-patch.laws.ts";
import { parseUnifiedDiff } from "./parse-unified-diff.ts";
import { anyLineText, anyTwoTexts } from "./patch.laws.ts";
import { splitPatchLines, toUnifiedDiff, tryDiffFile } from "./unified-diff.ts";

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `${from + i}\n`).join("");

describe("toUnifiedDiff", () => {
  it("shows three lines around a change and joins changes that are near", () => {
    const before = numbered(1, 20);
    const after = before.replace("5\n", "five\n").replace("12\n", "").replace("20\n", "twenty\n");
    expect(toUnifiedDiff({ before, after, path: "n.txt" })).toBe(`diff --git a/n.txt b/n.txt
--- a/n.txt
+++ b/n.txt
@@ -2,14 +2,13 @@
 2
 3
 4
-5
+five
 6
 7
 8
 9
 10
 11
-12
 13
 14
 15
@@ -17,4 +16,4 @@
 17
 18
 19
-20
+twenty
`);
  });

  it("marks a file that ends without a line ending", () => {
    expect(toUnifiedDiff({ before: "a\nb", after: "a\nb\n", path: "x" })).toBe(`diff --git a/x b/x
--- a/x
+++ b/x
@@ -1,2 +1,2 @@
 a
-b
\\ No newline at end of file
+b
`);
  });

  it.each([
    [
      "a new file",
      { before: undefined, after: "a\n", path: "x" },
      "diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n",
    ],
    [
      "a deleted file",
      { before: "a\n", after: undefined, path: "x" },
      "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
    ],
    ["an empty new file", { before: undefined, after: "", path: "x" }, "diff --git a/x b/x\nnew file mode 100644\n"],
    [
      "a move",
      { before: "a\n", after: "a\n", path: "y z", pathBefore: "x" },
      "diff --git a/x b/y z\nrename from x\nrename to y z\n",
    ],
    [
      "a path to quote",
      { before: "a\n", after: "b\n", path: 'q"\t' },
      'diff --git "a/q\\"\\t" "b/q\\"\\t"\n--- "a/q\\"\\t"\n+++ "b/q\\"\\t"\n@@ -1 +1 @@\n-a\n+b\n',
    ],
    [
      "a path with a blank, which a tab ends",
      { before: "a\n", after: "b\n", path: "x y" },
      "diff --git a/x y b/x y\n--- a/x y\t\n+++ b/x y\t\n@@ -1 +1 @@\n-a\n+b\n",
    ],
    [
      "no lines around",
      { before: "a\nb\nc\n", after: "a\nB\nc\nd\n", path: "x", contextLines: 0 },
      "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -2 +2 @@\n-b\n+B\n@@ -3,0 +4 @@\n+d\n",
    ],
    ["no change", { before: "a\n", after: "a\n", path: "x" }, ""],
    ["no file at all", { before: undefined, after: undefined, path: "x" }, ""],
  ])("writes %s", (_, change, expected) => {
    expect(toUnifiedDiff(change)).toBe(expected);
  });

  const anyContext = fc.nat(4);

  law(
    "the patch applies at its own lines, and gives the text after",
    [anyTwoTexts, anyContext],
    (texts, contextLines) => {
      const patch = tryDiffFile({ ...texts, path: "x", contextLines });
      expect(patch === undefined).toBe(texts.after === texts.before);
      fc.pre(patch !== undefined);
      const outcome = applyFilePatch(patch, texts.before, { place: "stated" });
      expect(outcome.kind === "applied" && outcome.edit.apply(texts.before)).toBe(texts.after);
    },
  );

  const maybeText = fc.option(anyLineText, { nil: undefined });
  const anyPath = fc.string({ unit: fc.constantFrom("a", "b", "/", " ", "é", '"', "\\", "\t", "\n"), minLength: 1 });

  law(
    "reading the printed patch gives the patch",
    [maybeText, maybeText, anyPath, fc.option(anyPath), anyContext],
    (before, after, path, pathBefore, contextLines) => {
      const change = { before, after, path, pathBefore: pathBefore ?? path, contextLines };
      const patch = tryDiffFile(change);
      expect(parseUnifiedDiff(toUnifiedDiff(change))).toEqual({
        files: patch === undefined ? [] : [patch],
        issues: [],
      });
    },
  );
});

describe("splitPatchLines", () => {
  it.each([
    ["", []],
    ["a", ["a"]],
    ["a\n", ["a\n"]],
    ["a\r\nb\rc\n\nd", ["a\r\n", "b\rc\n", "\n", "d"]],
  ])("%j gives %j", (text, lines) => {
    expect(splitPatchLines(text)).toEqual(lines);
  });
});

// Many files in one patch, so that the other program is started a few times only.
describe.each([
  ["git", ["apply", "--whitespace=nowarn"], true],
  ["patch", ["-p1", "--binary", "--quiet", "--no-backup-if-mismatch"], false],
] as const)("%s", (program, args, isGit) => {
  // GNU patch asks before it deletes an empty file, and moves files in newer versions only.
  const deletable = anyLineText.filter((text) => isGit || text !== "");
  const anyChange = fc.record({
    texts: fc.oneof(
      { arbitrary: anyTwoTexts, weight: 4 },
      { arbitrary: anyLineText.map((after) => ({ before: undefined, after })), weight: 1 },
      { arbitrary: deletable.map((before) => ({ before, after: undefined })), weight: 1 },
    ),
    name: fc.constantFrom("plain", "with blank", "é", 'quo"te', "back\\slash", "tab\t"),
    moves: fc.boolean(),
    contextLines: fc.integer({ min: 1, max: 4 }),
  });

  it.runIf(canTest({ name: program, isInstalled: isInstalled(program), install: debianPackage(program) }))(
    "makes of our patches what we meant",
    { timeout: 120_000 },
    () => {
      fc.assert(
        fc.property(fc.array(anyChange, { minLength: 20, maxLength: 40 }), (drawn) => {
          const changes = drawn.map(({ texts, name, moves, contextLines }, i) => {
            const pathBefore = `${i}/${name}`;
            const isMove = isGit && moves && texts.before !== undefined && texts.after !== undefined;
            return { ...texts, path: isMove ? `${pathBefore}-moved` : pathBefore, pathBefore, contextLines };
          });
          const files = changes.flatMap((c): [string, string][] =>
            c.before === undefined ? [] : [[c.pathBefore, c.before]],
          );
          withFolder(new Map(files), (folder) => {
            const complaint = tryRun(folder, program, args, changes.map(toUnifiedDiff).join(""));
            expect(complaint).toBeUndefined();
            for (const { path, after } of changes)
              expect({ path, text: readText(folder, path) }).toEqual({ path, text: after });
          });
        }),
        { numRuns: 4, verbose: false },
      );
    },
  );
});
