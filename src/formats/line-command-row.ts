/** A row that begins an edit of the format `line-commands`, its verb and its numbers; words such as "edit 4 files" do not. */
export const lineCommandRow = /^(edit|insert) (\d+(?:\s*[:,-]\s*\S*)?\s*(?:<<.*)?)$/;

/** Whether a row begins an edit, such as `edit 4:6`. */
export function isLineCommand(row: string): boolean {
  return lineCommandRow.test(row);
}
