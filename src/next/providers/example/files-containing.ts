import type { WorkspaceTexts } from "../../engine/workspace-texts.ts";
import { wordSetsOf } from "./find-sites.ts";
import type { Rewrite } from "./rewrite.ts";

/** The most files of the workspace that are searched for all rewrites together, and for one. */
const maxFiles = 30;
const maxFilesEach = 12;

/**
 * Returns the files of the workspace that may have sites of rewrites, each with these rewrites, the
 * nearest to `path` first.
 */
export function filesContaining(
  rewrites: readonly Rewrite[],
  path: string,
  files: WorkspaceTexts,
): readonly (readonly [path: string, rewrites: readonly Rewrite[]])[] {
  const found = new Map<string, Set<Rewrite>>();
  for (const rewrite of rewrites) {
    for (const other of filesOf(rewrite, path, files)) {
      const known = found.get(other);
      if (known === undefined) found.set(other, new Set([rewrite]));
      else known.add(rewrite);
    }
  }
  return nearest(path, [...found.keys()], maxFiles).map((other) => [other, [...found.get(other)!]]);
}

/**
 * Returns the files that contain all words of an example's line or the words that the rewrite
 * needs; the nearest where there are many.
 */
function filesOf(rewrite: Rewrite, path: string, files: WorkspaceTexts): ReadonlySet<string> {
  return new Set(wordSetsOf(rewrite).flatMap((words) => nearest(path, files.saying(words), maxFilesEach)));
}

function nearest(path: string, paths: readonly string[], count: number): readonly string[] {
  return paths
    .map((other) => ({ other, nearness: nearnessOf(path, other) }))
    .sort((one, other) => other.nearness - one.nearness || (one.other < other.other ? -1 : 1))
    .slice(0, count)
    .map(({ other }) => other);
}

/**
 * The length of the common prefix of two paths, and a half more where the second sorts after the
 * first.
 */
function nearnessOf(path: string, other: string): number {
  let at = 0;
  while (at < path.length && path[at] === other[at]) at++;
  return at + (other > path ? 0.5 : 0);
}
