import { describe, expect, test } from "vitest";
import { gitPathOf, tryParseGitPattern } from "./git-pattern.ts";

/** A line of an ignore file, the paths that it matches, and paths that it does not match. */
const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ["name", ["name", "a/name"], ["names", "name/a", "Name"]],
  ["name/", ["name", "a/name"], ["name/a"]],
  ["/name", ["name"], ["a/name"]],
  ["a/name", ["a/name"], ["b/a/name", "a/b/name"]],
  ["*.ts", ["a.ts", "b/a.ts", ".ts"], ["a.tsx"]],
  ["*", ["a", "a/b"], []],
  ["a*c", ["ac", "abc", "x/abbc"], ["a/c", "acd"]],
  ["a/*", ["a/b"], ["a/b/c", "a"]],
  ["**/a", ["a", "b/a", "b/c/a"], ["ba"]],
  ["a/**", ["a/b", "a/b/c"], ["a"]],
  ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/xb"]],
  ["**/a/**/b/*.c", ["a/b/x.c", "z/a/y/b/x.c"], ["a/b/c/x.c"]],
  ["a**/b", ["ab", "axy/b", "axy/z/b"], ["b"]],
  ["**\\/b", ["x/y/b", "/b"], ["b"]],
  ["a***b", ["ab", "axb"], ["a/b"]],
  ["a?c", ["abc"], ["a/c", "ac"]],
  ["?", ["a"], ["é"]],
  ["??", ["é"], []],
  ["[a-c]x", ["ax", "cx"], ["dx", "-x"]],
  ["[!a-c]x", ["dx"], ["ax"]],
  ["[^a]", ["b"], ["a"]],
  ["[]a]", ["]", "a"], ["b"]],
  ["[a-]", ["a", "-"], ["b"]],
  ["[c-a]", ["c"], ["a", "b"]],
  ["[\\]]", ["]"], ["\\"]],
  ["[[:digit:][:upper:]]", ["1", "A"], ["a"]],
  ["[[:nonsense:]]", [], ["a", ":", "["]],
  ["[[:]", ["[", ":"], ["a"]],
  ["[a", [], ["[a", "a"]],
  ["\\*", ["*"], ["a"]],
  ["\\!a", ["!a"], ["a"]],
  ["\\#a", ["#a"], ["a"]],
  ["a\\", [], ["a", "a\\"]],
  ["a  ", ["a"], ["a  "]],
  ["a\\ ", ["a "], ["a"]],
  ["a\\  ", ["a "], ["a  "]],
  ["a\t", ["a\t"], ["a"]],
  ["*a*a*a*a*a*a*a*a*b", [], ["a".repeat(200)]],
  ["/", [], ["a", ""]],
  ["__proto__", ["__proto__"], []],
];

describe("tryParseGitPattern matches the expected paths for the line", () => {
  for (const [line, yes, no] of cases) {
    test(JSON.stringify(line), () => {
      const options = { ignoreCase: false };
      const pattern = tryParseGitPattern(line, options);
      for (const path of yes) expect(pattern?.matches(gitPathOf(path, options)), path).toBe(true);
      for (const path of no) expect(pattern?.matches(gitPathOf(path, options)) ?? false, path).toBe(false);
    });
  }
});

test("tryParseGitPattern returns undefined for comments and blank lines", () => {
  for (const line of ["", " ", "#a", "!", "!  "]) {
    expect(tryParseGitPattern(line, { ignoreCase: false })).toBeUndefined();
  }
});

test("tryParseGitPattern reads a leading ! and a trailing slash", () => {
  expect(tryParseGitPattern("!a/", { ignoreCase: false })).toMatchObject({ negated: true, foldersOnly: true });
  expect(tryParseGitPattern("\\!a", { ignoreCase: false })).toMatchObject({ negated: false, foldersOnly: false });
});

test("tryParseGitPattern folds the case of ASCII letters only", () => {
  const options = { ignoreCase: true };
  const matches = (line: string, path: string) => tryParseGitPattern(line, options)?.matches(gitPathOf(path, options));
  expect(matches("*.TS", "a.ts")).toBe(true);
  expect(matches("Src/**/A?", "src/x/aB")).toBe(true);
  expect(matches("[A-C]", "b")).toBe(true);
  expect(matches("É", "é")).toBe(false);
});
