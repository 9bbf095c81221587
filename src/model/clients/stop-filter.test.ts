import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isInsideCharacter } from "../../text/index.ts";
import { LineReader } from "./server-answer.ts";
import { StopFilter } from "./stop-filter.ts";
import { LineLimit, WholeCharacters } from "./stream-text.ts";

/** What comes out for each piece, and then at the end. */
function through(filter: { push(text: string): string; end?(): string }, pieces: readonly string[]): readonly string[] {
  return [...pieces.map((piece) => filter.push(piece)), filter.end?.() ?? ""];
}

/** A text cut into pieces, in any way. */
const pieces = (text: fc.Arbitrary<string>) =>
  fc.tuple(text, fc.array(fc.nat(), { maxLength: 6 })).map(([whole, numbers]) => {
    const borders = [0, ...numbers.map((n) => n % (whole.length + 1)), whole.length].sort((a, b) => a - b);
    return borders.slice(1).map((border, index) => whole.slice(borders[index], border));
  });

describe("the stop filter removes a stop text and never yields a part of it", () => {
  const cases: readonly (readonly [string, readonly string[], readonly string[], readonly string[]])[] = [
    ["whole", ["END"], ["a END b"], ["a ", ""]],
    ["in pieces", ["END"], ["a E", "N", "D b"], ["a ", "", "", ""]],
    ["that does not come", ["END"], ["a E", "N", "B"], ["a ", "", "ENB", ""]],
    ["the first to end", ["long stop", "st"], ["long st"], ["long ", ""]],
    ["nothing behind it", ["END"], ["END", "more"], ["", "", ""]],
    ["a short part at the end is text", ["<|end|>"], ["a <"], ["a ", "<"]],
    ["a long part at the end is none", ["<|end|>"], ["a <|en"], ["a ", ""]],
    ["that begins like itself", ["aab"], ["aaab"], ["a", ""]],
    ["no stop texts", [], ["a"], ["a", ""]],
    ["an empty stop text", [""], ["a"], ["a", ""]],
  ];
  for (const [name, stops, given, out] of cases) {
    test(name, () => expect(through(new StopFilter(stops), given)).toEqual(out));
  }

  test("law: for any division into parts", () => {
    const stops = ["aab", "ba\n", "\n\n", "abcabc"];
    let stopped = 0;
    fc.assert(
      fc.property(pieces(fc.string({ unit: fc.constantFrom("a", "b", "c", "\n"), maxLength: 24 })), (given) => {
        const ends = stops
          .map((stop) => ({ stop, start: given.join("").indexOf(stop) }))
          .filter(({ start }) => start >= 0);
        const first = ends.sort((x, y) => x.start + x.stop.length - (y.start + y.stop.length) || x.start - y.start)[0];
        const out = through(new StopFilter(stops), given).join("");
        const text = given.join("");
        // The longest stop text but one character may be left out at the end.
        expect(out).toBe(text.slice(0, first?.start ?? Math.max(out.length, text.length - 5)));
        if (first !== undefined) stopped += 1;
      }),
    );
    expect(stopped).toBeGreaterThan(8);
  });
});

describe("the stop filter counts lines", () => {
  const cases: readonly (readonly [number, readonly string[], string, boolean])[] = [
    [1, ["a\nb"], "a", true],
    [1, ["a"], "a", false],
    [1, ["\nb"], "", true],
    [2, ["a\r\nb\rc"], "a\r\nb", true],
    [2, ["a\n", "b", "c\n", "d"], "a\nbc", true],
  ];
  for (const [maxLines, given, out, reached] of cases) {
    test(`${maxLines} of ${JSON.stringify(given)}`, () => {
      const limit = new LineLimit(maxLines);
      expect(through(limit, given).join("")).toBe(out);
      expect(limit.isReached).toBe(reached);
    });
  }
});

test("the stop filter never splits a character and loses only an incomplete one", () => {
  const unit = fc.constantFrom("a", "🙂", "\r\n", "\r", "\n");
  fc.assert(
    fc.property(pieces(fc.string({ unit, maxLength: 12 })), (given) => {
      const out = through(new WholeCharacters(), given);
      expect(out.join("")).toBe(given.join(""));
      for (let i = 1; i < out.length; i++)
        expect(isInsideCharacter(given.join(""), out.slice(0, i).join("").length)).toBe(false);
    }),
  );
  expect(through(new WholeCharacters(), ["a\ud83d"])).toEqual(["a", ""]);
});

describe("lines of a response are read", () => {
  const fail = (): never => {
    throw new Error("too long");
  };
  test("for any division into parts", () => {
    fc.assert(
      fc.property(pieces(fc.string({ unit: fc.constantFrom("a", "\r\n", "\n", " "), maxLength: 16 })), (given) => {
        const reader = new LineReader(100, fail);
        const lines = [...given.flatMap((piece) => reader.push(piece)), ...reader.end()];
        const wanted = given.join("").split(/\r?\n/);
        expect(lines).toEqual(wanted.filter((line) => line.trim() !== ""));
      }),
    );
  });
  test("up to a limit", () => {
    const reader = new LineReader(3, fail);
    expect(reader.push("abc\nab")).toEqual(["abc"]);
    expect(() => reader.push("cd")).toThrow("too long");
  });
});
