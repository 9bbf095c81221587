import { type IndentUnit, indentationWidth, indentText } from "../../syntax/index.ts";

/** How many columns a tab is taken for where something is measured in columns. */
export const tabSize = 4;

/** The tabs and blanks that a line begins with. */
export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)![0];
}

/** The text behind the last line ending. */
export function lastLineOf(text: string): string {
  return text.slice(Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1);
}

/**
 * How far a line is indented, in columns; how wide a tab is does not matter where lines are only
 * compared.
 */
export function widthOf(line: string): number {
  return indentationWidth(indentOf(line), tabSize);
}

/** How many columns one step of indentation takes. */
export function columnsOf(unit: IndentUnit): number {
  return unit.kind === "tab" ? tabSize : unit.size;
}

/** An indentation of so many columns. */
export function indentation(width: number, unit: IndentUnit): string {
  if (unit.kind === "spaces") return " ".repeat(width);
  return indentText(unit).repeat(Math.floor(width / tabSize)) + " ".repeat(width % tabSize);
}
