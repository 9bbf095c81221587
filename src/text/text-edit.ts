import { printRange, type TextRange } from "./range.ts";

/**
 * A replacement: the text in `[start, end)` becomes `text`.
 *
 * Offsets count UTF-16 code units of the text before the change. An empty range is an insertion, an
 * empty `text` a deletion. {@link Edit} combines several of them.
 */
export interface TextEdit extends TextRange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Prints a replacement as tests and logs show it: `[3, 7) -> "name"`. A long text is cut at 40
 * code units.
 */
export function printTextEdit(edit: TextEdit): string {
  const shown = edit.text.length > 40 ? `${edit.text.slice(0, 39)}…` : edit.text;
  return `${printRange(edit)} -> ${JSON.stringify(shown)}`;
}
