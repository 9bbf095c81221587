/** The row that means that nothing needs to change, in formats without a mark for it. */
export const noChangeRow = "No changes.";

/** Whether a row states only that nothing needs to change. */
export function isNoChangeRow(row: string): boolean {
  const words = row
    .replace(/[^\p{L}]+/gu, " ")
    .trim()
    .toLowerCase();
  return /^no (?:further )?(?:changes?|edits?)(?: (?:is|are))?(?: (?:needed|required|necessary|to make))?$/.test(words);
}
