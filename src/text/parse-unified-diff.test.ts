import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { law } from "./edit.laws.ts";
import { gitDiff, withFolder } from "./node/real-patch.laws.ts";
import { parseUnifiedDiff } from "./parse-unified-diff.ts";
import { anyLineText, patchedFiles } from "./patch.laws.ts";
import type { FilePatch } from "./unified-diff.ts";

/**
 * A file's patch on one line: what happens, each hunk's place and its lines, `|` for the end of
 * each.
 */
function show({ kind, pathBefore, pathAfter, isBinary, hunks }: FilePatch): string {
  const marks = { keep: " ", delete: "-", insert: "+" };
  const paths = [...new Set([pathBefore, pathAfter])].filter((path) => path !== undefined).join(" -> ");
  const shown = hunks.map(({ beforeStart, afterStart, lines }) => {
    const body = lines.map(({ kind, text }) => marks[kind] + text.replace(/\n$/, "|")).join("");
    return ` @${beforeStart},${afterStart} ${body}`;
  });
  return `${kind}${isBinary ? " binary" : ""} ${paths}${shown.join("")}`;
}

const join = (...lines: string[]) => lines.map((line) => `${line}\n`).join("");
const plain = ["--- a/x", "+++ b/x"];

describe("parseUnifiedDiff reads", () => {
  it.each([
    ["nothing", "", []],
    ["one change", join(...plain, "@@ -1,2 +1,2 @@", " a", "-b", "+B"), ["modify x @0,0  a|-b|+B|"]],
    ["counts that are left out", join(...plain, "@@ -3 +4 @@ f()", "-b", "+B"), ["modify x @2,3 -b|+B|"]],
    ["an insertion without context", join(...plain, "@@ -3,0 +4 @@", "+b"), ["modify x @3,3 +b|"]],
    [
      "two hunks",
      join(...plain, "@@ -1 +1 @@", "-a", "+A", "@@ -9 +9 @@", "-b", "+B"),
      ["modify x @0,0 -a|+A| @8,8 -b|+B|"],
    ],
    [
      "two files",
      join(...plain, "@@ -1 +0,0 @@", "-a", "--- a/y", "+++ b/y", "@@ -0,0 +1 @@", "+b"),
      ["modify x @0,0 -a|", "modify y @0,0 +b|"],
    ],
    [
      "no line ending at the end",
      join(...plain, "@@ -1 +1 @@", "-a", "\\ No newline at end of file", "+a"),
      ["modify x @0,0 -a+a|"],
    ],
    ["the `\\r` of lines", join(...plain, "@@ -1,2 +1 @@", " a\r", "-\r"), ["modify x @0,0  a\r|-\r|"]],
    ["headers with `\\r`", "--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n", ["modify x @0,0 -a\r|+b\r|"]],
    ["an empty kept line", join(...plain, "@@ -1,3 +1,2 @@", " a", "", "-b"), ["modify x @0,0  a| |-b|"]],
    [
      "dates behind paths",
      join("--- x.c\t2026-01-01 00:00:00 +0000", "+++ x.c\t2026-01-02", "@@ -1 +1 @@", "-a", "+b"),
      ["modify x.c @0,0 -a|+b|"],
    ],
    ["paths without `a/`", join("--- src/x", "+++ src/x", "@@ -1 +1 @@", "-a", "+b"), ["modify src/x @0,0 -a|+b|"]],
    [
      "what git has turned around",
      join("diff --git b/x a/x", "--- b/x", "+++ a/x", "@@ -1 +1 @@", "-a", "+b"),
      ["modify x @0,0 -a|+b|"],
    ],
    [
      "a new file that git has turned around",
      join("diff --git b/x a/x", "deleted file mode 100644", "--- b/x", "+++ /dev/null", "@@ -1 +0,0 @@", "-a"),
      ["delete x @0,0 -a|"],
    ],
    ["a new file", join("--- /dev/null", "+++ b/x", "@@ -0,0 +1 @@", "+a"), ["create x @0,0 +a|"]],
    [
      "prefixes of diff.mnemonicPrefix",
      join("diff --git i/x w/x", "--- i/x", "+++ w/x", "@@ -1 +1 @@", "-a", "+b"),
      ["modify x @0,0 -a|+b|"],
    ],
    [
      "a new file with prefixes of diff.mnemonicPrefix",
      join("diff --git c/x i/x", "new file mode 100644", "--- /dev/null", "+++ i/x", "@@ -0,0 +1 @@", "+a"),
      ["create x @0,0 +a|"],
    ],
    [
      "folders with names like prefixes",
      join("diff --git i/x w/y", "rename from i/x", "rename to w/y"),
      ["rename i/x -> w/y"],
    ],
    ["a deleted file", join("--- a/x", "+++ /dev/null", "@@ -1 +0,0 @@", "-a"), ["delete x @0,0 -a|"]],
    ["an empty new file", join("diff --git a/x b/x", "new file mode 100644", "index 0000000..e69de29"), ["create x"]],
    ["a deleted empty file", join("diff --git a/x b/x", "deleted file mode 100644"), ["delete x"]],
    [
      "a move",
      join("diff --git a/x b/y z", "similarity index 100%", "rename from x", "rename to y z"),
      ["rename x -> y z"],
    ],
    [
      "a move with a change",
      join("diff --git a/x b/y", "rename from x", "rename to y", "--- a/x", "+++ b/y", "@@ -1 +1 @@", "-a", "+b"),
      ["rename x -> y @0,0 -a|+b|"],
    ],
    ["a copy", join("diff --git a/x b/y", "copy from x", "copy to y"), ["copy x -> y"]],
    ["blanks in paths", join("diff --git a/x y b/x y", "new file mode 100644"), ["create x y"]],
    [
      "quoted paths",
      join(
        String.raw`diff --git "a/\303\251" "b/\303\251"`,
        String.raw`--- "a/\303\251"`,
        String.raw`+++ "b/\303\251"`,
        "@@ -1 +1 @@",
        "-a",
        "+b",
      ),
      ["modify é @0,0 -a|+b|"],
    ],
    [
      "text around it",
      join(
        "Subject: [PATCH] x",
        "---",
        " x | 2 +-",
        "",
        ...plain,
        "@@ -1 +1 @@",
        "-a",
        "+b",
        "-- ",
        "2.39.5",
        "",
        "Bye.",
      ),
      ["modify x @0,0 -a|+b|"],
    ],
    [
      "lines that look like file headers, by the counts",
      join(...plain, "@@ -1,3 +1,3 @@", " a", "--- y", "+++ z", " b", "@@ -9 +9 @@", "-c", "+d"),
      ["modify x @0,0  a|--- y|+++ z| b| @8,8 -c|+d|"],
    ],
    [
      "such lines at the end of a hunk",
      join(...plain, "@@ -1,2 +1,2 @@", " a", "--- y", "+++ z", "@@ -9 +9 @@", "-c", "+d"),
      ["modify x @0,0  a|--- y|+++ z| @8,8 -c|+d|"],
    ],
    [
      "a file header without hunks",
      join(...plain, "@@ -1 +1 @@", "-a", "+b", "--- a/y", "+++ b/y"),
      ["modify x @0,0 -a|+b|", "modify y"],
    ],
    ["a last line without its end", `${join(...plain, "@@ -1 +1 @@", "-a")}+b`, ["modify x @0,0 -a|+b|"]],
  ])("%s", (_, diff, expected) => {
    const { files, issues } = parseUnifiedDiff(diff);
    expect(issues).toEqual([]);
    expect(files.map(show)).toEqual(expected);
  });
});

describe("parseUnifiedDiff reports", () => {
  // The line that an issue is about is shown behind its code.
  it.each([
    ["text without a diff", join("Here you are:", "x = 1"), "error no-diff: ", []],
    ["a hunk of no file", join("@@ -1 +1 @@", "-a", "+b"), "error hunk-without-file: @@ -1 +1 @@", []],
    [
      "a header without numbers",
      join(...plain, "@@ f() @@", "-a", "+b"),
      "error bad-hunk-header: @@ f() @@",
      ["modify x"],
    ],
    [
      "a hunk shorter than its header",
      join(...plain, "@@ -1,3 +1,3 @@", "-a", "+b", "@@ -9 +9 @@", "-c", "+d"),
      "error wrong-count: @@ -1,3 +1,3 @@",
      ["modify x @0,0 -a|+b| @8,8 -c|+d|"],
    ],
    [
      "a hunk longer than its header",
      join(...plain, "@@ -1,1 +1,1 @@", " z", "-a", "+b"),
      "error wrong-count: @@ -1,1 +1,1 @@",
      ["modify x @0,0  z|-a|+b|"],
    ],
    [
      "a short hunk before the next file",
      join(...plain, "@@ -1,3 +1,3 @@", "-a", "+b", "--- a/y", "+++ b/y", "@@ -1 +1 @@", "-c", "+d"),
      "error wrong-count: @@ -1,3 +1,3 @@",
      ["modify x @0,0 -a|+b|", "modify y @0,0 -c|+d|"],
    ],
    [
      "a diff that breaks off",
      join(...plain, "@@ -1,3 +1,3 @@", " z", "-a"),
      "error cut-short: @@ -1,3 +1,3 @@",
      ["modify x @0,0  z|-a|"],
    ],
    [
      "the diff of a merge",
      join("diff --cc x", "--- a/x", "+++ b/x", "@@@ -1,1 -1,1 +1,1 @@@", "++a"),
      "error combined-diff: diff --cc x",
      ["modify x"],
    ],
    [
      "a binary file",
      join("diff --git a/x b/x", "index 1..2 100644", "Binary files a/x and b/x differ"),
      "warning binary: Binary files a/x and b/x differ",
      ["modify binary x"],
    ],
    [
      "a new mode",
      join("diff --git a/x b/x", "old mode 100644", "new mode 100755"),
      "warning mode-ignored: new mode 100755",
      ["modify x"],
    ],
    [
      "a new program",
      join("diff --git a/x b/x", "new file mode 100755", "--- /dev/null", "+++ b/x", "@@ -0,0 +1 @@", "+a"),
      "warning mode-ignored: new file mode 100755",
      ["create x @0,0 +a|"],
    ],
  ])("%s", (_, diff, issue, expected) => {
    const { files, issues } = parseUnifiedDiff(diff);
    const shown = issues.map(({ severity, code, start, end }) => `${severity} ${code}: ${diff.slice(start, end)}`);
    expect(shown).toEqual([issue]);
    expect(files.map(show)).toEqual(expected);
  });

  law("no text makes it throw, and no issue lies outside", [fc.array(anyDiffLine())], (lines) => {
    const diff = lines.join("\n");
    for (const { start, end } of parseUnifiedDiff(diff).issues) {
      expect([0 <= start, start <= end, end <= diff.length]).toEqual([true, true, true]);
    }
  });
});

describe("git diff", () => {
  const anyFolder = fc.dictionary(
    fc.constantFrom("plain", "with blank", "é", 'quo"te', "b/deep", "tab\t"),
    anyLineText.filter((text) => !text.includes("\0")),
  );

  it("prints patches that are parsed with the same content", { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(anyFolder, anyFolder, fc.integer({ min: 1, max: 4 }), (before, after, contextLines) => {
        const [filesBefore, filesAfter] = [before, after].map((texts) => new Map(Object.entries(texts)));
        const inFolder = (root: string, files: ReadonlyMap<string, string>) =>
          [...files].map(([path, text]): [string, string] => [`${root}/${path}`, text]);
        const both = new Map([
          ...inFolder("a", filesBefore!),
          ...inFolder("b", filesAfter!),
          ["a/.keep", ""],
          ["b/.keep", ""],
        ]);
        const diff = withFolder(both, (folder) => gitDiff(folder, `--unified=${contextLines}`));
        const parsed = parseUnifiedDiff(diff);
        expect(parsed.issues).toEqual([]);
        expect(patchedFiles(filesBefore!, parsed.files)).toEqual(filesAfter);
      }),
      { numRuns: 25 },
    );
  });
});

function anyDiffLine(): fc.Arbitrary<string> {
  return fc.constantFrom(
    "diff --git a/x b/x",
    'diff --git "a/x b/x',
    "diff --cc x",
    "new file mode 100644",
    "rename from x",
    "rename to",
    "Binary files",
    "--- a/x",
    "+++ b/x",
    "@@ -1 +1 @@",
    "@@ -1,2 +1,9 @@",
    "@@ -0 +0 @@",
    "@@",
    "@@@ -1 -1 +1 @@@",
    "\\ No newline at end of file",
    " a",
    "-a",
    "+a",
    "",
    "-- ",
    "\r",
    "text",
  );
}
