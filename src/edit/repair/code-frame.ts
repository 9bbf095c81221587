import type { LineRange } from "../line-range.ts";

/** A stretch of a text with marks and remarks. All lines count from 0. */
export interface CodeFrame {
  /** All lines of the text. */
  readonly lines: readonly string[];
  /** The lines that are printed. */
  readonly shown: LineRange;
  /** Lines that an edit inserted or replaced; they are marked with `+`. */
  readonly edited: readonly LineRange[];
  /** Remarks, printed at the end of their lines. */
  readonly remarks: readonly LineRemark[];
}

/** A remark on one line. */
export interface LineRemark {
  readonly line: number;
  readonly text: string;
}

/**
 * Prints lines with their numbers from 1, to show a person or a model where something is wrong:
 *
 * ```
 *   7 | if (a) {   <-- this { is never closed
 * + 8 |   b();
 * ```
 */
export function printCodeFrame({ lines, shown, edited, remarks }: CodeFrame): string {
  const width = String(shown.end).length;
  const rows: string[] = [];
  for (let line = shown.start; line < shown.end; line++) {
    const mark = edited.some(({ start, end }) => start <= line && line < end) ? "+" : " ";
    const texts = remarks.filter((remark) => remark.line === line).map(({ text }) => text);
    const remark = texts.length === 0 ? "" : `   <-- ${texts.join("; ")}`;
    rows.push(`${mark} ${String(line + 1).padStart(width)} | ${lines[line] ?? ""}${remark}`.trimEnd());
  }
  return rows.join("\n");
}
