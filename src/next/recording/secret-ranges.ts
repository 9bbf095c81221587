import { hideSecretsInPlace } from "../../context/index.ts";
import type { Edit, TextRange } from "../../text/index.ts";

/** Where a text says keys, tokens and passwords, see `hideSecrets`. With an edit that made the text only in the lines that it touched. */
export function secretRanges(text: string, language: string, edit?: Edit): readonly TextRange[] {
  if (edit === undefined) return rangesIn(text, language, 0);
  const ranges: TextRange[] = [];
  let last = 0;
  // What looks like a key is found in its line alone.
  for (const { start, end } of edit.rangesAfter()) {
    const from = Math.max(last, text.lastIndexOf("\n", start - 1) + 1);
    const lineEnd = text.indexOf("\n", end);
    const to = lineEnd < 0 ? text.length : lineEnd;
    if (to <= from) continue;
    ranges.push(...rangesIn(text.slice(from, to), language, from));
    last = to;
  }
  return ranges;
}

function rangesIn(text: string, language: string, offset: number): readonly TextRange[] {
  const { text: shown, hidden } = hideSecretsInPlace(text, language);
  if (hidden === 0) return [];
  const ranges: TextRange[] = [];
  let index = 0;
  while (index < text.length) {
    const start = index;
    while (index < text.length && text[index] !== shown[index]) index += 1;
    if (start < index) ranges.push({ start: offset + start, end: offset + index });
    else index += 1;
  }
  return ranges;
}
