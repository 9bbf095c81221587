import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isInsideCharacter, Lines } from "../text/index.ts";
import { chooseEncoding, Positions } from "./positions.ts";

const encodings = ["utf-16", "utf-8", "utf-32"] as const;

test("chooses the client's first supported encoding, or UTF-16", () => {
  expect(chooseEncoding(undefined)).toBe("utf-16");
  expect(chooseEncoding([])).toBe("utf-16");
  expect(chooseEncoding(["utf-7"])).toBe("utf-16");
  expect(chooseEncoding(["utf-7", "utf-8", "utf-16"])).toBe("utf-8");
  expect(chooseEncoding(["utf-32", "utf-8"])).toBe("utf-32");
});

describe("a position", () => {
  /** The text with `|` at the offset that a position comes to, in each encoding. */
  function place(text: string, line: number, character: number): string[] {
    const lines = Lines.of(text);
    return encodings.map((encoding) => {
      const offset = new Positions(encoding).toOffset(lines, { line, character });
      return `${text.slice(0, offset)}|${text.slice(offset)}`;
    });
  }
  const all = (answer: string) => [answer, answer, answer];

  test.each<[text: string, line: number, character: number, answers: readonly string[]]>([
    ["ab\ncd", 1, 1, all("ab\nc|d")],
    ["ab\ncd", 0, 9, all("ab|\ncd")],
    ["ab\r\ncd", 0, 3, all("ab|\r\ncd")],
    ["ab\ncd", 9, 0, all("ab\ncd|")],
    ["ab", -1, 5, all("|ab")],
    ["ab", 0, -3, all("|ab")],
    ["ab", Number.NaN, Number.NaN, all("|ab")],
    ["", 3, 3, all("|")],
    ["äb", 0, 2, ["äb|", "ä|b", "äb|"]],
    ["😀b", 0, 2, ["😀|b", "|😀b", "😀b|"]],
    ["😀b", 0, 4, ["😀b|", "😀|b", "😀b|"]],
    ["\ud800b", 0, 3, ["\ud800b|", "\ud800|b", "\ud800b|"]],
  ])("%j %d:%d", (text, line, character, answers) => {
    expect(place(text, line, character)).toEqual(answers);
  });
});

const text = fc
  .array(fc.oneof(fc.constantFrom("\n", "\r\n", "\r", "ä", "€", "😀", "\ud800", "\udc00"), fc.string()))
  .map((parts) => parts.join(""));

describe.each(encodings)("in %s", (encoding) => {
  const positions = new Positions(encoding);

  test("converts an offset to a position and back", () => {
    fc.assert(
      fc.property(text, fc.nat(), (source, seed) => {
        const offset = seed % (source.length + 1);
        fc.pre(!isInsideCharacter(source, offset));
        const lines = Lines.of(source);
        expect(positions.toOffset(lines, positions.toPosition(lines, offset))).toBe(offset);
      }),
    );
  });

  test("has an offset in the text for every position", () => {
    fc.assert(
      fc.property(text, fc.integer(), fc.integer(), (source, line, character) => {
        const offset = positions.toOffset(Lines.of(source), { line, character });
        expect(offset >= 0 && offset <= source.length).toBe(true);
      }),
    );
  });

  test("counts columns in the unit of the encoding", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (source) => {
        const line = source.replace(/[\r\n]/g, "");
        const length = { "utf-16": line.length, "utf-8": Buffer.byteLength(line), "utf-32": [...line].length };
        expect(positions.toPosition(Lines.of(line), line.length).character).toBe(length[encoding]);
      }),
    );
  });
});
