import { expect, it, test } from "vitest";
import { addToGroup, getOrInsert, groupBy, sharedItems } from "./maps.ts";

it("addToGroup begins a group, and continues it", () => {
  const groups = new Map<string, number[]>();
  addToGroup(groups, "a", 1);
  addToGroup(groups, "b", 2);
  addToGroup(groups, "a", 3);
  expect([...groups]).toEqual([
    ["a", [1, 3]],
    ["b", [2]],
  ]);
});

it("groupBy keeps the order of keys and items", () => {
  expect([...groupBy(["bee", "ant", "bat", "asp"], ([first]) => first)]).toEqual([
    ["b", ["bee", "bat"]],
    ["a", ["ant", "asp"]],
  ]);
});

it("getOrInsert makes a value once, and again where it was undefined", () => {
  const made: string[] = [];
  const map = new Map<string, string | undefined>();
  const get = (key: string, value: string | undefined) =>
    getOrInsert(map, key, () => {
      made.push(key);
      return value;
    });
  expect([get("a", "1"), get("a", "2"), get("b", undefined), get("b", "3")]).toEqual(["1", "1", undefined, "3"]);
  expect(made).toEqual(["a", "b", "b"]);
});

test.each<[one: string, other: string, shared: string]>([
  ["", "abc", ""],
  ["abc", "", ""],
  ["abc", "cab", "cab"],
  ["aab", "abbaa", "aba"],
  ["abc", "xyz", ""],
])("sharedItems of %j and %j are %j", (one, other, shared) => {
  expect(sharedItems([...one], [...other]).join("")).toBe(shared);
});
