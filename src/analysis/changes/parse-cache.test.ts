import { expect, test } from "vitest";
import type { ScriptTree } from "../../names/index.ts";
import { ParseCache } from "./parse-cache.ts";

/**
 * Reads texts of these lengths one after the other, then all of them again from the last to the
 * first. Returns the indexes of those that were parsed again.
 */
function readAgain(lengths: readonly number[]): readonly number[] {
  const read: number[] = [];
  const states = new ParseCache({
    tryBlocks: (path) => {
      read.push(Number(path));
      return [];
    },
    tryBlocksInSlices: async () => [],
    tryScript: () => undefined,
  });
  const texts = lengths.map((length, i) => [`${i}`, "x".repeat(length)] as const);
  for (const [path, text] of texts) states.blocksOf(path, text);
  read.length = 0;
  for (const [path, text] of texts.toReversed()) states.blocksOf(path, text);
  return read.toReversed();
}

test.each<readonly [string, readonly number[], readonly number[]]>([
  ["all short texts", [10, 20, 30], []],
  ["only the last of long texts", [200_000, 200_000, 200_000, 10], [0]],
  ["two texts of any length", [5_000_000, 5_000_000, 5_000_000], [0]],
])("the cache keeps %s", (_, lengths, again) => {
  expect(readAgain(lengths)).toEqual(again);
});

const changed = new Map([["a.ts", { before: "a".repeat(20_000), after: "b".repeat(20_000) }]]);

test("row 14: a long text before and after is read with pauses and then cached", async () => {
  const steps: string[] = [];
  const reader = {
    tryBlocks: () => {
      throw new Error("read at once");
    },
    tryBlocksInSlices: async (_: string, text: string) => {
      steps.push(text[0]!);
      return [];
    },
    tryScript: () => undefined,
  };
  const states = new ParseCache(reader, { yieldThread: async () => void steps.push("pause") });
  await states.prepare(changed);
  expect(steps).toEqual(["pause", "a", "pause", "b"]);
  await states.prepare(new Map([["c.ts", { before: "c", after: "d" }]]));
  expect(steps.slice(4)).toEqual(["c", "d"]);
  expect(await states.atomicChanges(changed)).toEqual([]);
  expect(new Set(steps.slice(6))).toEqual(new Set(["pause"]));
});

test("reading changes rejects with the signal's reason", async () => {
  const states = new ParseCache({
    tryBlocks: () => [],
    tryBlocksInSlices: async () => [],
    tryScript: () => undefined,
  });
  const controller = new AbortController();
  controller.abort(new Error("stopped"));
  const { signal } = controller;
  await expect(states.prepare(changed, { signal })).rejects.toThrow("stopped");
  await expect(states.atomicChanges(changed, { signal })).rejects.toThrow("stopped");
});

test("the blocks of a text are read from its tree, where that is cached", () => {
  const tree = { program: {}, comments: [] } as unknown as ScriptTree;
  const given: unknown[] = [];
  const states = new ParseCache({
    tryBlocks: (_path, _text, script) => {
      given.push(script);
      return [];
    },
    tryBlocksInSlices: async () => [],
    tryScript: () => tree,
  });
  states.treeOf("a.ts", "a");
  states.blocksOf("a.ts", "a");
  states.blocksOf("a.ts", "b");
  expect(given).toEqual([tree, undefined]);
});
