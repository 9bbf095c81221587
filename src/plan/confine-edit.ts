import {
  Edit,
  type FileChange,
  type TextEdit,
  type TextRange,
  type WorkspaceEdit,
  workspaceEdit,
} from "../text/index.ts";

/** An edit, parted into what lies in the regions that were asked for and what does not. */
export interface ConfinedEdit {
  readonly inside: WorkspaceEdit;
  /** Replacements elsewhere in texts that are there, on the same texts as `inside`. */
  readonly outside: readonly { readonly path: string; readonly edit: TextEdit }[];
  /** Files that were to come, go or move. */
  readonly otherFiles: readonly FileChange[];
}

/** Parts an edit at the borders of regions of one file. A replacement that reaches over a border lies outside. */
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
