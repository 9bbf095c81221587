import { Edit, minimalEdit, type TextRange } from "../../text/index.ts";

/** A run of adjacent lines that change. Offsets speak of the text before. */
export interface LineHunk {
  /** The change, word by word. */
  readonly edit: Edit;
  /** From the first word that changes to the last. */
  readonly place: TextRange;
  /** The lines, whole; empty where lines only come. */
  readonly lines: TextRange;
  /** What stands in their place. */
  readonly after: string;
}

/**
 * The changes between two texts, one for each run of adjacent lines as `git diff -U0` has them, in their order.
 *
 * Law: all of them together give the text after.
 */
export function lineHunks(before: string, after: string): readonly LineHunk[] {
  return minimalEdit(before, after, { unit: "line" }).edits.map(({ start, end, text }) => {
    const words = minimalEdit(before.slice(start, end), text).edits.map((edit) => ({
      ...{ start: edit.start + start, end: edit.end + start },
      text: edit.text,
    }));
    const edit = Edit.of(words);
    return { edit, place: { start: words[0]!.start, end: words.at(-1)!.end }, lines: { start, end }, after: text };
  });
}
