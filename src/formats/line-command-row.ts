/**
 * Matches a row that begins an edit of the format `line-commands`, with its verb and numbers; not
 * prose such as "edit 4 files".
 */
export const lineCommandRow = /^(edit|insert) (\d+(?:\s*[:,-](?:\s*[^\s<]+)?)?\s*(?:<<.*)?)$/;

/** Whether a row begins an edit, such as `edit 4:6`. */
export function isLineCommand(row: string): boolean {
  return lineCommandRow.test(row);
}
