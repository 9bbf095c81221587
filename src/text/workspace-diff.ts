import { applyFilePatch, type FilePatchRefused } from "./apply-file-patch.ts";
import type { Edit } from "./edit.ts";
import { type FilePatch, toUnifiedDiff } from "./unified-diff.ts";
import { type FileChange, type FileTexts, type WorkspaceEdit, workspaceEdit } from "./workspace-edit.ts";

/**
 * Prints a workspace edit in the unified format, one file after the other in the order of its
 * changes. `files` are the files before it; their URIs are printed as paths. A file without a
 * change of text or name is left out.
 *
 * Throws `EmendError` `out-of-bounds` when an edit does not fit its file; a missing file counts as
 * empty.
 */
export function toWorkspaceDiff(files: FileTexts, edit: WorkspaceEdit): string {
  return edit.changes
    .map((change) => {
      const { kind, uri } = change;
      if (kind === "create") return toUnifiedDiff({ before: undefined, after: change.text, path: uri });
      const before = files.get(uri) ?? "";
      if (kind === "delete") return toUnifiedDiff({ before, after: undefined, path: uri });
      const path = kind === "rename" ? change.uriAfter : uri;
      return toUnifiedDiff({ before, after: change.edit.apply(before), path, pathBefore: uri });
    })
    .join("");
}

/** The reason that a patch of several files does not fit: the refusal of one file and its path. */
interface PatchRefusal {
  readonly path: string;
  readonly refusal: FilePatchRefused | { readonly kind: "changed-twice" };
}

/** The result of applying a patch of several files. */
type PatchOutcome =
  | { readonly kind: "applied"; readonly edit: WorkspaceEdit }
  | { readonly kind: "refused"; readonly refusals: readonly PatchRefusal[] };

/**
 * Returns the workspace edit that patches describe, or the refusals of all patches that do not fit.
 * The patches' paths are the keys of `files` and become the URIs of the edit; a copy becomes the
 * creation of a file.
 *
 * Each file may be patched once (`changed-twice`). Creating a file where there is one is refused
 * unless that one is deleted or moved. Does not throw.
 */
export function patchesToWorkspaceEdit(files: FileTexts, patches: readonly FilePatch[]): PatchOutcome {
  const changes: FileChange[] = [];
  const refusals: PatchRefusal[] = [];
  const sources = new Set<string>();
  const targets = new Set<string>();
  const left = new Set(
    patches.flatMap(({ kind, pathBefore }) => (kind === "delete" || kind === "rename" ? [pathBefore] : [])),
  );

  for (const patch of patches) {
    const { kind, pathBefore, pathAfter } = patch;
    const path = pathAfter ?? pathBefore ?? "";
    const refuse = (refusal: PatchRefusal["refusal"]): void => void refusals.push({ path, refusal });
    const source = kind === "create" || kind === "copy" ? undefined : pathBefore;
    if ((source !== undefined && sources.has(source)) || (pathAfter !== undefined && targets.has(pathAfter))) {
      refuse({ kind: "changed-twice" });
      continue;
    }
    if (source !== undefined) sources.add(source);
    if (pathAfter !== undefined) targets.add(pathAfter);

    if (pathAfter !== undefined && kind !== "modify" && files.has(pathAfter) && !left.has(pathAfter)) {
      refuse({ kind: "already-exists" });
      continue;
    }
    const before = pathBefore === undefined ? undefined : files.get(pathBefore);
    const outcome = applyFilePatch(patch, before);
    if (outcome.kind !== "applied") refuse(outcome);
    else changes.push(toChange(patch, before ?? "", outcome.edit));
  }
  return refusals.length > 0 ? { kind: "refused", refusals } : { kind: "applied", edit: workspaceEdit(changes) };
}

function toChange({ kind, pathBefore, pathAfter }: FilePatch, before: string, edit: Edit): FileChange {
  const uri = pathBefore ?? "";
  const uriAfter = pathAfter ?? "";
  if (kind === "create" || kind === "copy") return { kind: "create", uri: uriAfter, text: edit.apply(before) };
  if (kind === "delete") return { kind, uri };
  return kind === "rename" ? { kind, uri, uriAfter, edit } : { kind: "edit", uri, edit };
}
