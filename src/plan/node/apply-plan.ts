import { type WriteOptions, type WriteOutcome, writeWorkspaceEdit } from "../../edit/node/index.ts";
import { invertWorkspaceEdit, type WorkspaceEdit } from "../../text/index.ts";
import { pathsOfEdit } from "../make-rewrite.ts";
import { type PlanSeed, saidFindingsOf } from "../plan-seed.ts";
import type { ScratchCopy } from "./scratch-copy.ts";
import { ScratchPlanWorkspace } from "./scratch-plan-workspace.ts";

/** What became of writing a plan's changes to the workspace. */
export type AppliedPlan =
  | WriteOutcome
  /** Files that are no text changed in the copy: the plan did not do that, and nothing is written. */
  | { readonly kind: "others-changed"; readonly paths: readonly string[] };

/**
 * Takes back in a scratch copy what the seeds of a plan changed in the workspace already: a plan begins before its seeds.
 *
 * `before` has the texts that the seeds' edits speak of. What they change is written again by the plan itself.
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

/** The files that a plan's seeds speak of, before they are made. */
export function pathsOfSeeds(seeds: readonly PlanSeed[]): readonly string[] {
  const found = saidFindingsOf(seeds).flatMap(({ findings }) => findings.flatMap(({ path }) => path ?? []));
  return [...seeds.flatMap((seed) => (seed.kind === "edits" ? pathsOfEdit(seed.edit) : [])), ...new Set(found)];
}

/**
 * Writes all that a plan changed in its copy to the workspace at the absolute path `root`, whole or not at all, as one edit of its journal:
 * undoing that gives back every byte.
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
