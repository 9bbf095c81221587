import fc from "fast-check";
import { expect, test } from "vitest";
import { type ActiveSuggestion, restOfSuggestion, SuggestionLog } from "./suggestion-log.ts";

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

test.each([
  ["usual documents", 10_000, 8],
  ["long documents", 600_000, 3],
  ["documents longer than the limit", 3_000_000, 1],
])("row 14: suggestions of %s are remembered within limits", (_, length, remembered) => {
  const log = new SuggestionLog({ now: () => 0 } as never, {} as never, 0);
  const text = "x".repeat(length);
  const ids = Array.from({ length: 10 }, (_, n) => `ghost-${n}`);
  for (const id of ids)
    log.add({ suggestion: { id }, before: text, text: "", after: "" } as unknown as ActiveSuggestion, {} as never);
  const known = ids.filter((id) => log.offer(id) !== undefined);
  expect(known).toEqual(ids.slice(-remembered));
});
