import { hasWords } from "./has-words.ts";

/** The text of the cursor's line before and after the cursor. */
export interface CursorLine {
  readonly before: string;
  readonly rest: string;
}

/**
 * Returns what the first row of an answer inserts at the cursor. Models repeat the whole line, its
 * indentation, or the word that ends at the cursor; that is removed.
 */
export function stripRepeatedPrefix(row: string, { before, rest }: CursorLine): string {
  const line = before.trimStart();
  if (line === "") return row.startsWith(before) ? row.slice(before.length) : row;
  const written = row.trimStart();
  if (hasWords(line) && written.startsWith(line)) {
    const added = written.slice(line.length);
    const behind = rest.trimEnd();
    return behind !== "" && added.endsWith(behind) ? added.slice(0, -behind.length) : added;
  }
  const [word] = /(?<![\p{L}\p{N}_$])[\p{L}_$][\p{L}\p{N}_$]*$/u.exec(before) ?? [];
  return word !== undefined && row.startsWith(word) ? row.slice(word.length) : row;
}
