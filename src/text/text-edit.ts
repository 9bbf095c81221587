/** A half-open range of a text: `start` included, `end` excluded, in UTF-16 code units from 0. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Prints a range as tests and logs show it: `[3, 7)`. */
export function printRange(range: TextRange): string {
  return `[${range.start}, ${range.end})`;
}

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

/** A range, or a replacement, that begins `by` UTF-16 code units later; earlier where negative. */
export function movedBy<Range extends TextRange>(range: Range, by: number): Range {
  return { ...range, start: range.start + by, end: range.end + by };
}

/**
 * Prints a replacement as tests and logs show it: `[3, 7) -> "name"`, with the text as JSON. A text
 * of more than 40 code units is cut to 39 and `…`.
 */
export function printTextEdit(edit: TextEdit): string {
  const shown = edit.text.length > 40 ? `${edit.text.slice(0, 39)}…` : edit.text;
  return `${printRange(edit)} -> ${JSON.stringify(shown)}`;
}

/** Whether a range lies in another one; equal ranges do. */
export function isInRange(inner: TextRange, outer: TextRange): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** Whether two ranges share a character. */
export function rangesOverlap(one: TextRange, other: TextRange): boolean {
  return one.start < other.end && other.start < one.end;
}
