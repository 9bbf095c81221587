/**
 * Returns a text on one line: each run of white space becomes one blank, without those at the ends.
 */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
