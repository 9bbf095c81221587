import { type WriteOptions, type WriteOutcome, writeWorkspaceEdit } from "../../edit/node/index.ts";
import { invertWorkspaceEdit, type WorkspaceEdit } from "../../text/index.ts";
import { pathsOfEdit } from "../block-rewrite.ts";
import { givenFindingsOf, type PlanSeed } from "../plan-event.ts";
import type { ScratchCopy } from "./scratch-copy.ts";
import { ScratchPlanWorkspace } from "./scratch-plan-workspace.ts";

/** The result of writing a plan's changes to the workspace. */
type AppliedPlan =
  | WriteOutcome
  /** Binary files changed in the copy. The plan did not change them, and nothing is written. */
  | { readonly kind: "others-changed"; readonly paths: readonly string[] };

/**
 * Reverts in a scratch copy what the seeds of a plan have already changed in the workspace, because
 * a plan starts before its seeds. Seeds other than edits are skipped.
 *
 * `before` contains the texts that the seeds' edits apply to. The plan makes the seeds' changes
 * again. Rejects with `EmendError` `plan-write` where the copy cannot be written.
 */
export async function takeSeedsBack(
  copy: ScratchCopy,
  seeds: readonly PlanSeed[],
  before: ReadonlyMap<string, string>,
): Promise<void> {
  for (const seed of seeds) {
    if (seed.kind !== "edits") continue;
    await new ScratchPlanWorkspace(copy).write(invertWorkspaceEdit(seed.edit, before), { instruction: "" });
  }
}

/** The paths of files that a plan's seeds change or have findings in; a path may come twice. */
export function pathsOfSeeds(seeds: readonly PlanSeed[]): readonly string[] {
  const found = givenFindingsOf(seeds).flatMap(({ findings }) => findings.flatMap(({ path }) => path ?? []));
  return [...seeds.flatMap((seed) => (seed.kind === "edits" ? pathsOfEdit(seed.edit) : [])), ...new Set(found)];
}

/**
 * Writes all changes of a plan's copy to the workspace at the absolute path `root`, all files or
 * none, as one edit of the edit journal, so that undo restores every byte. Where binary files
 * changed in the copy, nothing is written and the result is `others-changed`. Rejects with
 * `EmendError` `git-failed` where the changes cannot be read, and as {@link writeWorkspaceEdit}
 * does.
 */
export async function applyPlan(
  copy: ScratchCopy,
  root: string,
  { instruction, ...options }: WriteOptions & { readonly instruction: string },
): Promise<AppliedPlan> {
  const { edit, before, others } = await copy.changes({ signal: options.signal });
  if (others.length > 0) return { kind: "others-changed", paths: others };
  const write: { readonly edit: WorkspaceEdit; readonly files: ReadonlyMap<string, string> } = { edit, files: before };
  return writeWorkspaceEdit(root, { ...write, instruction }, options);
}
