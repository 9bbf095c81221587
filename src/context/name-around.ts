import type { TextRange } from "../text/index.ts";

/**
 * The range of the name that a cursor at `offset` touches, in UTF-16 units; empty, at `offset`,
 * where it touches none.
 */
export function nameAround(text: string, offset: number): TextRange {
  let [start, end] = [offset, offset];
  while (start > 0 && isNameUnit(text.charCodeAt(start - 1))) start--;
  while (end < text.length && isNameUnit(text.charCodeAt(end))) end++;
  return { start, end };
}

/** ASCII letters and digits, `_` and `$`, and everything beyond Latin-1's signs. */
function isNameUnit(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36 ||
    code >= 0xc0
  );
}
