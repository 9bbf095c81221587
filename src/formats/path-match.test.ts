import { describe, expect, test } from "vitest";
import { nearestPath, normalizedPath, suffixMatch } from "./path-match.ts";

describe("a path is", () => {
  test.each([
    ["src/a.ts", "src/a.ts"],
    ["./src//a.ts", "src/a.ts"],
    [" src\\a.ts ", "src/a.ts"],
    ["src/../a.ts", "a.ts"],
    ["../a.ts", undefined],
    ["src/../../a.ts", undefined],
    ["/a.ts", undefined],
    ["C:\\a.ts", undefined],
    ["~/a.ts", undefined],
    ["file:///a.ts", undefined],
    [".git/config", undefined],
    ["sub/.GIT/config", undefined],
    [".gitignore", ".gitignore"],
    ["a\u0000.ts", undefined],
    ["", undefined],
    [".", undefined],
  ])("%j, written in full %j", (path, expected) => expect(normalizedPath(path)).toBe(expected));
});

describe("among src/a.ts, src/b.ts, lib/b.ts and a.ts", () => {
  const known = ["src/a.ts", "src/b.ts", "lib/b.ts", "a.ts"];

  test.each([
    ["a/src/a.ts", "src/a.ts", "src/a.ts"],
    ["b/a.ts", "a.ts", "a.ts"],
    ["/src/a.ts", "src/a.ts", "src/a.ts"],
    ["/home/me/project/src/a.ts", "src/a.ts", "src/a.ts"],
    ["C:\\project\\lib\\b.ts", "lib/b.ts", "lib/b.ts"],
    ["/etc/passwd", undefined, undefined],
    ["project/src/a.ts", undefined, "src/a.ts"],
    ["b.ts", undefined, undefined],
    ["../src/a.ts", undefined, undefined],
    ["xa.ts", undefined, undefined],
  ])("%s is strictly %j, loosely %j", (path, strict, loose) => {
    expect(suffixMatch(path, known, { isLoose: false })).toBe(strict);
    expect(suffixMatch(path, known, { isLoose: true })).toBe(loose);
  });

  test("a name alone is enough where there is one such file", () => {
    expect(suffixMatch("b.ts", ["src/b.ts"], { isLoose: true })).toBe("src/b.ts");
    expect(suffixMatch("b.ts", ["src/b.ts"], { isLoose: false })).toBeUndefined();
  });

  test("the nearest is named", () => {
    expect(nearestPath("src/bb.ts", known)).toBe("src/b.ts");
    expect(nearestPath("README", known)).toBeUndefined();
  });
});
