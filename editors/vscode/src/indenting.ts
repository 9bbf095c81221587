/**
 * Whether Tab indents at the cursor: only white space is before it on its line. If the key that
 * goes to a next edit moved the cursor there, Tab accepts the edit until the user types or moves.
 */
export function isIndenting(beforeCursor: string, wasBroughtHere: boolean): boolean {
  return !wasBroughtHere && /^\s*$/.test(beforeCursor);
}
