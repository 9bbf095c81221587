import type { BlockId } from "../codebase/index.ts";
import type { WorkspaceEdit } from "../text/index.ts";
import type { Finding } from "./oracles/finding.ts";

/** What a plan begins with. Plain data. */
export type PlanSeed =
  /** Something to do at a block. */
  | { readonly kind: "instruction"; readonly block: BlockId; readonly instruction: string }
  /** A change that was made, on the texts before it. The plan begins before it, and makes it again as its first steps. */
  | { readonly kind: "edits"; readonly edit: WorkspaceEdit }
  /** What the oracles have to say before the plan, or what was said by others: nothing of it counts as known. */
  | { readonly kind: "findings"; readonly said?: SaidFindings };

/** What somebody found before the plan, such as a check of this morning. */
export interface SaidFindings {
  /** What a person calls it, such as the file that it was kept in. */
  readonly by: string;
  /** Errors on the texts as they are, with paths from the workspace's root. */
  readonly findings: readonly Finding[];
}

/** Whether a plan is about all that its oracles have to say. */
export function isAboutOracles(seeds: readonly PlanSeed[]): boolean {
  return seeds.some((seed) => seed.kind === "findings" && seed.said === undefined);
}

/** What others found, that a plan begins with. */
export function saidFindingsOf(seeds: readonly PlanSeed[]): readonly SaidFindings[] {
  return seeds.flatMap((seed) => (seed.kind === "findings" && seed.said !== undefined ? [seed.said] : []));
}
