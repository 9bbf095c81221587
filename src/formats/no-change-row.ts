/** The row with which formats that have no mark for it say that nothing needs to be changed. */
export const noChangeRow = "No changes.";

/** Whether a row says that nothing needs to be changed, and nothing else. */
export function isNoChangeRow(row: string): boolean {
  const words = row
    .replace(/[^\p{L}]+/gu, " ")
    .trim()
    .toLowerCase();
  return /^no (?:further )?(?:changes?|edits?)(?: (?:is|are))?(?: (?:needed|required|necessary|to make))?$/.test(words);
}
