import fc from "fast-check";
import { expect, test } from "vitest";
import { law } from "../../text/edit.laws.ts";
import { JsonScanner, parseModelJson } from "./parse-model-json.ts";

const cases: readonly (readonly [text: string, value: unknown, ...repaired: string[]])[] = [
  ['{"a": "b"}', { a: "b" }],
  ['{"a": "x\ny\tz"}', { a: "x\ny\tz" }, "raw-characters"],
  ['{"a": [1, 2,], }', { a: [1, 2] }, "trailing-commas"],
  ['{"a": ",]"}', { a: ",]" }],
  ['{"a": ",]\n"}', { a: ",]\n" }, "raw-characters"],
  ['{"a": "it\\\'s"}', { a: "it's" }, "escaped-apostrophes"],
  ['{"a": "\\\\\'"}', { a: "\\'" }],
];

for (const [text, value, ...repaired] of cases) {
  test(`JSON of a model is parsed: ${JSON.stringify(text)}`, () =>
    expect(parseModelJson(text)).toEqual({ kind: "value", value, repaired }));
}

const broken: readonly (readonly [text: string, offset: number, message: string])[] = [
  ['{"a" "b"}', 5, "colon expected"],
  ['{"a": "b" "c": 1}', 10, "comma expected"],
  ['{"a": "\\d"}', 6, "invalid escape character"],
  ["{'a': 1}", 1, "invalid symbol"],
];

for (const [text, offset, message] of broken) {
  test(`text that is no JSON is refused: ${text}`, () =>
    expect(parseModelJson(text)).toEqual({ kind: "broken", offset, message }));
}

test("very many brackets do not make the JSON reader throw", () => {
  const text = `${"[".repeat(100_000)}x${"]".repeat(100_000)}`;
  expect(parseModelJson(text)).toMatchObject({ kind: "broken" });
});

law("valid JSON is read unchanged", [fc.json()], (text) => {
  expect(parseModelJson(text)).toEqual({ kind: "value", value: JSON.parse(text), repaired: [] });
});

law("no text makes parseModelJson throw", [fc.string({ unit: fc.constantFrom(..."{}[]\":,\\'\na1 ") })], (text) => {
  expect(["value", "broken"]).toContain(parseModelJson(text).kind);
});

law(
  "the JSON scanner finds the last bracket for any pieces",
  [fc.dictionary(fc.string(), fc.json()), fc.nat(40)],
  (...drawn) => {
    const [value, at] = drawn;
    const text = JSON.stringify(value);
    const cut = at % text.length;
    const scanner = new JsonScanner();
    expect(scanner.scan(text.slice(0, cut))).toBeUndefined();
    expect(scanner.scan(`${text.slice(cut)} }`)).toBe(text.length - cut);
  },
);
