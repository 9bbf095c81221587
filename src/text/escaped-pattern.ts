/** The source of a regular expression that matches exactly this text. */
export function escapedPattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
