import fc from "fast-check";
import { expect, test } from "vitest";
import { restOfSuggestion } from "./suggestion-log.ts";

/**
 * The rest of what is offered between `«` and `»` when the document is `now`; what it covers behind
 * `‹›`.
 */
function rest(offered: string, now: string): string | undefined {
  const [before, text, after] = offered.split(/[«»]/) as [string, string, string];
  const [prefix, suffix] = now.split("|") as [string, string];
  const left = restOfSuggestion({ uri: "a", before, text, after }, { uri: "a", prefix, suffix });
  if (left === undefined) return undefined;
  return left.text + (left.covered > 0 ? ` ‹${suffix.slice(0, left.covered)}›` : "");
}

test.each([
  ["a = «b + c»;", "a = |;", "b + c"],
  ["a = «b + c»;", "a = b |;", "+ c"],
  ["a = «b + c»;", "a = b + c|;", ""],
  ["a = «b + c»;", "a = b + cd|;", undefined],
  ["a = «b + c»;", "a = x|;", undefined],
  ["a = «b + c»;", "a =|;", undefined],
  ["a = «b + c»;", "a = b|", undefined],
  ["a = «f(b)»;", "a = f(|);", "b) ‹)›"],
  ["a = «f([b])»;", "a = f([|]);", "b]) ‹])›"],
  ["a = «f(b)»;", "a = f(|];", undefined],
  ["f(«a) + b»", "f(a|)", ") + b ‹)›"],
  ["«if (a) {\r\n  b();\r\n}»\r\n", "if (a) {\r\n|}\r\n", "  b();\r\n} ‹}›"],
  ["«f()\ng()»", "f(|\n)", undefined],
])("the rest of the suggestion %j at %j is %j", (offered, now, expected) => expect(rest(offered, now)).toBe(expected));

test("an active suggestion does not apply to another document", () => {
  const offer = { uri: "a", before: "", text: "b", after: "" };
  expect(restOfSuggestion(offer, { uri: "b", prefix: "", suffix: "" })).toBeUndefined();
});

test("law: accepting the rest of a suggestion gives the text of accepting all of it", () => {
  const text = fc.string({ maxLength: 8, unit: fc.constantFrom("a", "(", ")", "\n") });
  fc.assert(
    fc.property(text, text, text, fc.nat(8), fc.constantFrom("", ")", "("), (before, offered, after, typed, closed) => {
      const [prefix, suffix] = [before + offered.slice(0, typed), closed + after];
      const left = restOfSuggestion({ uri: "a", before, text: offered, after }, { uri: "a", prefix, suffix });
      fc.pre(left !== undefined);
      expect(prefix + left.text + suffix.slice(left.covered)).toBe(before + offered + after);
    }),
  );
});
