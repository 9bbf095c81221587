import type { Edit } from "../text/index.ts";

/** The word that an edit has just changed at the cursor, whole; `undefined` where the edit ends elsewhere, or no word ends or goes on at the cursor. `text` is the text after it. */
export function tryWordTyped(text: string, cursor: number, edit: Edit): string | undefined {
  if (edit.rangesAfter().every(({ end }) => end !== cursor)) return undefined;
  const front = /[\p{L}\p{M}\p{N}_$]+$/u.exec(text.slice(Math.max(0, cursor - maxLength), cursor))?.[0];
  const back = /^[\p{L}\p{M}\p{N}_$]*/u.exec(text.slice(cursor, cursor + maxLength))![0];
  return front === undefined ? undefined : front + back;
}

/** The words that an edit puts in, as they are told. */
export function wordsPutIn({ edits }: Edit): ReadonlySet<string> {
  return new Set(edits.flatMap(({ text }) => text.match(/[\p{L}\p{M}\p{N}_$]+/gu) ?? []));
}

/** No name that people write is longer, to either side. */
const maxLength = 200;
