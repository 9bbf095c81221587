/**
 * How the built-in model writes a token as one integer: `id * 4 + gap`.
 *
 * The id names the token in a {@link Vocabulary}; the gap is the white space before it on its line.
 * Line breaks are tokens of their own which carry the change of indentation, so that layout is
 * predicted like everything else.
 */

/** No white space, exactly one space, or anything else between a token and the one before it. */
export const Gap = { none: 0, space: 1, wide: 2 } as const;

/** The kind of token of an id. */
export const TokenKind = {
  boundary: 0,
  newline: 1,
  name: 2,
  keyword: 3,
  number: 4,
  open: 5,
  close: 6,
  quoteOpen: 7,
  quoteClose: 8,
  punctuation: 9,
  /** The mark of a comment up to the line's end, and those around a longer one. */
  lineComment: 10,
  commentOpen: 11,
  commentClose: 12,
} as const;

/** The number of token kinds. */
export const tokenKindCount = 13;

/** The edge of a document: nothing before it is context. */
export const boundaryId = 0;

/**
 * The maximum number of indentation steps, in either direction, that a line break distinguishes.
 */
export const maxIndentSteps = 4;

const firstNewlineId = 1;
const newlineIds = (2 * maxIndentSteps + 1) * 2;

/** The first id of a text: those below are the boundary and the line breaks. */
export const firstTextId = firstNewlineId + newlineIds;

/**
 * The id of a line break that changes the indentation by `steps`, with or without blank lines
 * between. More than 4 steps in either direction count as 4.
 */
export function newlineId(steps: number, blank: boolean): number {
  const clamped = Math.max(-maxIndentSteps, Math.min(steps, maxIndentSteps));
  return firstNewlineId + (clamped + maxIndentSteps) * 2 + (blank ? 1 : 0);
}

/** Whether `id` is a line break. */
export function isNewline(id: number): boolean {
  return id >= firstNewlineId && id < firstTextId;
}

/** The indentation steps of a line break made by {@link newlineId}, from -4 to 4. */
export function newlineSteps(id: number): number {
  return ((id - firstNewlineId) >> 1) - maxIndentSteps;
}

/** Whether a line break made by {@link newlineId} leaves blank lines between. */
export function newlineBlank(id: number): boolean {
  return ((id - firstNewlineId) & 1) === 1;
}
