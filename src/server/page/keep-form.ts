import { keepLineEndings } from "../../edit/node/index.ts";
import { byteOrderMark } from "../../text/index.ts";

/**
 * The text `after` in the form of the file `before`: with a byte order mark where that has one, and with its line ends.
 *
 * The page's editor knows one line end for a whole document, and no mark.
 */
export function keepForm(before: string, after: string): string {
  const mark = before.startsWith(byteOrderMark) ? byteOrderMark : "";
  return mark + withEndingsOf(before.slice(mark.length), withoutMark(after));
}

/** A text as the page's editor takes it. */
export function withoutMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text;
}

function withEndingsOf(before: string, after: string): string {
  const [first, second] = new Set(before.match(lineEnd));
  if (first === undefined) return after;
  // To find out which line is which takes long in a large file, and is of use only where lines end in several ways.
  return second === undefined ? after.replaceAll(lineEnd, first) : keepLineEndings(before, after);
}

const lineEnd = /\r\n|\r|\n/g;
