import { byLine, type PastEdit, stepsOf } from "../../../context/index.ts";
import { groupBy, Lines, minimalEdit, type TextRange } from "../../../text/index.ts";
import type { NextEditContext } from "../next-edit-provider.ts";
import { textBefore } from "../types/past-change.ts";

/** A file before the edits of the history, and as it is. */
export interface EditedFile {
  readonly path: string;
  readonly before: string;
  readonly text: string;
  /** The edits, the newest first. */
  readonly edits: readonly EditedLines[];
  /**
   * Returns the offset in the text before of an offset in the present text; `undefined` on edited
   * lines.
   */
  offsetBefore(offset: number): number | undefined;
  /**
   * Returns where a name began in the text before, also on an edited line if the name is outside
   * the changed part; `undefined` otherwise.
   */
  startBefore(name: TextRange): number | undefined;
}

/** An edit as lines, with their offsets in both texts. */
export interface EditedLines {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Offsets of the first line in the text before, and in the present text. */
  readonly beforeStart: number;
  readonly afterStart: number;
  /** The number of later edits, in all files. */
  readonly since: number;
}

/**
 * Returns the edited files of the history, the last edited first; files without a text are left
 * out. Edits of adjacent lines that were made one by one count as separate edits.
 */
export function editedFiles({ path, text, history: past, files }: NextEditContext): EditedFile[] {
  const history = past.flatMap(stepsOf);
  const byPath = groupBy(history.toReversed(), (edit) => edit.path);
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
  const offsetBefore = (offset: number) => {
    const line = lines.after.lineAt(offset);
    let moved = 0;
    for (const edit of inOrder) {
      if (edit.lines.start > line) break;
      if (line < edit.lines.end) return undefined;
      moved = shiftAbove.get(edit)! + edit.before.length - (edit.lines.end - edit.lines.start);
    }
    return startOf(lines.before, line + moved) + offset - lines.after.start(line);
  };
  return {
    ...{ path, before, text },
    edits: edits.map((edit) => ({
      before: edit.before,
      after: edit.after,
      beforeStart: startOf(lines.before, edit.lines.start + shiftAbove.get(edit)!),
      afterStart: startOf(lines.after, edit.lines.start),
      since: since.get(edit)!,
    })),
    offsetBefore,
    startBefore({ start, end }) {
      const edit = inOrder.find((one) => startOf(lines.after, one.lines.end) >= end);
      if (edit === undefined || startOf(lines.after, edit.lines.start) > start) return offsetBefore(start);
      const beforeLine = edit.lines.start + shiftAbove.get(edit)!;
      const [was, is] = [startOf(lines.before, beforeLine), startOf(lines.after, edit.lines.start)];
      const wasEnd = startOf(lines.before, beforeLine + edit.before.length);
      const [change] = minimalEdit(
        before.slice(was, wasEnd),
        text.slice(is, startOf(lines.after, edit.lines.end)),
      ).edits;
      if (change === undefined || end - is <= change.start) return start - is + was;
      const shift = change.text.length - (change.end - change.start);
      return start - is >= change.end + shift ? start - is - shift + was : undefined;
    },
  };
}
