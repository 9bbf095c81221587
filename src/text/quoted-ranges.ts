import type { TextRange } from "./text-edit.ts";

/**
 * Returns the ranges of a text's strings in any of the quotes `"`, `'` and `` ` ``, with their
 * quotes, in order; half-open, in UTF-16 units. A string may span lines.
 *
 * A backslash escapes the character after it. A quote without a partner begins no string. The time
 * is linear: after a quote without a partner there are only escaped quotes of its kind, and none of
 * them is tried again.
 */
export function quotedRanges(text: string): readonly TextRange[] {
  const ranges: TextRange[] = [];
  const unpaired = new Set<string>();
  for (let at = 0; at < text.length; at += 1) {
    const quote = text[at]!;
    if (!/["'`]/.test(quote) || unpaired.has(quote)) continue;
    const end = endOfString(text, at);
    if (end === undefined) {
      unpaired.add(quote);
      continue;
    }
    ranges.push({ start: at, end });
    at = end - 1;
  }
  return ranges;
}

function endOfString(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === text[start]) return at + 1;
  }
  return undefined;
}
