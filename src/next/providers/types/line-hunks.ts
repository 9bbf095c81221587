import { Edit, minimalEdit, type TextRange } from "../../../text/index.ts";

/** A run of adjacent changed lines. Offsets refer to the text before. */
export interface LineHunk {
  /** The change, word by word. */
  readonly edit: Edit;
  /** From the first changed word to the last. */
  readonly place: TextRange;
  /** The range of the whole lines; empty where lines are only inserted. */
  readonly lines: TextRange;
  /** The text that replaces the lines. */
  readonly after: string;
}

/**
 * Returns the changes between two texts in their order, one for each run of adjacent lines, as `git
 * diff -U0` lists them.
 *
 * Law: all edits together produce the text after.
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
