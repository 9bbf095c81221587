import type { Place, Span } from "./next-edit-way.ts";

/** An insertion that the editor can show as ghost text once the cursor is at `at`. */
export interface GhostPlace {
  readonly at: Place;
  readonly range: Span;
  readonly insertText: string;
}

/** A replacement of one range. */
export interface Replacement {
  readonly range: Span;
  readonly newText: string;
}

/**
 * Converts edits to ghost text: an insertion of whole lines, which decorations cannot show, becomes
 * an insertion at the end of the line before. `undefined` for all other edits.
 *
 * Law: inserting `insertText` at `at` has the same result as the edit.
 */
export function tryAsGhostText(
  edits: readonly Replacement[],
  lineAt: (line: number) => string,
): GhostPlace | undefined {
  const [edit, ...others] = edits;
  if (edit === undefined || others.length > 0 || !/[\r\n]/.test(edit.newText)) return undefined;
  const { start, end } = edit.range;
  if (start.line !== end.line || start.character !== end.character) return undefined;
  if (start.character === lineAt(start.line).length) return ghostAt(start, edit.newText);
  const lines = /^(.*?)(\r?\n)$/s.exec(edit.newText);
  if (lines === null || start.character !== 0 || start.line === 0) return undefined;
  // An insertion before a line is an insertion after the previous line.
  const before = { line: start.line - 1, character: lineAt(start.line - 1).length };
  return ghostAt(before, `${lines[2]}${lines[1]}`);
}

/**
 * Extends the server's ghost text to a range that begins at the cursor, as VS Code requires.
 * `undefined` if the cursor has moved elsewhere.
 */
export function fromCursor(
  { insertText, range }: Omit<GhostPlace, "at">,
  cursor: Place,
  line: string,
): GhostPlace | undefined {
  if (range.start.line !== cursor.line || range.start.character < cursor.character) return undefined;
  const between = line.slice(cursor.character, range.start.character);
  return { at: cursor, range: { start: cursor, end: range.end }, insertText: between + insertText };
}

function ghostAt(at: Place, insertText: string): GhostPlace {
  return { at, range: { start: at, end: at }, insertText };
}
