import {
  type CompiledGrammar,
  type GrammarIssue,
  type GrammarSource,
  hasErrors,
  printGrammarIssue,
} from "../../grammar/index.ts";
import { type GrammarFile, loadGrammarFile } from "../../grammar/node/index.ts";
import { Lines } from "../../text/index.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { printable, styled, type Terminal } from "../terminal/terminal.ts";

/** A grammar from a file that has no errors. */
export interface UsableGrammar {
  readonly compiled: CompiledGrammar;
  /** Absent for a packed one. */
  readonly source?: GrammarSource;
  /** Its warnings. */
  readonly issues: readonly GrammarIssue[];
}

/**
 * Reads and compiles the grammar in a file, and prints its issues on standard error. `file` is
 * absolute, `named` is the path as typed. Throws a {@link CommandFailure} where the file is
 * missing, cannot be read, is not UTF-8, has the ending of no notation or has errors; and an
 * `EmendError` for a damaged packed grammar.
 */
export async function readGrammarFile(
  file: string,
  named: string,
  terminal: Pick<Terminal, "err" | "colour">,
): Promise<UsableGrammar> {
  const { compiled, source, issues, texts } = tryLoad(file, named);
  for (const issue of issues) {
    const text = texts.get(issue.file ?? "") ?? "";
    terminal.err(`${printGrammarProblem(issue, { file: issue.file ?? named, text, colour: terminal.colour })}\n`);
  }
  if (compiled === undefined) {
    const count = issues.filter((issue) => hasErrors([issue])).length;
    const message = `${named} has ${count === 1 ? "an error" : `${count} errors`}, so that there is no grammar to use.`;
    throw new CommandFailure("grammar-broken", message, { exitCode: exitCodes.failed });
  }
  return { compiled, ...(source && { source }), issues };
}

function tryLoad(file: string, named: string): GrammarFile {
  try {
    return loadGrammarFile(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EISDIR") {
      const what =
        code === "ENOENT" ? `There is no file ${named}, and no built-in grammar of that name` : `${named} is a folder`;
      const hint = "Give a grammar's file, or a name that `emend grammar list` prints.";
      throw new CommandFailure("file-missing", `${what}. ${hint}`, { exitCode: exitCodes.notFound });
    }
    if ("syscall" in (error as object)) {
      const exitCode = code === "EACCES" || code === "EPERM" ? exitCodes.noPermission : exitCodes.notFound;
      throw new CommandFailure("not-readable", `${named} cannot be read (${code}).`, { exitCode, cause: error });
    }
    if (code === "grammar-not-utf-8")
      throw new CommandFailure(code, message.replace(file, named), { exitCode: exitCodes.notSource });
    if (code === "grammar-notation")
      throw new CommandFailure(code, message.replace(file, named), { exitCode: exitCodes.usage });
    throw error;
  }
}

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
 * from 0. Empty where the text has no such line.
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
