import {
  applyWorkspaceEdit,
  type FileTexts,
  invariant,
  invertWorkspaceEdit,
  toUnifiedDiff,
  type WorkspaceEdit,
} from "../text/index.ts";
import type { ChangedText } from "../workspace/index.ts";

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

/** A rewrite and the texts that it changes. */
export interface MadeRewrite {
  readonly rewrite: BlockRewrite;
  readonly changed: ReadonlyMap<string, ChangedText>;
}

/**
 * The rewrite that `edit` makes of `files`; `undefined` when no text changes. Throws
 * `InvariantError` when the edit does not apply.
 */
export function makeRewrite(edit: WorkspaceEdit, files: FileTexts, by: RewriteAuthor): MadeRewrite | undefined {
  const applied = applyWorkspaceEdit(files, edit);
  invariant(applied.kind === "applied", () => `The edit does not fit: ${JSON.stringify(applied)}`);
  const changed = new Map<string, ChangedText>();
  for (const path of pathsOfEdit(edit)) {
    const [before, after] = [files.get(path), applied.files.get(path)];
    if (before !== after) changed.set(path, { before, after });
  }
  if (changed.size === 0) return undefined;
  const diff = [...changed].map(([path, { before, after }]) => toUnifiedDiff({ path, before, after })).join("");
  return { rewrite: { edit, undo: invertWorkspaceEdit(edit, files), diff, by }, changed };
}

/** The paths that an edit names, both of them for a rename, without repeats. */
export function pathsOfEdit(edit: WorkspaceEdit): readonly string[] {
  const paths = edit.changes.flatMap((change) =>
    change.kind === "rename" ? [change.uri, change.uriAfter] : [change.uri],
  );
  return [...new Set(paths)];
}
