/**
 * Whether Tab means indentation where the cursor is: nothing but blanks is before it on its line.
 * Where the person was brought by the key that goes to a next edit, Tab means to accept, until they
 * type or move.
 */
export function isIndenting(beforeCursor: string, wasBroughtHere: boolean): boolean {
  return !wasBroughtHere && /^\s*$/.test(beforeCursor);
}
