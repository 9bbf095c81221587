import { keepLineEndings } from "../../edit/node/index.ts";
import { byteOrderMark } from "../../text/index.ts";

/**
 * The text `after` with the byte order mark and the line endings of the file `before`.
 *
 * The page's editor has a single line ending for a document, and no byte order mark.
 */
export function keepForm(before: string, after: string): string {
  const mark = before.startsWith(byteOrderMark) ? byteOrderMark : "";
  return mark + withEndingsOf(before.slice(mark.length), withoutMark(after));
}

/** A text without its byte order mark, for the page's editor. */
export function withoutMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text;
}

function withEndingsOf(before: string, after: string): string {
  const [first, second] = new Set(before.match(lineEnd));
  if (first === undefined) return after;
  // Matching the lines takes long in a large file, and is needed only where line endings are mixed.
  return second === undefined ? after.replaceAll(lineEnd, first) : keepLineEndings(before, after);
}

const lineEnd = /\r\n|\r|\n/g;
