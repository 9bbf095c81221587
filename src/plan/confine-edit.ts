import {
  Edit,
  type FileChange,
  type TextEdit,
  type TextRange,
  type WorkspaceEdit,
  workspaceEdit,
} from "../text/index.ts";

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
