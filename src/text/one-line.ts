/** `text` on one line: each stretch of white space becomes one blank, and those at the ends go. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
