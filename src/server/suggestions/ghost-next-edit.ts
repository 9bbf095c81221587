import type { Edit, TextEdit } from "../../text/index.ts";

/**
 * One replacement, starting at `cursor`, with the same effect as an edit that only inserts behind
 * the cursor: the text between its parts is replaced by itself.
 */
export function asOneFrom(source: string, cursor: number, edit: Edit): TextEdit {
  let text = "";
  let at = cursor;
  for (const part of edit.edits) {
    text += source.slice(at, part.start) + part.text;
    at = part.end;
  }
  return { start: cursor, end: at, text };
}

/**
 * The beginning of an edit that only inserts behind the cursor: its insertions within the first
 * `characters` UTF-16 code units of {@link asOneFrom}. `undefined` where that is the whole edit.
 */
export function firstCharacters(edit: Edit, cursor: number, characters: number): readonly TextEdit[] | undefined {
  const parts: TextEdit[] = [];
  let left = characters;
  let at = cursor;
  for (const part of edit.edits) {
    left -= part.start - at;
    if (left <= 0) return parts;
    parts.push(left < part.text.length ? { ...part, text: part.text.slice(0, left) } : part);
    if (left < part.text.length) return parts;
    left -= part.text.length;
    at = part.end;
  }
  return undefined;
}
