import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isInsideCharacter } from "../text/index.ts";
import { InvisibleFilter } from "./invisible-text.ts";
import { OpeningFilter } from "./opening-filter.ts";
import { RepeatedSuffixFilter, repeatedPrefixFilter } from "./repeated-ends.ts";
import { LineLimit, StopFilter } from "./stop-filter.ts";
import { pipeline, type StreamFilter, WholeCharacters } from "./stream-filter.ts";

/** What comes out for each piece, and then at the end. */
function through(filter: Pick<StreamFilter, "push" | "end">, pieces: readonly string[]): readonly string[] {
  return [...pieces.map((piece) => filter.push(piece)), filter.end()];
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
      expect(limit.isOver).toBe(reached);
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

const place = { prefix: "function f() {\n  const a = b;\n", suffix: "  return a;\n}\n", language: "typescript" };

/** The filters that an engine may list, each new for an answer. */
const makers: readonly (readonly [string, () => StreamFilter])[] = [
  ["the opening", () => new OpeningFilter(place)],
  ["repeated text before", () => repeatedPrefixFilter(place.prefix)],
  ["repeated lines before", () => repeatedPrefixFilter(place.prefix, { wholeLines: true })],
  ["repeated text after", () => new RepeatedSuffixFilter(place.suffix)],
  ["invisible characters", () => new InvisibleFilter()],
  ["stop texts", () => new StopFilter(["\n\n", "<HOLE/>"])],
  ["whole characters", () => new WholeCharacters()],
  ["all", () => pipeline([...makers.slice(0, -1).map(([, make]) => make()), new LineLimit(5)])],
];

const anyUnit = fc.constantFrom(
  ...["  const a = b;\n", "const a = b;", "  return a;", "\n", "\r\n", "}", " ", "a", "\n}\n", "function f() {\n"],
  ...["```", "```ts\n", "\n```\n", "~~~", "<think>", "</think>", "Here is the code:\n", "Sure!", "<HOLE/>", "<"],
  ...["\u200b", "é", "🙂", "\u200d", "\ufe0f", "#", "नी"],
);

/** Why text was removed; of a filter that is over, its last piece decides what else it has seen. */
const reasons = (filter: StreamFilter) => (filter.isOver ? [] : [...filter.removed]);

describe.each(makers)("law: what a filter lets through does not depend on the pieces: %s", (_, make) => {
  test("it is the same for any pieces", () => {
    fc.assert(
      fc.property(pieces(fc.array(anyUnit, { maxLength: 10 }).map((units) => units.join(""))), (given) => {
        const text = given.join("");
        const whole = make();
        const out = through(whole, [text]).join("");
        for (const parts of [given, text.split("")]) {
          const filter = make();
          expect(through(filter, parts).join("")).toBe(out);
          expect(reasons(filter)).toEqual(reasons(whole));
        }
      }),
      { numRuns: 300 },
    );
  });
});

test.each([
  ["```ts\na();\n```\nIt calls a.", "a();"],
  ["```ts\na();\n  ```  \n", "a();"],
  ["```\n```", ""],
  ["```\na();```", "a();"],
  ['```\na = "```";\n```', 'a = "```";'],
  ["```\r\na();\r\nb();\r\n```\r\n", "a();\r\nb();"],
  ["````\n```\na\n```\n````", "```\na\n```"],
  ["~~~\na\n```\n~~~~", "a\n```"],
  ["```\na();\n", "a();\n"],
])("the text in the fence of %j is %j", (answer, text) => {
  expect(through(new OpeningFilter(place), answer.split("")).join("")).toBe(text);
});

test("a pipeline passes on what its filters hold once one of them is over", () => {
  const filter = pipeline([new StopFilter(["END"]), new RepeatedSuffixFilter("abcd"), new LineLimit(2)]);
  expect(through(filter, ["x a", "b", "END", "more"])).toEqual(["x ", "", "ab", "", ""]);
  expect([filter.isOver, ...filter.removed]).toEqual([true, "stop"]);
});
