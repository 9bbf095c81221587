import { expect, test } from "vitest";
import { ScriptStates } from "./script-states.ts";

/** Asks about texts of these lengths one after the other, then about all of them again from the last to the first; says which had to be read twice. */
function readAgain(lengths: readonly number[]): readonly number[] {
  const read: number[] = [];
  const states = new ScriptStates({
    tryBlocks: (path) => {
      read.push(Number(path));
      return [];
    },
    tryScript: () => undefined,
  });
  const texts = lengths.map((length, i) => [`${i}`, "x".repeat(length)] as const);
  for (const [path, text] of texts) states.blocksOf(path, text);
  read.length = 0;
  for (const [path, text] of texts.toReversed()) states.blocksOf(path, text);
  return read.toReversed();
}

test.each<readonly [string, readonly number[], readonly number[]]>([
  ["short texts stay", [10, 20, 30], []],
  ["of long ones the last", [1_500_000, 1_500_000, 1_500_000, 10], [0]],
  ["and two however long they are", [5_000_000, 5_000_000, 5_000_000], [0]],
])("%s", (_, lengths, again) => {
  expect(readAgain(lengths)).toEqual(again);
});
