import { expect, test } from "vitest";
import { changedKeys, outcomeOf } from "./block-outcomes.ts";

/**
 * The text of a block before, now and in the commit, `-` for nothing; `!` where the checker
 * has something against it; the rules that edited it.
 */
const cases: readonly (readonly [texts: string, rules: readonly string[], outcome: string])[] = [
  ["f() g() g()", ["rename"], "exact"],
  ["f() g() h()", ["rename"], "silent"],
  ["f() g() -", [], "silent"],
  ["f() f() g()", [], "obligation"],
  ["f() f() g() !", [], "obligation"],
  ["f() g() g(a) !", ["rename"], "begun"],
  ["f() g() g(a) !", [], "begun"],
  ["f() g(b) g(a) !", ["rename", "call"], "wrong"],
  ["f() g() g() !", ["call"], "wrong"],
];

test.each(cases)("%s by %s is %s", (texts, rules, outcome) => {
  const [before, now, wanted, mark] = texts.split(" ").map((text) => (text === "-" ? undefined : text));
  expect(outcomeOf({ before, now, wanted, hasFinding: mark === "!", rules })).toBe(outcome);
});

test("keys that came, went or say something else are changed", () => {
  const before = new Map([
    ["a", "1"],
    ["b", "1"],
    ["c", "1"],
  ]);
  const after = new Map([
    ["a", "1"],
    ["b", "2"],
    ["d", "1"],
  ]);
  expect([...changedKeys(before, after)].sort()).toEqual(["b", "c", "d"]);
});
