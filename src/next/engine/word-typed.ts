import type { Edit } from "../../text/index.ts";

/**
 * Returns the whole word that an edit has just changed at the cursor, in `text`, which is the text
 * after the edit. `undefined` where the edit does not end at the cursor, or no word ends or
 * continues there.
 */
export function tryWordTyped(text: string, cursor: number, edit: Edit): string | undefined {
  if (edit.rangesAfter().every(({ end }) => end !== cursor)) return undefined;
  const front = /(?<![\p{L}\p{M}\p{N}_$])[\p{L}\p{M}\p{N}_$]+$/u.exec(
    text.slice(Math.max(0, cursor - maxLength), cursor),
  )?.[0];
  const back = /^[\p{L}\p{M}\p{N}_$]*/u.exec(text.slice(cursor, cursor + maxLength))![0];
  return front === undefined ? undefined : front + back;
}

/** Returns the words of the text that an edit inserts. */
export function insertedWords({ edits }: Edit): ReadonlySet<string> {
  return new Set(edits.flatMap(({ text }) => text.match(/[\p{L}\p{M}\p{N}_$]+/gu) ?? []));
}

/** The longest part of a word that is read to either side, in UTF-16 units. */
const maxLength = 200;
