import { byLine, type PastEdit, stepsOf } from "../../context/index.ts";
import { Lines } from "../../text/index.ts";
import type { Moment } from "../next-edit-source.ts";
import { textBefore } from "../past-text.ts";

/** A file as it was before the edits that are remembered of it, and as it is. */
export interface EditedFile {
  readonly path: string;
  readonly before: string;
  readonly text: string;
  /** The edits, the newest first. */
  readonly edits: readonly EditedLines[];
  /** Where the text at an offset of the present text stood before; `undefined` for what stands on edited lines. */
  offsetBefore(offset: number): number | undefined;
}

/** Lines that became others, with where they begin in both texts. */
export interface EditedLines {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Offsets of the first of the lines in the text before, and in the present text. */
  readonly beforeStart: number;
  readonly afterStart: number;
  /** How many edits were made since, in all files. */
  readonly since: number;
}

/** The files that were edited lately, the one edited last first. Who edits a line and then the next made two edits. */
export function editedFiles({ path, text, history: past, files }: Moment): EditedFile[] {
  const history = past.flatMap(stepsOf);
  const byPath = new Map<string, PastEdit[]>();
  for (const edit of history.toReversed()) {
    const edits = byPath.get(edit.path);
    if (edits === undefined) byPath.set(edit.path, [edit]);
    else edits.push(edit);
  }
  const since = new Map(history.map((edit, at) => [edit, history.length - 1 - at]));
  return [...byPath].flatMap(([edited, edits]) => {
    const present = edited === path ? text : files.textOf(edited);
    return present === undefined ? [] : [editedFile(edited, present, edits, since)];
  });
}

function editedFile(
  path: string,
  text: string,
  edits: readonly PastEdit[],
  since: ReadonlyMap<PastEdit, number>,
): EditedFile {
  const before = textBefore(path, text, edits);
  const lines = { before: Lines.of(before), after: Lines.of(text) };
  const inOrder = edits.toSorted(byLine);
  const shiftAbove = new Map<PastEdit, number>();
  let shift = 0;
  for (const edit of inOrder) {
    shiftAbove.set(edit, shift);
    shift += edit.before.length - (edit.lines.end - edit.lines.start);
  }
  const startOf = (side: Lines, line: number) => (line < side.count ? side.start(line) : side.source.length);
  return {
    ...{ path, before, text },
    edits: edits.map((edit) => ({
      before: edit.before,
      after: edit.after,
      beforeStart: startOf(lines.before, edit.lines.start + shiftAbove.get(edit)!),
      afterStart: startOf(lines.after, edit.lines.start),
      since: since.get(edit)!,
    })),
    offsetBefore(offset) {
      const line = lines.after.lineAt(offset);
      let moved = 0;
      for (const edit of inOrder) {
        if (edit.lines.start > line) break;
        if (line < edit.lines.end) return undefined;
        moved = shiftAbove.get(edit)! + edit.before.length - (edit.lines.end - edit.lines.start);
      }
      return startOf(lines.before, line + moved) + offset - lines.after.start(line);
    },
  };
}
