import fc from "fast-check";
import { expect, test } from "vitest";
import { compileLanguage } from "../fixtures/compile-language.ts";
import { recognise } from "../hole/recognise.ts";

const json = compileLanguage("json");

function isWhole(text: string): boolean {
  return recognise(json, new TextEncoder().encode(text)).kind === "whole";
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const whole = [
  "null",
  " true ",
  '"a"',
  "-0",
  "0.5e-10",
  "1E+2",
  "[]",
  "{}",
  "[1, [2, {}], null]",
  '{"a": {"b": []}, "a": 1}',
  '"\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u00e9 \\ud83d"',
  '"é 😀 \u2028"',
  "\t\r\n1",
];
const refused = [
  "",
  " ",
  "01",
  "+1",
  "1.",
  ".5",
  "1e",
  "-",
  "0x1",
  "NaN",
  "nul",
  "nulll",
  "true false",
  "[1,]",
  "[,]",
  "[1 2]",
  "{,}",
  '{"a"}',
  '{"a": 1,}',
  "{a: 1}",
  "'a'",
  '"a',
  '"\n"',
  '"\t"',
  '"\\x41"',
  '"\\u12"',
  '"\\\n"',
  "[1] // a",
  "[1]]",
  "\ufeff1",
  "\v1",
  "\u00a01",
];

for (const text of whole) test(`${JSON.stringify(text)} is JSON`, () => expect(isWhole(text)).toBe(true));
for (const text of refused) test(`${JSON.stringify(text)} is not JSON`, () => expect(isWhole(text)).toBe(false));

test("the expectations of this file agree with JSON.parse", () => {
  expect(whole.filter((text) => !isJson(text))).toEqual([]);
  expect(refused.filter(isJson)).toEqual([]);
});

/** A character that means something to JSON, or nearly. */
const piece = fc.constantFrom(
  ...'{}[]:,"\\/-+.eE0123 \n\tubntfars\u0000\u00e9',
  "true",
  "null",
  "\\u00e9",
  '""',
  "😀",
  "//",
);

const mutated = fc
  .tuple(fc.json(), fc.array(fc.tuple(fc.nat(), fc.nat(3), piece), { maxLength: 3 }))
  .map(([text, changes]) =>
    changes.reduce((changed, [place, length, put]) => {
      const at = place % (changed.length + 1);
      return changed.slice(0, at) + put + changed.slice(at + length);
    }, text),
  );

test("law: the json grammar accepts exactly the texts that JSON.parse accepts", () => {
  fc.assert(fc.property(mutated, (text) => isWhole(text) === isJson(text)));
});

test("law: the json grammar agrees with JSON.parse on random sequences of tokens", () => {
  const texts = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
  fc.assert(fc.property(texts, (text) => isWhole(text) === isJson(text)));
});
