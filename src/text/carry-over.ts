import { minimalEdit } from "./minimal-edit.ts";
import { type FileChange, type FileTexts, type WorkspaceEdit, workspaceEdit } from "./workspace-edit.ts";

/** An edit of the current texts, or the paths of the files that were changed where it applies. */
export type CarriedEdit =
  | { readonly kind: "carried"; readonly edit: WorkspaceEdit; readonly files: FileTexts }
  | { readonly kind: "stale"; readonly paths: readonly string[] };

/**
 * Rebases an edit of `files` onto their current texts, which are in the `files` of the result.
 *
 * The result is `stale` where the edit touches a line that was changed, a file that is gone, or a
 * path that exists now. It has `edit` and `files` themselves where no text changed. `textNow`
 * returns a file's current text, or `undefined` where there is no file; where it rejects, so does
 * this function.
 */
export async function carryOver(
  files: FileTexts,
  edit: WorkspaceEdit,
  textNow: (path: string) => Promise<string | undefined>,
): Promise<CarriedEdit> {
  const now = new Map(files);
  const stale: string[] = [];
  const changes: FileChange[] = [];
  let isSame = true;
  for (const change of edit.changes) {
    const target = change.kind === "create" ? change.uri : change.kind === "rename" ? change.uriAfter : undefined;
    const isTaken = target !== undefined && !files.has(target) && (await textNow(target)) !== undefined;
    if (change.kind === "create") {
      if (isTaken) stale.push(change.uri);
      else changes.push(change);
      continue;
    }
    const text = await textNow(change.uri);
    const carried = isTaken || text === undefined ? undefined : carryChange(change, files.get(change.uri) ?? "", text);
    if (carried === undefined || text === undefined) {
      stale.push(change.uri);
      continue;
    }
    isSame &&= text === files.get(change.uri);
    now.set(change.uri, text);
    changes.push(carried);
  }
  if (stale.length > 0) return { kind: "stale", paths: stale };
  if (isSame) return { kind: "carried", edit, files };
  return { kind: "carried", edit: workspaceEdit(changes), files: now };
}

/**
 * The change for the current text `now` of the file; `undefined` where both changed the same lines.
 */
function carryChange(
  change: Exclude<FileChange, { kind: "create" }>,
  before: string,
  now: string,
): FileChange | undefined {
  if (now === before) return change;
  if (change.kind === "delete") return undefined;
  // Whole lines, so that an edit of a part of a changed line counts as a conflict.
  const edit = change.edit.tryRebase(minimalEdit(before, now, { unit: "line" }));
  return edit && { ...change, edit };
}
