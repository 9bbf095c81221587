import type { ChangedText } from "../../codebase/index.ts";
import type { FileMove } from "../../next/index.ts";
import { sharedItems } from "../../text/index.ts";

/**
 * Pairs deleted files with created ones that they were moved to: equal texts first, then similar
 * ones, the most similar first.
 *
 * Source: git's rename detection, by lines instead of chunks.
 */
export function findMoves(changed: ReadonlyMap<string, ChangedText>): readonly FileMove[] {
  const all = [...changed];
  const deleted = new Map(
    all.flatMap(([path, { before, after }]) => (after === undefined ? [[path, before ?? ""]] : [])),
  );
  const created = new Map(
    all.flatMap(([path, { before, after }]) => (before === undefined ? [[path, after ?? ""]] : [])),
  );
  const moves: FileMove[] = [];
  const take = (from: string, to: string) => {
    if (!deleted.has(from) || !created.has(to)) return;
    moves.push({ from, to });
    deleted.delete(from);
    created.delete(to);
  };
  const byText = new Map<string, string[]>();
  for (const [path, text] of created) byText.set(text, [...(byText.get(text) ?? []), path]);
  for (const [from, text] of [...deleted]) {
    const to = byText.get(text)?.shift();
    if (to !== undefined) take(from, to);
  }
  for (const { from, to } of similarPairs(deleted, created)) take(from, to);
  return moves;
}

/** The least similarity of a moved file: the share of common lines, as in git. */
const leastSimilarity = 0.5;
/** The most pairs of files that are compared. */
const maxPairs = 10_000;

/** Pairs of similar files, the most similar first; empty where there are too many to compare. */
function similarPairs(deleted: ReadonlyMap<string, string>, created: ReadonlyMap<string, string>): readonly FileMove[] {
  if (deleted.size * created.size > maxPairs) return [];
  const linesOf = (texts: ReadonlyMap<string, string>) =>
    [...texts].map(([path, text]) => ({ path, lines: text.split("\n") }));
  const others = linesOf(created);
  const pairs = linesOf(deleted).flatMap(({ path: from, lines }) =>
    others.map(({ path: to, lines: after }) => ({ from, to, similarity: similarity(lines, after) })),
  );
  return pairs
    .filter(({ similarity }) => similarity >= leastSimilarity)
    .sort((one, other) => other.similarity - one.similarity);
}

/** The share of the lines of the longer text that both have in common, from 0 to 1. */
function similarity(one: readonly string[], other: readonly string[]): number {
  return sharedItems(one, other).length / Math.max(one.length, other.length);
}
