import { printSkipReason, type SkippedPath, type SkipReason } from "../../workspace/index.ts";

/**
 * Paths that were skipped for the same kind of reason. A folder that was not entered counts once.
 */
export interface SkippedGroup {
  readonly kind: SkipReason["kind"];
  readonly count: number;
  /** A few of them, with the reason of each. */
  readonly examples: readonly { readonly path: string; readonly reason: string }[];
}

const maxExamples = 3;

/**
 * Groups skipped paths by kind of reason, the largest group first. Folders of version control are
 * left out. A group has at most three examples.
 */
export function groupSkipped(skipped: readonly SkippedPath[]): SkippedGroup[] {
  const groups = new Map<SkipReason["kind"], SkippedPath[]>();
  for (const one of skipped) {
    if (one.reason.kind === "version-control") continue;
    const group = groups.get(one.reason.kind);
    if (group === undefined) groups.set(one.reason.kind, [one]);
    else group.push(one);
  }
  return [...groups]
    .map(([kind, paths]) => ({
      kind,
      count: paths.length,
      examples: paths.slice(0, maxExamples).map(({ path, reason }) => ({
        // The workspace itself.
        path: path === "" ? "." : path,
        reason: printSkipReason(reason),
      })),
    }))
    .sort((a, b) => b.count - a.count);
}
