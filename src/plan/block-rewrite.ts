import type { WorkspaceEdit } from "../text/index.ts";

/** A change of a block, with its inverse and its author. Plain data. */
export interface BlockRewrite {
  /** The change, for the texts before this step. */
  readonly edit: WorkspaceEdit;
  /** The inverse, for the texts right after this step. */
  readonly undo: WorkspaceEdit;
  /** The change as a unified diff, for people and models. */
  readonly diff: string;
  readonly by: RewriteAuthor;
}

/**
 * `seed`: the change preceded the plan. `mechanical`: made by the rule that is named. `model`:
 * written by a model. `person`: written by hand.
 */
export type RewriteAuthor =
  | { readonly kind: "seed" }
  | { readonly kind: "mechanical"; readonly rule: string }
  | { readonly kind: "model"; readonly model: string }
  | { readonly kind: "person" };
