import type { BlockId } from "../codebase/index.ts";
import type { WorkspaceEdit } from "../text/index.ts";

/** What a plan begins with. Plain data. */
export type PlanSeed =
  /** Something to do at a block. */
  | { readonly kind: "instruction"; readonly block: BlockId; readonly instruction: string }
  /** A change that was made, on the texts before it. The plan begins before it, and makes it again as its first steps. */
  | { readonly kind: "edits"; readonly edit: WorkspaceEdit }
  /** What the oracles have to say, all of it: nothing counts as known before. */
  | { readonly kind: "findings" };
