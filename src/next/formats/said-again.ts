import { saysSomething } from "../says-something.ts";

/** What stands on the line of the cursor, in front of it and behind it. */
export interface CursorLine {
  readonly before: string;
  readonly rest: string;
}

/**
 * What the first row of text for the cursor puts in there: models say the line again, with what stands on it, its indentation, or the word that the cursor is at
 * the end of.
 */
export function withoutSaidAgain(row: string, { before, rest }: CursorLine): string {
  const line = before.trimStart();
  if (line === "") return row.startsWith(before) ? row.slice(before.length) : row;
  const said = row.trimStart();
  if (saysSomething(line) && said.startsWith(line)) {
    const added = said.slice(line.length);
    const behind = rest.trimEnd();
    return behind !== "" && added.endsWith(behind) ? added.slice(0, -behind.length) : added;
  }
  const [word] = /(?<![\p{L}\p{N}_$])[\p{L}_$][\p{L}\p{N}_$]*$/u.exec(before) ?? [];
  return word !== undefined && row.startsWith(word) ? row.slice(word.length) : row;
}
