import { expect, test } from "vitest";
import { keepTypography } from "./keep-typography.ts";

test.each([
  ['say("a", b)', 'say("a", c)', "say(“a”, b)", "say(“a”, c)"],
  ['say("a", b)', "say('a', b)", "say(“a”, b)", "say('a', b)"],
  ["a b", "a c", "a\u00a0b", "a\u00a0c"],
  ["a b", "a c", "a  b", "a c"],
  ["a b", "a c", "x y", "a c"],
  ["a b", "a c", "a b", "a c"],
])("from %j to %j in %j gives %j", (before, after, own, expected) => {
  expect(keepTypography(before, after, own)).toBe(expected);
});
