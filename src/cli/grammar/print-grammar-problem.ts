import { type GrammarIssue, printGrammarIssue } from "../../grammar/index.ts";
import { Lines } from "../../text/index.ts";
import { printable, styled } from "../terminal/terminal.ts";

/**
 * An issue in the style of compilers: place, message, and the line with a marker below. Without a
 * line break at the end.
 *
 * ```
 * my.grammar:3:5: error: …
 *    3 | A = Bee
 *      |     ^
 * ```
 */
export function printGrammarProblem(
  issue: GrammarIssue,
  { file, text, colour }: { readonly file: string; readonly text: string; readonly colour: boolean },
): string {
  const issueText = printable(printGrammarIssue(issue, file));
  const severity = `${issue.severity}:`;
  const head = issueText.replace(severity, styled(severity, issue.severity === "error" ? "red" : "yellow", colour));
  if (issue.line === undefined) return head;
  return `${head}\n${printPlaceMark(text, { line: issue.line, column: issue.column }, colour)}`;
}

/**
 * A line of a text, by its number from 0, and a marker below a column of it, in UTF-16 code units
 * from 0.
 */
export function printPlaceMark(
  text: string,
  { line, column }: { readonly line: number; readonly column?: number | undefined },
  colour: boolean,
): string {
  const lines = Lines.of(text);
  if (line >= lines.count) return "";
  const content = printable(lines.text(line).replace(/^\uFEFF/, ""));
  // Of a long line only the part around the column is shown.
  const from = column === undefined || column < 100 ? 0 : column - 60;
  const shown = content.slice(from, from + 140);
  const number = String(line + 1);
  const gutter = (label: string) => styled(`  ${label.padStart(number.length)} |`, "dim", colour);
  const rows = [`${gutter(number)} ${from > 0 ? "…" : ""}${shown.replaceAll("\t", " ")}`.trimEnd()];
  if (column !== undefined) {
    const blanks = " ".repeat(column - from + (from > 0 ? 1 : 0));
    rows.push(`${gutter("")} ${blanks}${styled("^", "red", colour)}`);
  }
  return rows.join("\n");
}
