import { byteOrderMark } from "../../text/index.ts";

/**
 * Splits a file into lines as all formats count them: without line endings and without a byte order
 * mark.
 *
 * A line ends with `\n` or `\r\n`; a lone `\r` ends one only in a text without any `\n`. Text after
 * the last line ending is a line only if it is not empty: `"a\n"` has one line, `""` has none.
 */
export function fileLines(text: string): readonly string[] {
  const content = text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text;
  const lines = content.split(content.includes("\n") ? /\r?\n/ : "\r");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
