import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { diffSequences, sameEnds } from "./diff-sequences.ts";
import { law } from "./edit.laws.ts";

// Sequences are words of letters. An answer shows kept letters as they are and changes as
// `[before|after]`.

describe("diffSequences", () => {
  it.each([
    ["", "", ""],
    ["abc", "abc", "abc"],
    ["abc", "", "[abc|]"],
    ["", "abc", "[|abc]"],
    ["abc", "xyz", "[abc|xyz]"],
    ["abc", "axc", "a[b|x]c"],
    ["abc", "abxc", "ab[|x]c"],
    ["abcd", "bcda", "[a|]bcd[|a]"],
    ["aaaa", "aa", "aa[aa|]"],
    // The example of Myers' paper: five changes.
    ["abcabba", "cbabac", "[ab|]c[a|]b[|a]ba[|c]"],
  ])("from %j to %j: %s", (before, after, expected) => {
    expect(show([...before], [...after])).toBe(expected);
  });

  const letters = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 });

  law("the changes lead from one sequence to the other", [letters, letters], (before, after) => {
    const result: string[] = [];
    let passed = 0;
    for (const change of diffSequences(before, after)) {
      result.push(...before.slice(passed, change.beforeStart), ...after.slice(change.afterStart, change.afterEnd));
      passed = change.beforeEnd;
    }
    expect([...result, ...before.slice(passed)]).toEqual(after);
  });

  law("changes are apart and not empty", [letters, letters], (before, after) => {
    let [beforeEnd, afterEnd] = [-1, -1];
    for (const change of diffSequences(before, after)) {
      expect(change.beforeStart).toBeGreaterThan(beforeEnd);
      expect(change.afterStart - change.beforeStart).toBe(afterEnd - beforeEnd);
      expect(change.beforeEnd - change.beforeStart + change.afterEnd - change.afterStart).toBeGreaterThan(0);
      ({ beforeEnd, afterEnd } = change);
    }
  });

  law("no shorter way exists", [letters, letters], (before, after) => {
    expect(keptCount(before, after)).toBe(longestCommonLength(before, after));
  });

  law(
    "a bound on the cost costs length, not truth",
    [letters, letters, fc.integer({ min: 1, max: 4 })],
    (a, b, bound) => {
      expect(read(show(a, b, bound))).toEqual([a.join(""), b.join("")]);
      expect(keptCount(a, b, bound)).toBeLessThanOrEqual(longestCommonLength(a, b));
    },
  );
});

function show(before: readonly string[], after: readonly string[], maxCost?: number): string {
  let shown = "";
  let passed = 0;
  for (const change of diffSequences(before, after, maxCost)) {
    const old = before.slice(change.beforeStart, change.beforeEnd).join("");
    const fresh = after.slice(change.afterStart, change.afterEnd).join("");
    shown += `${before.slice(passed, change.beforeStart).join("")}[${old}|${fresh}]`;
    passed = change.beforeEnd;
  }
  return shown + before.slice(passed).join("");
}

/** The two sequences that an answer shows. */
function read(shown: string): [before: string, after: string] {
  return [shown.replace(/\[(\w*)\|\w*\]/g, "$1"), shown.replace(/\[\w*\|(\w*)\]/g, "$1")];
}

function keptCount(before: readonly string[], after: readonly string[], maxCost?: number): number {
  const changes = diffSequences(before, after, maxCost);
  return before.length - changes.reduce((sum, change) => sum + change.beforeEnd - change.beforeStart, 0);
}

/** The length of the longest common subsequence, by the plain quadratic table. */
function longestCommonLength(a: readonly string[], b: readonly string[]): number {
  let above = new Array<number>(b.length + 1).fill(0);
  for (const item of a) {
    const row = [0];
    for (const [j, other] of b.entries()) row.push(item === other ? above[j]! + 1 : Math.max(above[j + 1]!, row[j]!));
    above = row;
  }
  return above.at(-1)!;
}

test.each<[one: string, other: string, front: number, back: number]>([
  ["", "", 0, 0],
  ["open cart", "open basket", 5, 1],
  ["a", "a", 1, 0],
  ["aba", "aa", 1, 1],
  ["aa", "aaaa", 2, 0],
  ["one", "two", 0, 0],
])("%j and %j share %i in front and %i at the end", (one, other, front, back) => {
  expect(sameEnds(one, other)).toEqual({ front, back });
});

test("law: the ends are the same, do not overlap, and nothing more in front or behind is shared", () => {
  const items = fc.array(fc.constantFrom(1, 2), { maxLength: 8 });
  fc.assert(
    fc.property(items, items, (one, other) => {
      const { front, back } = sameEnds(one, other);
      expect(one.slice(0, front)).toEqual(other.slice(0, front));
      expect(one.slice(one.length - back)).toEqual(other.slice(other.length - back));
      expect(front + back).toBeLessThanOrEqual(Math.min(one.length, other.length));
      const [left, right] = [one, other].map((all) => all.slice(front, all.length - back)) as [number[], number[]];
      fc.pre(left.length > 0 && right.length > 0);
      expect(left[0]).not.toBe(right[0]);
      expect(left.at(-1)).not.toBe(right.at(-1));
    }),
  );
});
