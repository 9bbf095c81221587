import { groupBy } from "../../text/index.ts";
import type { SkippedPath } from "../../workspace/index.ts";
import { printSkipReason } from "../../workspace/index.ts";
import type { ChangedTexts, ChangeSkipReason } from "../../workspace/node/index.ts";
import type { ImpactCoverage } from "../impact/impact-coverage.ts";

/**
 * What an analysis of a change leaves out because files were skipped, with at most three examples.
 */
export function skippedCoverage(
  change: Pick<ChangedTexts, "skipped">,
  skipped: readonly SkippedPath[],
): Pick<ImpactCoverage, "skippedChanges" | "skipped"> {
  return {
    skippedChanges: change.skipped.map(({ path, reason }) => ({ path, reason: printSkippedChange(reason) })),
    skipped: skippedByReason(skipped),
  };
}

/**
 * Why a changed file is not read, for people, such as `it contains an unresolved merge conflict`.
 */
export function printSkippedChange(reason: ChangeSkipReason): string {
  if (reason.kind === "submodule") return "a submodule, which is a repository of its own";
  if (reason.kind === "conflict") return "it contains an unresolved merge conflict";
  if (reason.kind === "git-filter") {
    return `git-filter ${reason.driver}: filters of git run only in a workspace that you trust, with --trust or \`trust\` in your own configuration`;
  }
  return printSkipReason(reason);
}

const maxExamples = 3;

function skippedByReason(skipped: readonly SkippedPath[]): ImpactCoverage["skipped"] {
  const counted = skipped.filter(({ reason }) => reason.kind !== "version-control");
  return [...groupBy(counted, ({ reason }) => reason.kind)]
    .map(([reason, ofKind]) => ({
      ...{ reason, count: ofKind.length },
      examples: ofKind.slice(0, maxExamples).map(({ path }) => path),
    }))
    .sort((a, b) => b.count - a.count);
}
