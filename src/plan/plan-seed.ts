import type { BlockId } from "../analysis/index.ts";
import type { WorkspaceEdit } from "../text/index.ts";
import type { Finding } from "./verification/finding.ts";

/** What a plan starts with. Plain data. */
export type PlanSeed =
  /** An instruction for a block. */
  | { readonly kind: "instruction"; readonly block: BlockId; readonly instruction: string }
  /**
   * A change that was already made, for the texts before it. The plan starts before it and makes it
   * again as its first steps.
   */
  | { readonly kind: "edits"; readonly edit: WorkspaceEdit }
  /**
   * Findings that the plan has to repair: those of the verification commands before the plan, or
   * the given ones.
   */
  | { readonly kind: "findings"; readonly given?: GivenFindings };

/** Findings from elsewhere, such as an earlier run. */
export interface GivenFindings {
  /** The name of their origin, such as the file that contains them. */
  readonly source: string;
  /** Errors for the current texts, with paths relative to the workspace's root. */
  readonly findings: readonly Finding[];
}

/** Whether a plan is about all findings of its verification commands. */
export function isAboutVerifiers(seeds: readonly PlanSeed[]): boolean {
  return seeds.some((seed) => seed.kind === "findings" && seed.given === undefined);
}

/** The given findings among the seeds. */
export function givenFindingsOf(seeds: readonly PlanSeed[]): readonly GivenFindings[] {
  return seeds.flatMap((seed) => (seed.kind === "findings" && seed.given !== undefined ? [seed.given] : []));
}
