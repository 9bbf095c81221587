import { expect, test } from "vitest";
import { ghostOf, isSubsequence } from "./subsequence.ts";

test.each([
  ["", "", true],
  [")", "a) + b", true],
  [");", "a);", true],
  [";)", "a);", false],
  ["😀", "a😀", true],
])("isSubsequence of %j in %j is %s", (part, whole, expected) => expect(isSubsequence(part, whole)).toBe(expected));

test.each([
  ["a)", ")", "a"],
  ["a) + b", ")", "a + b"],
  ["a).b();", ");", "a).b("],
  ["a", "", "a"],
])("%j in the place of %j is seen as %j", (text, replaced, ghost) => expect(ghostOf(text, replaced)).toBe(ghost));
