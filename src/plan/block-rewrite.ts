import {
  applyWorkspaceEdit,
  Edit,
  type FileChange,
  type FileTexts,
  invariant,
  invertWorkspaceEdit,
  type TextEdit,
  type TextRange,
  toUnifiedDiff,
  type WorkspaceEdit,
  workspaceEdit,
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

/** An edit, split into the part inside the allowed regions and the rest. */
export interface ConfinedEdit {
  readonly inside: WorkspaceEdit;
  /** Replacements outside the regions, in existing texts; offsets are those of `inside`. */
  readonly outside: readonly { readonly path: string; readonly edit: TextEdit }[];
  /** Files that the edit creates, deletes or moves. */
  readonly otherFiles: readonly FileChange[];
}

/**
 * Splits an edit into three parts: replacements inside of regions of the file at `path`, all other
 * replacements, and files that the edit creates, deletes or moves. Outside are also replacements
 * that cross the border of a region, and those in other files. An insertion at the border of a
 * region is inside.
 */
export function confineEdit(edit: WorkspaceEdit, path: string, regions: readonly TextRange[]): ConfinedEdit {
  const inside: TextEdit[] = [];
  const outside: { path: string; edit: TextEdit }[] = [];
  const otherFiles: FileChange[] = [];
  for (const change of edit.changes) {
    if (change.kind !== "edit") {
      otherFiles.push(change);
      continue;
    }
    for (const one of change.edit.edits) {
      const isInside = change.uri === path && regions.some(({ start, end }) => start <= one.start && one.end <= end);
      if (isInside) inside.push(one);
      else outside.push({ path: change.uri, edit: one });
    }
  }
  return { inside: workspaceEdit([{ kind: "edit", uri: path, edit: Edit.of(inside) }]), outside, otherFiles };
}
