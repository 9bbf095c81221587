import { describe, expect, test } from "vitest";
import { nearestPath, normalizedPath, suffixMatch, unsafePathMessage } from "./path-match.ts";

describe("a normalized path", () => {
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

test.each([
  ["src/new\nline.ts", "U+000A"],
  ["src/a\r.ts", "U+000D"],
  ["a\tb.ts", "U+0009"],
  ["a\u001b[31m.ts", "U+001B"],
  ["a\u0085.ts", "U+0085"],
  ["a\u2028b.ts", "U+2028"],
  ["\u202egnp.ts", "U+202E"],
])("row 9: no path has a control character: %j", (path, code) => {
  expect(normalizedPath(path)).toBeUndefined();
  expect(unsafePathMessage(path)).toContain(code);
  expect(suffixMatch(path, ["src/a.ts", "line.ts", "b.ts"], { isLoose: true })).toBeUndefined();
});

describe("suffixMatch among src/a.ts, src/b.ts, lib/b.ts and a.ts", () => {
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

  test("accepts a bare name where there is one such file", () => {
    expect(suffixMatch("b.ts", ["src/b.ts"], { isLoose: true })).toBe("src/b.ts");
    expect(suffixMatch("b.ts", ["src/b.ts"], { isLoose: false })).toBeUndefined();
  });

  test("nearestPath returns the most similar path", () => {
    expect(nearestPath("src/bb.ts", known)).toBe("src/b.ts");
    expect(nearestPath("README", known)).toBeUndefined();
  });
});
