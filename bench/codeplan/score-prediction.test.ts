import { afterAll, beforeAll, expect, test } from "vitest";
import { BlockReader } from "../../src/analysis/graph/block-reader.ts";
import { blockId } from "../../src/analysis/graph/code-block.ts";
import { parseScriptTree } from "../../src/names/node/parse-script-tree.ts";
import { openSyntax } from "../../src/syntax/node/open-syntax.ts";
import { scorePrediction } from "./score-prediction.ts";
import { diffText } from "./text-scores.ts";

const syntax = openSyntax();
const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
beforeAll(() => reader.load(["a.py"]));
afterAll(() => syntax[Symbol.dispose]());

const blocksOf = (path: string, text: string) => reader.tryBlocks(path, text) ?? [];

/** Each word is a function of its file, such as `f1`, and what it returns. */
function file(...words: readonly string[]): string {
  return words.map((word) => `def ${word[0]}():\n    return ${word.slice(1)}\n`).join("\n");
}

test("blocks are matched, missed or spurious, whatever they say, and those that the target leaves alone count for nothing", () => {
  const source = file("a1", "b1", "c1", "d1");
  const target = file("a2", "b2", "c1", "d1");
  const targets = ["a", "b", "c"].map((name) => {
    const block = blocksOf("f.py", target).find((one) => one.name === name)!;
    const isUntouched = name === "c";
    return { id: blockId(block), block, isNew: false, isSame: isUntouched, ...(isUntouched && { isUntouched }) };
  });
  const scores = scorePrediction(
    {
      texts: { source: new Map([["f.py", source]]), target: new Map([["f.py", target]]) },
      predicted: new Map([["f.py", file("a3", "b1", "c1", "d9")]]),
      ...{ targets, unplaced: 1 },
    },
    { blocksOf, diffOf: diffText },
  );
  expect(scores).toMatchObject({
    matched: ["f.py|function:a"],
    missed: ["f.py|function:b", "not found in source or target"],
    spurious: ["f.py|function:d"],
    levenshtein: 3,
  });
});

test("the honest score counts files that only one side changed or made, and line endings are none", () => {
  const same = { "a.py": file("a1"), "b.py": file("b1"), "d.py": file("d1") };
  const scores = scorePrediction(
    {
      texts: {
        source: new Map(Object.entries(same)),
        target: new Map(Object.entries({ ...same, "a.py": file("a2"), "c.py": file("c1") })),
      },
      predicted: new Map(Object.entries({ ...same, "a.py": file("a2").replaceAll("\n", "\r\n"), "b.py": file("b9") })),
      ...{ targets: [], unplaced: 0 },
    },
    { blocksOf, diffOf: diffText },
  );
  expect(scores.publishedDiffBleu).toBeCloseTo(1);
  expect(scores.honestDiffBleu).toBeCloseTo(1 / 3);
  expect(scores.levenshtein).toBe(1);
});
