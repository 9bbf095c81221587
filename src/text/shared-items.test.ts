import { expect, test } from "vitest";
import { sharedItems } from "./shared-items.ts";

test.each<[one: string, other: string, shared: string]>([
  ["", "abc", ""],
  ["abc", "", ""],
  ["abc", "cab", "cab"],
  ["aab", "abbaa", "aba"],
  ["abc", "xyz", ""],
])("sharedItems of %j and %j are %j", (one, other, shared) => {
  expect(sharedItems([...one], [...other]).join("")).toBe(shared);
});
