import type { CommitFile, CommitHunk } from "./commit-hunks.ts";

/**
 * The file with a hunk for each line of those that became as many others, as who writes them one
 * after the other makes them.
 */
export function inLines(file: CommitFile): CommitFile {
  const isWhole = file.before === undefined || file.after === undefined;
  return isWhole ? file : { ...file, hunks: file.hunks.flatMap(lineHunks) };
}

function lineHunks(hunk: CommitHunk): readonly CommitHunk[] {
  const { path, before, beforeStart, after, afterStart } = hunk;
  if (before.length !== after.length) return [hunk];
  return before.map((line, i) => ({
    path,
    ...{ beforeStart: beforeStart + i, afterStart: afterStart + i },
    ...{ before: [line], after: [after[i]!] },
  }));
}
