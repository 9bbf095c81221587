/** A half-open range of a text: `start` included, `end` excluded, in UTF-16 code units from 0. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Prints a range as tests and logs show it: `[3, 7)`. */
export function printRange(range: TextRange): string {
  return `[${range.start}, ${range.end})`;
}
