import { describe, expect, test } from "vitest";
import { tryParsePathGlob, tryPathGlobIssue } from "./path-glob.ts";

const options = { ignoreCase: false };

function matches(glob: string, path: string): boolean | undefined {
  return tryParsePathGlob(glob, options)?.matches(path);
}

describe("the braces of a glob", () => {
  test.each([
    ["{a,b}/c", "a/c", true],
    ["{a,b}/c", "b/c", true],
    ["{a,b}/c", "c/c", false],
    ["{a,b{c,d}}.ts", "a.ts", true],
    ["{a,b{c,d}}.ts", "bd.ts", true],
    ["{a,b{c,d}}.ts", "b.ts", false],
    ["*.{ts,tsx}", "a.tsx", true],
    ["a{,.test}.ts", "a.ts", true],
    ["a{}.ts", "a.ts", true],
    ["a,b", "a,b", true],
    ["{a,b", "{a,b", true],
    ["{a,{b}", "{a,b", true],
    ["a,b}", "a,b}", true],
    ["{a}}", "a}", true],
    ["}{a,b}", "}b", true],
  ])("%j matches %j: %s", (glob, path, expected) => expect(matches(glob, path)).toBe(expected));
});

const alternatives = "The braces of a pattern have at most 256 alternatives in all: write several patterns.";
const length = "A pattern has at most 4,096 characters: write several patterns.";

describe("row 15: a glob is limited in its alternatives and its length", () => {
  test.each([
    ["8 groups of two", "{a,b}".repeat(8), undefined],
    ["9 groups of two", "{a,b}".repeat(9), alternatives],
    ["a group of 256", `{${"a,".repeat(255)}a}`, undefined],
    ["a group of 257", `{${"a,".repeat(256)}a}`, alternatives],
    ["groups of one, as many as fit", "{a}".repeat(1_365), undefined],
    ["groups of one after 256 alternatives", "{a,b}".repeat(8) + "{a}".repeat(1_000), undefined],
    ["groups of one in each other", "{".repeat(2_000) + "}".repeat(2_000), undefined],
    // Each level adds one alternative.
    ["200 levels of two", `${"{a,".repeat(200)}b${"}".repeat(200)}`, undefined],
    ["256 levels of two", `${"{a,".repeat(256)}b${"}".repeat(256)}`, alternatives],
    ["braces that stay open", "{a,".repeat(1_365), undefined],
    ["4,096 characters", "a".repeat(4_096), undefined],
    ["4,097 characters", "a".repeat(4_097), length],
    ["a million braces", "{a,b}".repeat(200_000), length],
  ])("%s", (_, glob, issue) => {
    expect(tryPathGlobIssue(glob)).toBe(issue);
    expect(tryParsePathGlob(glob, options) === undefined).toBe(issue !== undefined);
  });
});
