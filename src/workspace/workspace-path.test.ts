import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  comparePaths,
  extensionOf,
  folderDistance,
  folderOf,
  foldersAbove,
  isRelative,
  isWithin,
  joinPath,
  nameOf,
  relativePath,
  tryRelativePath,
  tryResolvePath,
} from "./workspace-path.ts";

const folder = fc.array(fc.constantFrom("a", "b", "c d", "é"), { maxLength: 4 }).map((names) => names.join("/"));

describe("folderOf, nameOf and extensionOf split the path", () => {
  const cases = [
    ["a/b/c.ts", "a/b", "c.ts", "ts"],
    ["c.test.TS", "", "c.test.TS", "ts"],
    [".gitignore", "", ".gitignore", ""],
    ["a.b/Makefile", "a.b", "Makefile", ""],
    ["", "", "", ""],
  ] as const;
  for (const [path, above, name, extension] of cases) {
    test(`"${path}"`, () =>
      expect([folderOf(path), nameOf(path), extensionOf(path)]).toEqual([above, name, extension]));
  }
});

test("foldersAbove lists the folders from the root down", () => {
  expect(foldersAbove("a/b/c.ts")).toEqual(["", "a", "a/b"]);
  expect(foldersAbove("c.ts")).toEqual([""]);
  expect(foldersAbove("")).toEqual([]);
});

test.each([
  ["a/b", "./c//d.ts", "a/b/c/d.ts"],
  ["a/b", "../c", "a/c"],
  ["a/b", "../..", ""],
  ["a/b", "../../..", undefined],
  ["a", "../../a/b", undefined],
  ["", "b/", "b"],
  ["", "..", undefined],
])("tryResolvePath in %j: %j is %j", (folder, path, resolved) => {
  expect(tryResolvePath(folder, path)).toBe(resolved);
});

test.each([
  ["", "a", "./a"],
  ["a/b", "a/b/c/d", "./c/d"],
  ["a/b", "a/c", "../c"],
  ["a/b", "", "../../"],
  ["a", "a", "./"],
  ["a", "ab/c", "../ab/c"],
])("relativePath from %j to %j is %j", (folder, target, relative) => {
  expect(relativePath(folder, target)).toBe(relative);
});

test("law: tryResolvePath inverts relativePath, which is relative", () => {
  fc.assert(
    fc.property(folder, folder, (from, target) => {
      expect(tryResolvePath(from, relativePath(from, target))).toBe(target);
      expect(isRelative(relativePath(from, target))).toBe(true);
    }),
  );
});

test.each([
  [".", true],
  ["..", true],
  ["./a", true],
  ["../a", true],
  [".a", false],
  ["...", false],
  ["a/./b", false],
  ["", false],
])("isRelative of %j is %j", (path, is) => {
  expect(isRelative(path)).toBe(is);
});

test("tryRelativePath returns undefined for a sibling with the same prefix", () => {
  expect(tryRelativePath("/work/app", "/work/apple")).toBeUndefined();
  expect(isWithin("apple", "app")).toBe(false);
  expect(isWithin("anything", "")).toBe(true);
});

test("law: tryRelativePath inverts joinPath", () => {
  fc.assert(
    fc.property(fc.constantFrom("/", "/work", "C:/work"), folder, (root, path) => {
      expect(tryRelativePath(root, joinPath(root, path))).toBe(path);
    }),
  );
});

test("law: folderDistance is a metric", () => {
  fc.assert(
    fc.property(folder, folder, folder, (a, b, c) => {
      expect(folderDistance(a, b) === 0).toBe(a === b);
      expect(folderDistance(a, b)).toBe(folderDistance(b, a));
      expect(folderDistance(a, c)).toBeLessThanOrEqual(folderDistance(a, b) + folderDistance(b, c));
    }),
  );
});

test("comparePaths orders by code unit, not by locale", () => {
  expect(["b", "a/b", "a.b", "B", "é"].sort(comparePaths)).toEqual(["B", "a.b", "a/b", "b", "é"]);
});
