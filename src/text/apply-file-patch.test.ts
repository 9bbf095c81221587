import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyFilePatch, type FilePatchOutcome } from "./apply-file-patch.ts";
import { readText, tryRun, withFolder } from "./node/real-patch.laws.ts";
import { parseUnifiedDiff } from "./parse-unified-diff.ts";
import { type FilePatch, toUnifiedDiff, tryDiffFile } from "./unified-diff.ts";

// Files are words, one letter a line. A patch is written as `2 a-b+c`: the number of its first line
// (from 1), then its lines, each with its mark; `=` marks a kept line.

describe("applyFilePatch", () => {
  it.each([
    // file       patch                    after
    ["abcde", "2 =b-c+X=d", "abXde"],
    ["abcde", "1 +X=a", "Xabcde"],
    ["abcde", "5 =e+X", "abcdeX"],
    // Lines have moved: the nearest place wins, the lower of two.
    ["__abcde", "2 =b-c+X=d", "__abXde"],
    ["cde", "3 =c-d=e", "ce"],
    ["abx___abx", "2 =a-b=x", "ax___abx"],
    ["abx_abx", "3 =a-b=x", "abx_ax"],
    ["_ab_", "1 =_-a=b", "_b_"],
    ["ab__ab", "3 =a=b", "ab__ab"],
    // Hunks are in order.
    ["ab_ab_", "1 =a-b=_ 4 =a-b=_", "a_a_"],
    ["__ab_ab_", "2 =a-b=_ 5 =a-b=_", "__a_a_"],
    // Nothing around the change: it is the whole file.
    ["abc", "1 -a-b-c+X", "X"],
  ])("%s with %s gives %s", (file, patch, after) => {
    const text = toText(file);
    const outcome = applyFilePatch(readPatch(patch), text);
    expect(outcome.kind === "applied" ? outcome.edit.apply(text) : outcome).toBe(toText(after));
  });

  it.each([
    ["abc", "2 =x-b", { kind: "mismatch", hunkIndex: 0 }],
    ["ab_ab", "1 =a-b=_ 9 =x-b", { kind: "mismatch", hunkIndex: 1 }],
    ["ab_", "1 =a-b=_ 2 =a-b=_", { kind: "mismatch", hunkIndex: 1 }],
    // A hunk of the first line stays there, one of the last line as well.
    ["_abc", "1 =a-b=c", { kind: "mismatch", hunkIndex: 0 }],
    ["abc_", "2 =b-c", { kind: "mismatch", hunkIndex: 0 }],
    ["abc", "2 -b+X", { kind: "mismatch", hunkIndex: 0 }],
    ["abc", "1 +X", { kind: "mismatch", hunkIndex: 0 }],
  ] as [string, string, FilePatchOutcome][])("%s with %s: %j", (file, patch, refusal) => {
    expect(applyFilePatch(readPatch(patch), toText(file))).toEqual(refusal);
  });

  it.each([
    ["abcd", "2 =b-c=d", "abd"],
    ["abcd", "2 -b+X 4 +Y", "aXcYd"],
    ["_abcd", "2 =b-c=d", { kind: "mismatch", hunkIndex: 0 }],
  ])("%s with %s, where it says, gives %j", (file, patch, expected) => {
    const text = toText(file);
    const outcome = applyFilePatch(readPatch(patch), text, { place: "stated" });
    const after = typeof expected === "string" ? toText(expected) : expected;
    expect(outcome.kind === "applied" ? outcome.edit.apply(text) : outcome).toEqual(after);
  });

  it("replaces only the lines that change", () => {
    const outcome = applyFilePatch(readPatch("1 =a-b+X=c-d=e"), toText("abcde"));
    expect(outcome.kind === "applied" && `${outcome.edit}`).toBe(`[2, 4) -> "X\\n", [6, 8) -> ""`);
  });

  it.each([
    ["changes a file that is not there", { before: "a\n", after: "b\n" }, undefined, "missing-file"],
    ["deletes a file that is not there", { before: "a\n", after: undefined }, undefined, "missing-file"],
    ["creates a file that is there", { before: undefined, after: "b\n" }, "", "already-exists"],
    ["deletes an empty file that has text", { before: "", after: undefined }, "a\n", "text-left"],
    ["expects a line ending at the end", { before: "a\n", after: "b\n" }, "a", "mismatch"],
    ["expects other line endings", { before: "a\nb\n", after: "b\n" }, "a\r\nb\r\n", "mismatch"],
  ])("refuses a patch that %s", (_, change, text, kind) => {
    expect(applyFilePatch(tryDiffFile({ ...change, path: "x" })!, text).kind).toBe(kind);
  });

  it("refuses a binary patch", () => {
    const patch: FilePatch = { kind: "modify", pathBefore: "x", pathAfter: "x", isBinary: true, hunks: [] };
    expect(applyFilePatch(patch, "")).toEqual({ kind: "binary" });
  });

  // The patch of one change, applied to a file that has changed elsewhere too.
  const anyWord = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 12 });
  const anyMoved = fc.tuple(anyWord, anyWord, anyWord, anyWord, anyWord, fc.constantFrom("x", "y", "xy", ""));

  it("finds the places that `git apply` finds", { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(
        fc.array(anyMoved, { minLength: 60, maxLength: 60 }),
        fc.integer({ min: 1, max: 3 }),
        (drawn, contextLines) => {
          const cases = drawn.map(([head, tail, otherHead, otherTail, near, inserted], i) => ({
            path: `${i}`,
            change: {
              before: toText(`${head}${near}${tail}`),
              after: toText(`${head}${inserted}${near.slice(1)}${tail}`),
            },
            text: toText(`${otherHead}${near}${otherTail}`),
          }));
          const patches = cases.map(({ path, change }) => ({ ...change, path, contextLines }));
          withFolder(new Map(cases.map(({ path, text }) => [path, text])), (folder) => {
            for (const [i, { path, text }] of cases.entries()) {
              const patch = tryDiffFile(patches[i]!);
              if (patch === undefined || patch.hunks.length > 1) continue;
              const complaint = tryRun(folder, "git", ["apply", "--whitespace=nowarn"], toUnifiedDiff(patches[i]!));
              const outcome = applyFilePatch(patch, text);
              const ours = outcome.kind === "applied" ? outcome.edit.apply(text) : "refused";
              expect({ text, ours }).toEqual({
                text,
                ours: complaint === undefined ? readText(folder, path) : "refused",
              });
            }
          });
        },
      ),
      { numRuns: 3, verbose: false },
    );
  });
});

function toText(letters: string): string {
  return [...letters].map((letter) => `${letter}\n`).join("");
}

/** Reads the notation for hunks by writing them in the unified format. */
function readPatch(written: string): FilePatch {
  const hunks = [...written.matchAll(/(\d+) (\S+)/g)].map(([, number, marked]) => {
    const lines = marked!.match(/../g)!;
    const before = lines.filter((line) => !line.startsWith("+")).length;
    const after = lines.filter((line) => !line.startsWith("-")).length;
    const first = before === 0 ? Number(number) - 1 : Number(number);
    return `@@ -${first},${before} +${first},${after} @@\n${lines.map((line) => `${line.replace("=", " ")}\n`).join("")}`;
  });
  const { files, issues } = parseUnifiedDiff(`--- a/x\n+++ b/x\n${hunks.join("")}`);
  expect(issues).toEqual([]);
  return files[0]!;
}
