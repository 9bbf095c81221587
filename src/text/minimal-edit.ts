import { diffSequences, type SharedEnds } from "./diff-sequences.ts";
import { Edit } from "./edit.ts";
import { Lines } from "./lines.ts";
import type { TextEdit } from "./text-edit.ts";

/** Options of {@link minimalEdit}. */
export interface MinimalEditOptions {
  /**
   * The unit that is kept or replaced as a whole: a `line` with its ending, a `word` (a run of
   * letters, digits, `_` and `$`, a run of blanks, a line ending, or any other character), or a
   * `character` at either end of a changed word.
   */
  readonly unit: "line" | "word" | "character";
}

/**
 * Returns a small edit that turns `before` into `after`.
 *
 * Lines are compared first; inside changed lines, words (see `unit`). Changed words with nothing
 * but blanks between them are replaced together. No replacement begins or ends inside a surrogate
 * pair or a `\r\n`, in either text. The edit is small, not always the smallest: the search in very
 * long differences is limited, see `diffSequences`.
 *
 * Law: `minimalEdit(before, after).apply(before)` equals `after`.
 */
export function minimalEdit(before: string, after: string, options: MinimalEditOptions = { unit: "word" }): Edit {
  return minimalBetween(before, after, { front: 0, back: 0 }, options);
}

/**
 * Returns {@link minimalEdit} of `before` and the text after `edit`. The text around the edit is
 * not compared, so that the time depends on the length of the edit and not on that of the text.
 *
 * Throws `EmendError` `out-of-bounds` when a range ends past the end of `before`.
 * Law: `minimizeEdit(before, edit)` equals `minimalEdit(before, edit.apply(before))`.
 */
export function minimizeEdit(before: string, edit: Edit, options: MinimalEditOptions = { unit: "word" }): Edit {
  const [first, last] = [edit.edits[0], edit.edits.at(-1)];
  if (first === undefined || last === undefined) return Edit.empty;
  const same = { front: first.start, back: before.length - last.end };
  return minimalBetween(before, edit.apply(before), same, options);
}

/**
 * Returns the edit between two texts with a known common length at both ends, which may be more.
 */
function minimalBetween(before: string, after: string, same: SharedEnds, { unit }: MinimalEditOptions): Edit {
  if (before === after) return Edit.empty;
  const { front, back } = commonLines(before, after, same);
  const middle = (text: string): readonly string[] => splitLines(text.slice(front, text.length - back));
  const changedLines = changes(middle(before), middle(after), front);
  if (unit === "line") return Edit.of(changedLines);
  const changedWords = changedLines.flatMap((change) => {
    if (change.start === change.end || change.text === "") return [change];
    const old = before.slice(change.start, change.end);
    return joinOverBlanks(changes(splitWords(old), splitWords(change.text), change.start), before);
  });
  const edit = Edit.of(changedWords);
  return unit === "word" ? edit : edit.normalize(before);
}

/**
 * Returns the numbers of code units that two texts have in common at the start and at the end, in
 * whole lines that end with `\n`. `same` is the part that is already known.
 *
 * Most edits are small, and this is much faster than splitting the texts into lines.
 */
function commonLines(before: string, after: string, same: SharedEnds): SharedEnds {
  const shorter = Math.min(before.length, after.length);
  let { front } = same;
  while (front < shorter && before.charCodeAt(front) === after.charCodeAt(front)) front++;
  front = front === 0 ? 0 : before.lastIndexOf("\n", front - 1) + 1;
  let back = Math.min(same.back, shorter - front);
  while (
    back < shorter - front &&
    before.charCodeAt(before.length - 1 - back) === after.charCodeAt(after.length - 1 - back)
  ) {
    back++;
  }
  const lineEnd = before.indexOf("\n", before.length - back);
  return { front, back: lineEnd < 0 ? 0 : before.length - lineEnd - 1 };
}

/** Splits a text into lines, each with its line ending. Law: joined, they are the text. */
function splitLines(text: string): readonly string[] {
  const lines = Lines.of(text);
  return Array.from({ length: lines.count }, (_, lineIndex) => lines.textWithBreak(lineIndex));
}

/** Splits a text into words and the separators between them. Law: joined, they are the text. */
function splitWords(text: string): readonly string[] {
  return text.match(/\r\n|[\p{L}\p{M}\p{N}_$]+|[^\S\r\n]+|./gsu) ?? [];
}

/** Returns the differences of two texts given in pieces, the first of which begins at `offset`. */
function changes(before: readonly string[], after: readonly string[], offset: number): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  let passed = 0;
  let start = offset;
  for (const change of diffSequences(before, after)) {
    while (passed < change.beforeStart) start += before[passed++]!.length;
    let end = start;
    while (passed < change.beforeEnd) end += before[passed++]!.length;
    edits.push({ start, end, text: after.slice(change.afterStart, change.afterEnd).join("") });
    start = end;
  }
  return edits;
}

/**
 * Joins edits with only blanks between them, so that a rewritten phrase is one edit.
 */
function joinOverBlanks(edits: readonly TextEdit[], before: string): readonly TextEdit[] {
  const joined: TextEdit[] = [];
  for (const edit of edits) {
    const last = joined.at(-1);
    const between = last === undefined ? "" : before.slice(last.end, edit.start);
    if (last !== undefined && /^[^\S\r\n]+$/.test(between)) {
      joined[joined.length - 1] = { start: last.start, end: edit.end, text: last.text + between + edit.text };
    } else {
      joined.push(edit);
    }
  }
  return joined;
}
