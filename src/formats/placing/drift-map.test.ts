import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyEdited, anyTwoEdits, law, readEdit } from "../../text/edit.laws.ts";
import { minimalEdit } from "../../text/index.ts";
import { driftMap } from "./drift-map.ts";
import { fileLines } from "./line-table.ts";

describe("the current place of lines", () => {
  // Lines are letters; `.` is a line that is gone.
  test.each([
    ["abcd", "abcd", "abcd"],
    ["abcd", "xabcd", "abcd"],
    ["abcd", "abXcd", "abcd"],
    ["abcd", "abXd", "ab.d"],
    ["abcd", "ad", "a..d"],
    ["abcd", "", "...."],
    ["", "ab", ""],
  ])("%s to %s", (before, after, expected) => {
    const map = driftMap(text(before), text(after));
    const found = [...before].map((_, i) => {
      const now = map.lineNow(i);
      return now === undefined ? "." : after.charAt(now);
    });
    expect(found.join("")).toBe(expected);
    expect([map.lineNow(-1), map.lineNow(before.length)]).toEqual([undefined, undefined]);
  });

  test.each([
    ["abcd", "xabcd", 1, 3, [2, 4]],
    ["abcd", "abXcd", 1, 3, undefined],
    ["abcd", "aXcd", 1, 3, undefined],
    ["abcd", "aXYd", 0, 4, undefined],
    ["abcd", "xabcd", 2, 2, [3, 3]],
    ["abcd", "abXcd", 2, 2, undefined],
    ["abcd", "abcdX", 4, 4, undefined],
    ["abcd", "Xabcd", 4, 4, [5, 5]],
    ["abcd", "Xabcd", 0, 0, undefined],
    ["abcd", "abcdX", 0, 0, [0, 0]],
    ["abcd", "abcd", 3, 1, undefined],
    ["", "", 0, 0, [0, 0]],
  ])("%s to %s, lines [%i, %i)", (before, after, start, end, expected) => {
    const range = driftMap(text(before), text(after)).rangeNow(start, end);
    expect(range && [range.start, range.end]).toEqual(expected);
  });
});

describe("rebasing an edit of the older text", () => {
  test.each([
    ["a\n[b|x]\nc\n", "new\na\nb\nc\n", "new\na\nx\nc\n"],
    ["a\n[b|x]\nc\n", "a\nbb\nc\n", undefined],
    ["a\nb[|x]\nc\n", "a\nyb\nc\n", undefined],
    ["a\n[|x\n]b\n", "a\ny\nb\n", undefined],
    ["a\n[|x\n]b\n", "y\nb\n", "y\nx\nb\n"],
  ])("%j where the text is %j", (marked, after, expected) => {
    const { text: before, edit } = readEdit(marked);
    expect(driftMap(before, after).editNow(edit)?.apply(after)).toBe(expected);
  });
});

law("mapped lines have the same text and order", [anyEdited], ({ text: before, edit }) => {
  const after = edit.apply(before);
  const map = driftMap(before, after);
  const [lines, linesNow] = [fileLines(before), fileLines(after)];
  const kept = [...lines.keys()].filter((i) => map.lineNow(i) !== undefined);
  fc.pre(kept.length > 0);
  const keptNow = kept.map((i) => map.lineNow(i)!);
  expect(keptNow.map((i) => linesNow[i])).toEqual(kept.map((i) => lines[i]));
  expect(keptNow).toEqual([...new Set(keptNow)].sort((a, b) => a - b));
});

law("an edit and the change give the same text in either order", [anyTwoEdits], ({ text: before, mine, theirs }) => {
  const after = theirs.apply(before);
  const now = driftMap(before, after).editNow(mine);
  fc.pre(now !== undefined);
  const drift = minimalEdit(before, after, { unit: "line" });
  expect(now.apply(after)).toBe(drift.tryRebase(mine)!.apply(mine.apply(before)));
});

law("an edit of an unchanged text stays as it is", [anyEdited], ({ text: before, edit }) => {
  expect(driftMap(before, before).editNow(edit)?.apply(before)).toBe(edit.apply(before));
});

function text(letters: string): string {
  return [...letters].map((letter) => `${letter}\n`).join("");
}
