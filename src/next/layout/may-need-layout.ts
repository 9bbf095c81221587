import type { Lines, TextEdit } from "../../text/index.ts";
import { columnsOf, leastWidth } from "./code-style.ts";

/**
 * Whether replacements may change how lines are broken: where one becomes longer than people keep to at the least, where several come, or where one of those that
 * something was broken into becomes shorter. It is asked for each edit, and costs little.
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

/** The most lines above that are looked at. */
const maxAbove = 40;

/** Whether the lines `[first, last]` belong to what was broken into lines because it was too long. */
function isBroken(lines: Lines, first: number, last: number): boolean {
  if (/^\s*(?:[.?:|&)\]>+]|=>)/.test(lines.text(first)) || goesOn.test(lines.text(last))) return true;
  const depth = indentOf(lines.text(first));
  for (let line = first - 1; line >= 0 && line > first - maxAbove; line--) {
    const said = lines.text(line);
    if (said.trim() !== "" && indentOf(said) < depth) return goesOn.test(said) || opensModule.test(said);
  }
  return false;
}

/** What a line ends with that goes on, but for braces, which statements and properties have lines of their own in. */
const goesOn = /(?:[([<=?:|&+]|=>)\s*$/;
const opensModule = /^\s*(?:import|export)\s+(?:type\s+)?\{\s*$/;

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
