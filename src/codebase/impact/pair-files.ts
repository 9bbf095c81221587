import { nameOf } from "../workspace-path.ts";
import { likeness, type TokenBag } from "./likeness.ts";

/** How alike two files must be for one to be the other, moved. Source: git's default. */
const minFileLikeness = 0.5;
/**
 * Above this many comparisons, files are compared with those of the same name only. Source: as
 * git's `diff.renameLimit`.
 */
const maxComparisons = 10_000;

/** A file that went or came, and what it says. */
export interface LooseFile {
  readonly path: string;
  readonly bag: TokenBag;
}

/**
 * Which files that went came back under another path: paths before to paths after. The most alike
 * are paired first.
 */
export function pairFiles(gone: readonly LooseFile[], come: readonly LooseFile[]): Map<string, string> {
  const found: (readonly [from: string, to: string, alike: number])[] = [];
  const isMany = gone.length * come.length > maxComparisons;
  for (const one of gone) {
    for (const other of come) {
      const isSameName = nameOf(one.path) === nameOf(other.path);
      if (isMany && !isSameName) continue;
      const alike = likeness(one.bag, other.bag);
      // Among equals the same name decides.
      if (alike >= minFileLikeness) found.push([one.path, other.path, alike + (isSameName ? 0.01 : 0)]);
    }
  }
  const pairs = new Map<string, string>();
  const taken = new Set<string>();
  for (const [from, to] of found.sort((a, b) => b[2] - a[2])) {
    if (pairs.has(from) || taken.has(to)) continue;
    pairs.set(from, to);
    taken.add(to);
  }
  return pairs;
}
