import fc from "fast-check";
import { expect, test } from "vitest";
import { law } from "../../text/edit.laws.ts";
import { findRun } from "./keyed-lines.ts";
import { uniqueBlocks } from "./unique-blocks.ts";

/** Lines are letters, blocks `search>replace`. */
const cases: readonly (readonly [before: string, after: string, contextLines: number, blocks: string])[] = [
  ["abc", "axc", 0, "b>x"],
  ["abc", "axbc", 0, "a>ax"],
  ["abc", "ac", 0, "b>"],
  ["abcb", "abcx", 0, "cb>cx"],
  ["bbb", "bxb", 0, "bbb>bxb"],
  ["abcdefgh", "abcxefgh", 2, "bcdef>bcxef"],
  ["abcdefgh", "xbcdefgy", 0, "a>x h>y"],
  ["abcdefgh", "xbcdefgy", 3, "abcd>xbcd efgh>efgy"],
  ["abcd", "xbcy", 2, "abcd>xbcy"],
  ["", "ab", 3, ">ab"],
  ["ab", "", 0, "ab>"],
  ["a}", "a}}", 0, "a}>a}}"],
  // The first block creates a second "c", so the next one needs more lines.
  ["abc", "cbcx", 0, "a>c bc>bcx"],
];

for (const [before, after, contextLines, blocks] of cases) {
  test(`${before} to ${after}, ${contextLines} lines around`, () => {
    const found = uniqueBlocks([...before], [...after], { contextLines });
    expect(found.map(({ search, replace }) => `${search.join("")}>${replace.join("")}`).join(" ")).toBe(blocks);
  });
}

const lines = fc.array(fc.constantFrom<string>("a", "b", "}", ""), { maxLength: 12 });

law(
  "replacing the blocks one after the other gives the text after",
  [lines, lines, fc.nat(3)],
  (before, after, context) => {
    let text = before;
    for (const { search, replace } of uniqueBlocks(before, after, { contextLines: context })) {
      const [start = 0, ...others] = findRun(search, text);
      expect(others).toEqual([]);
      text = text.toSpliced(start, search.length, ...replace);
    }
    expect(text).toEqual(after);
  },
);
