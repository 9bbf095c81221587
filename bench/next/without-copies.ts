import { diffSequences } from "../../src/text/index.ts";
import { nameOf } from "../../src/workspace/index.ts";

/** A file of a commit, as far as telling copies needs it. */
interface Compared {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * The largest share of lines in which a copy differs from what it was made of, besides those that
 * name other files.
 */
const maxDifference = 0.02;

/**
 * Removes files that a tool keeps as copies of other files of the commit, such as the same sources
 * for another runtime: a person edits only one of them.
 *
 * A copy has the name of a later file in the list and the same text before and after the commit,
 * except for imports and one line in fifty.
 */
export function withoutCopies<File extends Compared>(files: readonly File[]): File[] {
  return files.filter((file, index) => !files.slice(index + 1).some((other) => isCopy(file, other)));
}

function isCopy(one: Compared, other: Compared): boolean {
  if (nameOf(one.path) !== nameOf(other.path)) return false;
  return isSame(one.before, other.before) && isSame(one.after, other.after);
}

function isSame(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const [left, right] = [ownLines(one), ownLines(other)];
  let changed = 0;
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of diffSequences(left, right)) {
    changed += beforeEnd - beforeStart + afterEnd - afterStart;
  }
  return changed <= maxDifference * (left.length + right.length);
}

/** Lines but those that name other files. */
function ownLines(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "" && !/\b(?:import|from|require)\b/.test(line));
}
