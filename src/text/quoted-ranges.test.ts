import fc from "fast-check";
import { expect, test } from "vitest";
import { quotedRanges } from "./quoted-ranges.ts";

const stringsOf = (text: string) => quotedRanges(text).map(({ start, end }) => text.slice(start, end));

test.each<[string, readonly string[]]>([
  ["plain", []],
  ["a \"b\" 'c' `d`", ['"b"', "'c'", "`d`"]],
  ['"a\\"b" c', ['"a\\"b"']],
  ['don\'t "say" it', ['"say"']],
  ['"it\'s"', ['"it\'s"']],
  ['"a\nb"', ['"a\nb"']],
  ['"\\"\\"\\" \'a\'', ["'a'"]],
])("the strings of %j", (text, expected) => {
  expect(stringsOf(text)).toEqual(expected);
});

test("law: the strings are those of a pattern that tries each place", () => {
  let counted = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom('"', "'", "`", "\\", "a", "\n")), (pieces) => {
      const text = pieces.join("");
      const expected = text.match(/(["'`])(?:\\[\s\S]|(?!\1|\\)[\s\S])*\1/g) ?? [];
      if (expected.length > 0) counted += 1;
      expect(stringsOf(text)).toEqual(expected);
    }),
  );
  expect(counted).toBeGreaterThan(10);
});
