import { describe, expect, it } from "vitest";
import { anyEdited, anyText, law } from "./edit.laws.ts";
import { EmendError } from "./errors.ts";
import { byteOrderMark, detectLineEnding, Lines } from "./lines.ts";

describe("the lines of a text", () => {
  it.each([
    ["", [""]],
    ["a", ["a"]],
    ["a\nb", ["a", "b"]],
    ["a\n", ["a", ""]],
    ["a\r\nb\rc\nd", ["a", "b", "c", "d"]],
    ["\n\r", ["", "", ""]],
    ["\r\r\n\n", ["", "", "", ""]],
    // Other separators are ordinary characters.
    ["a\u2028b\fc\u0085d", ["a\u2028b\fc\u0085d"]],
    [`${byteOrderMark}a\nb`, [`${byteOrderMark}a`, "b"]],
  ])("%j are %j", (text, expected) => {
    expect(allLines(Lines.of(text))).toEqual(expected);
  });

  it("know a byte order mark", () => {
    expect(Lines.of(`${byteOrderMark}a`).hasByteOrderMark).toBe(true);
    expect(Lines.of(`a${byteOrderMark}`).hasByteOrderMark).toBe(false);
  });

  it("keep line endings apart from lines", () => {
    const lines = Lines.of("ab\r\ncd\n");
    expect([lines.start(0), lines.end(0), lines.endWithBreak(0)]).toEqual([0, 2, 4]);
    expect([lines.start(1), lines.end(1), lines.endWithBreak(1)]).toEqual([4, 6, 7]);
    expect([lines.start(2), lines.end(2), lines.endWithBreak(2)]).toEqual([7, 7, 7]);
    expect(lines.textWithBreak(0)).toBe("ab\r\n");
  });

  law("they are what splitting gives", [anyText], (text) =>
    expect(allLines(Lines.of(text))).toEqual(text.split(/\r\n|\n|\r/)),
  );

  law("with their line endings they are the text", [anyText], (text) => {
    const lines = Lines.of(text);
    expect(
      indexes(lines)
        .map((lineIndex) => lines.textWithBreak(lineIndex))
        .join(""),
    ).toBe(text);
  });
});

describe("positions", () => {
  // `^` marks the offset.
  it.each([
    ["^ab\ncd", 0, 0],
    ["ab^\ncd", 0, 2],
    ["ab\n^cd", 1, 0],
    ["ab\ncd^", 1, 2],
    ["ab\n^", 1, 0],
    ["ab\r^\ncd", 0, 3],
    ["😀^\n", 0, 2],
  ])("%j is line %i, column %i", (marked, line, column) => {
    const offset = marked.indexOf("^");
    const lines = Lines.of(marked.replace("^", ""));
    expect(lines.positionAt(offset)).toEqual({ line, column });
    expect(lines.offsetAt({ line, column })).toBe(offset);
  });

  it.each([
    ["a line that is not there", () => Lines.of("ab\ncd").start(2), "There is no line 2 among 2 lines, counted from 0"],
    ["a line before the first", () => Lines.of("ab").text(-1), "There is no line -1 among 1 lines, counted from 0"],
    ["an offset past the end", () => Lines.of("ab").lineAt(3), "Offset 3 lies outside a text of 2 code units"],
    [
      "an offset that is no number",
      () => Lines.of("ab").positionAt(Number.NaN),
      "Offset NaN lies outside a text of 2 code units",
    ],
    [
      "a column on the next line",
      () => Lines.of("ab\ncd").offsetAt({ line: 0, column: 3 }),
      "There is no column 3 on a line of 2 code units",
    ],
    [
      "a column past the end",
      () => Lines.of("ab").offsetAt({ line: 0, column: 3 }),
      "There is no column 3 on a line of 2 code units",
    ],
  ])("refuse %s", (_, act, message) => {
    expect(act).toThrow(new EmendError("out-of-bounds", message));
  });

  law("position and offset are each other's inverse, everywhere", [anyText], (text) => {
    const lines = Lines.of(text);
    for (let offset = 0; offset <= text.length; offset++) {
      expect(lines.offsetAt(lines.positionAt(offset))).toBe(offset);
    }
  });

  law("an offset's line is the number of line endings that end at it or before", [anyText], (text) => {
    const lines = Lines.of(text);
    for (let offset = 0; offset <= text.length; offset++) {
      const endings = [...text.matchAll(/\r\n|\n|\r/g)].filter((found) => found.index + found[0].length <= offset);
      expect(lines.lineAt(offset)).toBe(endings.length);
    }
  });
});

describe("lines after an edit", () => {
  law("they are the lines of the text after it", [anyEdited], ({ text, edit }) => {
    const after = Lines.of(text).apply(edit);
    const fresh = Lines.of(edit.apply(text));
    expect(after.source).toBe(fresh.source);
    expect(indexes(after).map((i) => after.start(i))).toEqual(indexes(fresh).map((i) => fresh.start(i)));
  });
});

describe("detectLineEnding", () => {
  it.each([
    ["", undefined],
    ["a", undefined],
    ["a\nb\r\n", "\n"],
    ["a\r\nb\n", "\r\n"],
    ["a\r\nb\r\nc\n", "\r\n"],
    ["a\rb\rc\n", "\r"],
    ["\r\r\n\r\n", "\r\n"],
  ])("%j has %j", (text, ending) => {
    expect(detectLineEnding(text)).toBe(ending);
  });
});

function indexes(lines: Lines): number[] {
  return Array.from({ length: lines.count }, (_, lineIndex) => lineIndex);
}

function allLines(lines: Lines): string[] {
  return indexes(lines).map((lineIndex) => lines.text(lineIndex));
}

it("computes the lines of a long text once while something holds them", () => {
  const long = "line\n".repeat(20_000);
  const lines = Lines.of(long);
  expect(Lines.of(`${long.slice(0, 50_000)}${long.slice(50_000)}`)).toBe(lines);
  expect(Lines.of(`${long}x`).count).toBe(lines.count);
  expect(Lines.of(`${long}\n`).count).toBe(lines.count + 1);
});
