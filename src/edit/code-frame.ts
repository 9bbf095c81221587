import type { LineRange } from "./line-range.ts";

/** A stretch of a text, and what is to be seen in it. All lines from 0. */
export interface CodeFrame {
  /** All lines of the text. */
  readonly lines: readonly string[];
  /** The stretch that is shown. */
  readonly shown: LineRange;
  /** Lines that an edit put there: marked with `+`. */
  readonly edited: readonly LineRange[];
  /** Remarks on lines, which stand behind them. */
  readonly remarks: readonly LineRemark[];
}

/** What there is to say about a line. */
export interface LineRemark {
  readonly line: number;
  readonly text: string;
}

/**
 * Lines with their numbers from 1, as a person or a model is shown where something is wrong:
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
    const said = remarks.filter((remark) => remark.line === line).map(({ text }) => text);
    const remark = said.length === 0 ? "" : `   <-- ${said.join("; ")}`;
    rows.push(`${mark} ${String(line + 1).padStart(width)} | ${lines[line] ?? ""}${remark}`.trimEnd());
  }
  return rows.join("\n");
}
