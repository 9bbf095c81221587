import { hasWords, isNonBlank } from "./has-words.ts";

/**
 * Whether rewritten lines end as the window does, so that they are complete without an end marker:
 * the last lines are equal, and one of them contains words. Blank lines do not count.
 */
export function endsAlike(window: readonly string[], lines: readonly string[]): boolean {
  const known = window.filter(isNonBlank);
  const written = lines.filter(isNonBlank);
  for (let back = 1; back <= known.length; back++) {
    const line = known.at(-back)!;
    if (line !== written.at(-back)) return false;
    if (hasWords(line)) return true;
  }
  return true;
}
