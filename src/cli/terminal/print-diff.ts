import { printable, type Style, styled, type Terminal } from "./terminal.ts";

/**
 * A unified diff for output: on a terminal with colours and without control characters, in a file
 * or pipe byte for byte.
 */
export function printDiff(diff: string, { colour, isShown }: Pick<Terminal, "colour" | "isShown">): string {
  return colour || isShown ? diffRows(diff, colour).join("") : diff;
}

/**
 * The rows of a diff for a terminal, each with its line break. Control characters are replaced by
 * pictures; without `colour` the rows have no style.
 */
export function diffRows(diff: string, colour: boolean): readonly string[] {
  const rows: string[] = [];
  // The numbers of old and new lines left in the hunk: within it, a row that begins with `---` is a
  // removed line.
  const left = { old: 0, new: 0 };
  for (const row of diff.split("\n")) {
    const isInHunk = left.old > 0 || left.new > 0;
    const isRemark = row.startsWith("\\");
    if (isInHunk && !isRemark) {
      if (!row.startsWith("+")) left.old--;
      if (!row.startsWith("-")) left.new--;
    } else {
      const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(row);
      if (hunk !== null) Object.assign(left, { old: Number(hunk[1] ?? 1), new: Number(hunk[2] ?? 1) });
    }
    const style = isRemark ? "dim" : isInHunk ? inHunk[row.charAt(0)] : row.startsWith("@@") ? "cyan" : "bold";
    const shown = printable(row.replace(/\r$/, ""));
    rows.push(`${style === undefined ? shown : styled(shown, style, colour)}\n`);
  }
  // After the last line break there is no row.
  if (rows.at(-1) === "\n") rows.pop();
  return rows;
}

/** The styles of rows inside a hunk, by their first character. */
const inHunk: Readonly<Record<string, Style>> = { "+": "green", "-": "red" };
