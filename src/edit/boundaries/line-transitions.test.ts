import { expect, test } from "vitest";
import { indentationOf, LineTransitions } from "./line-transitions.ts";

const habits = new LineTransitions(["if (a) {", "  b();", "}", "", "if (c) {", "  d();", "}", "", "e();"]);

const cases: readonly (readonly [name: string, usual: readonly [string, string], odd: readonly [string, string]])[] = [
  ["a block is indented", ["for (;;) {", "  f();"], ["for (;;) {", "f();"]],
  ["a blank line follows a closing brace", ["}", ""], ["}", "f();"]],
  ["no blank line follows an opening brace", ["for (;;) {", "  f();"], ["for (;;) {", ""]],
];

for (const [name, usual, odd] of cases) {
  test(`line transitions: ${name}`, () => {
    expect(habits.logProbability(...usual)).toBeGreaterThan(habits.logProbability(...odd));
    expect(habits.logProbability(...usual)).toBeLessThan(0);
  });
}

test("transitions include the beginning and the end of a file", () => {
  expect(habits.logProbability(undefined, "if (f) {")).toBeGreaterThan(habits.logProbability(undefined, "}"));
  expect(habits.logProbability("f();", undefined)).toBeGreaterThan(habits.logProbability("}", undefined));
});

test("a tab counts as four columns of indentation", () => {
  expect(["a", "  a", "\ta", "\t a"].map(indentationOf)).toEqual([0, 2, 4, 5]);
});
