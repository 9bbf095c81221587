import type { Lines, TextEdit } from "../../text/index.ts";
import { columnsOf, leastWidth } from "./code-style.ts";

/**
 * Whether replacements may change how lines are broken: where a line becomes longer than the least
 * width, where line breaks are inserted, or where a line of a broken statement becomes shorter. A
 * cheap test, made for each edit.
 */
export function mayNeedLayout(lines: Lines, edits: readonly TextEdit[]): boolean {
  const grown = new Map<number, number>();
  for (const { start, end, text } of edits) {
    if (text.includes("\n")) return true;
    const [first, last] = [lines.lineAt(start), lines.lineAt(end)];
    if (last > first && isBroken(lines, first, last)) return true;
    grown.set(first, (grown.get(first) ?? 0) + text.length - (end - start));
  }
  return [...grown].some(([line, by]) =>
    by < 0 ? isBroken(lines, line, line) : columnsOf(lines.text(line)) + by > leastWidth,
  );
}

/** The most lines above that are read. */
const maxAbove = 40;

/**
 * Whether the lines `[first, last]` belong to a statement that was broken because it was too long.
 */
function isBroken(lines: Lines, first: number, last: number): boolean {
  if (/^\s*(?:[.?:|&)\]>+]|=>)/.test(lines.text(first)) || continuesBelow.test(lines.text(last))) return true;
  const depth = indentOf(lines.text(first));
  for (let line = first - 1; line >= 0 && line > first - maxAbove; line--) {
    const above = lines.text(line);
    if (above.trim() !== "" && indentOf(above) < depth) return continuesBelow.test(above) || opensModule.test(above);
  }
  return false;
}

/**
 * The end of a line whose statement continues. Braces do not count: statements and properties have
 * lines of their own in them.
 */
const continuesBelow = /(?:[([<=?:|&+]|=>)\s*$/;
const opensModule = /^\s*(?:import|export)\s+(?:type\s+)?\{\s*$/;

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
