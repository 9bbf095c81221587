import type { WorkspaceEdit } from "../text/index.ts";

/** How a block was changed, and by whom. Plain data. */
export interface BlockRewrite {
  /** The change on the texts as they were before this step. */
  readonly edit: WorkspaceEdit;
  /** What takes it back, on the texts as they were right after this step. */
  readonly undo: WorkspaceEdit;
  /** The change in the unified format, as people and models read it. */
  readonly diff: string;
  readonly by: RewriteAuthor;
}

/** `seed`: it was there before the plan; `mechanical`: a rule wrote it, which is named; `model`: a model did; `person`: by hand. */
export type RewriteAuthor =
  | { readonly kind: "seed" }
  | { readonly kind: "mechanical"; readonly rule: string }
  | { readonly kind: "model"; readonly model: string }
  | { readonly kind: "person" };
