import { Edit } from "./edit.ts";
import type { TextEdit } from "./text-edit.ts";
import { type FilePatch, type PatchHunk, splitPatchLines } from "./unified-diff.ts";

/** The result of applying a patch. */
export type FilePatchOutcome = FilePatchApplied | FilePatchRefused;

/** The patch fits. */
export interface FilePatchApplied {
  readonly kind: "applied";
  /** The change of the text; of the empty text when the file is created. */
  readonly edit: Edit;
}

/** The patch does not fit, and nothing of it is applied. */
export type FilePatchRefused =
  /** The file to change does not exist. */
  | { readonly kind: "missing-file" }
  /** The file to create exists. */
  | { readonly kind: "already-exists" }
  /** The content is binary. */
  | { readonly kind: "binary" }
  /**
   * No place below the hunk before it has the lines that this hunk (an index from 0) keeps and
   * deletes.
   */
  | { readonly kind: "mismatch"; readonly hunkIndex: number }
  /** The patch deletes the file but not all of its text. */
  | { readonly kind: "text-left" };

/** Where a hunk may be applied. */
export interface ApplyFilePatchOptions {
  /**
   * `nearest`, the default, follows `git apply`: a hunk that begins at the first line goes there,
   * one without kept lines at its end goes to the end of the file, any other to the nearest place
   * that has its lines, the lower of two. `stated` applies each hunk only at its line number, and
   * so also patches made without lines around the changes, as `git apply --unidiff-zero` does.
   */
  readonly place: "stated" | "nearest";
}

/**
 * Returns the edit that a patch describes, or the reason why it does not fit. `text` is the file's
 * text before the patch, `undefined` where there is no file. Does not throw.
 *
 * Lines must match exactly, line endings included, and hunks stay in order. By default a hunk is
 * placed as by `git apply`: at an end of the file where it has no kept lines there, else at the
 * nearest place that has its lines. All hunks fit, or none is applied.
 */
export function applyFilePatch(
  patch: FilePatch,
  text: string | undefined,
  options: ApplyFilePatchOptions = { place: "nearest" },
): FilePatchOutcome {
  if (patch.isBinary) return { kind: "binary" };
  if (patch.kind === "create" && text !== undefined) return { kind: "already-exists" };
  if (patch.kind !== "create" && text === undefined) return { kind: "missing-file" };

  const lines = splitPatchLines(text ?? "");
  const edits: TextEdit[] = [];
  let nextLine = 0;
  let nextOffset = 0;
  for (const [hunkIndex, hunk] of patch.hunks.entries()) {
    const place = tryPlace(hunk, lines, nextLine, options.place);
    if (place === undefined) return { kind: "mismatch", hunkIndex };
    for (; nextLine < place; nextLine++) nextOffset += lines[nextLine]!.length;
    const hunkEdits = toEdits(hunk, nextOffset);
    edits.push(...hunkEdits.edits);
    nextLine = place + hunk.beforeCount;
    nextOffset = hunkEdits.end;
  }
  const edit = Edit.of(edits);
  if (patch.kind === "delete" && edit.apply(text ?? "") !== "") return { kind: "text-left" };
  return { kind: "applied", edit };
}

/** The index of the first line of the hunk in `lines`, not above `from`. */
function tryPlace(
  hunk: PatchHunk,
  lines: readonly string[],
  from: number,
  place: ApplyFilePatchOptions["place"],
): number | undefined {
  const old = hunk.lines.filter((line) => line.kind !== "insert").map((line) => line.text);
  const fits = (start: number): boolean =>
    start >= from && start + old.length <= lines.length && old.every((line, i) => line === lines[start + i]);

  const stated = hunk.beforeStart;
  if (place === "stated") return fits(stated) ? stated : undefined;
  // A diff shows lines around a change wherever there are any, so a hunk without them is at an end
  // of the file.
  const onlyAtStart = stated === 0;
  const onlyAtEnd = hunk.lines.at(-1)?.kind !== "keep";
  if (onlyAtStart) return fits(0) && (!onlyAtEnd || old.length === lines.length) ? 0 : undefined;
  if (onlyAtEnd) return fits(lines.length - old.length) ? lines.length - old.length : undefined;
  for (let away = 0; stated - away >= from || stated + away <= lines.length; away++) {
    if (fits(stated + away)) return stated + away;
    if (fits(stated - away)) return stated - away;
  }
  return undefined;
}

/**
 * Returns the hunk's runs of deleted and inserted lines as edits, where its first line begins at
 * `offset`, and the offset of its end.
 */
function toEdits(hunk: PatchHunk, offset: number): { readonly edits: readonly TextEdit[]; readonly end: number } {
  const edits: TextEdit[] = [];
  let end = offset;
  let run: TextEdit = { start: end, end, text: "" };
  for (const { kind, text } of hunk.lines) {
    if (kind === "keep") {
      edits.push(run);
      end += text.length;
      run = { start: end, end, text: "" };
    } else if (kind === "delete") {
      end += text.length;
      run = { ...run, end };
    } else {
      run = { ...run, text: run.text + text };
    }
  }
  return { edits: [...edits, run], end };
}
