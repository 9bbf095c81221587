import type { ChangedText } from "../codebase/index.ts";
import type { FileMove } from "../next/index.ts";
import { sharedItems } from "../text/index.ts";

/**
 * Files that are gone at one path and came at another: first those that say the same, then the others, those that are most like each other first.
 *
 * Source: as git tells renames from files that came and went, by lines instead of chunks.
 */
export function findMoves(changed: ReadonlyMap<string, ChangedText>): readonly FileMove[] {
  const all = [...changed];
  const gone = new Map(all.flatMap(([path, { before, after }]) => (after === undefined ? [[path, before ?? ""]] : [])));
  const came = new Map(all.flatMap(([path, { before, after }]) => (before === undefined ? [[path, after ?? ""]] : [])));
  const moves: FileMove[] = [];
  const take = (from: string, to: string) => {
    if (!gone.has(from) || !came.has(to)) return;
    moves.push({ from, to });
    gone.delete(from);
    came.delete(to);
  };
  const saying = new Map<string, string[]>();
  for (const [path, text] of came) saying.set(text, [...(saying.get(text) ?? []), path]);
  for (const [from, text] of [...gone]) {
    const to = saying.get(text)?.shift();
    if (to !== undefined) take(from, to);
  }
  for (const { from, to } of alikePairs(gone, came)) take(from, to);
  return moves;
}

/** The share of lines that two texts have in common from which on one is what became of the other, as git has it. */
const leastLikeness = 0.5;
/** The most pairs of files that are compared. */
const maxPairs = 10_000;

/** Files of which one may be what became of the other, the likest first; none where there are too many to compare. */
function alikePairs(gone: ReadonlyMap<string, string>, came: ReadonlyMap<string, string>): readonly FileMove[] {
  if (gone.size * came.size > maxPairs) return [];
  const linesOf = (texts: ReadonlyMap<string, string>) =>
    [...texts].map(([path, text]) => ({ path, lines: text.split("\n") }));
  const others = linesOf(came);
  const pairs = linesOf(gone).flatMap(({ path: from, lines }) =>
    others.map(({ path: to, lines: after }) => ({ from, to, likeness: likeness(lines, after) })),
  );
  return pairs.filter(({ likeness }) => likeness >= leastLikeness).sort((one, other) => other.likeness - one.likeness);
}

/** The share of the lines of the longer of two texts that the other has too, from 0 to 1. */
function likeness(one: readonly string[], other: readonly string[]): number {
  return sharedItems(one, other).length / Math.max(one.length, other.length);
}
