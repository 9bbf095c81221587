import { addedSyntaxErrors, languageById, plaintext, type Syntax, type SyntaxDiagnostic } from "../../syntax/index.ts";
import type { FileTexts, WorkspaceEdit } from "../../text/index.ts";
import { bracketAlarms } from "../boundaries/bracket-alarms.ts";
import { type ChangedFile, changedFiles, type KnownLanguages } from "../changed-files.ts";
import { editedLines, type LineRange, lineFinder } from "../line-range.ts";

/** A syntax error that a change adds to a file, with its range in the text after the change. */
export interface AddedIssue extends SyntaxDiagnostic {
  readonly file: ChangedFile;
  /** The line where the mistake is more likely: a line of the text after the change, from 0. */
  readonly suspectLine: number;
  /** The line of the bracket that is not closed, where one is known. */
  readonly openerLine: number | undefined;
}

/**
 * Finds the syntax errors that an edit of `files` adds, file by file in the order of the edit. The
 * mistake is located for the first eight errors of a file; of the others the suspected line is the
 * parser's.
 */
export async function addedIssues(
  files: FileTexts,
  edit: WorkspaceEdit,
  { syntax, known }: { readonly syntax: Syntax; readonly known: KnownLanguages },
): Promise<readonly AddedIssue[]> {
  const issues: AddedIssue[] = [];
  for (const file of changedFiles(files, edit, known)) {
    const added = await errorsAddedTo(file, syntax);
    issues.push(...added.map((issue, i) => ({ ...issue, file, ...suspectOf(file, issue, i < maxLocated) })));
  }
  return issues;
}

/** The errors of a file that are located; a parser that lost its way reports many more. */
const maxLocated = 8;

/**
 * Finds the syntax errors that a change adds to one file, as {@link addedSyntaxErrors} does.
 * Rejects with `EmendError` code `grammar-unreadable` where a grammar cannot be read.
 */
export async function errorsAddedTo(file: ChangedFile, syntax: Syntax): Promise<readonly SyntaxDiagnostic[]> {
  const { path, pathBefore, before, after, edit, language, languageBefore } = file;
  return addedSyntaxErrors(syntax, {
    before: pathBefore === undefined ? undefined : { uri: pathBefore, language: languageBefore, text: before },
    ...{ edit, after: { uri: path, language, text: after } },
  });
}

function suspectOf(
  { before, after, edit, language }: ChangedFile,
  issue: SyntaxDiagnostic,
  isLocated: boolean,
): Pick<AddedIssue, "suspectLine" | "openerLine"> {
  if (!isLocated) return { suspectLine: lineFinder(after)(issue).start, openerLine: undefined };
  const { line, opener } = locateFault({ before, after, edited: editedLines(after, edit), issue, language });
  return { suspectLine: line, openerLine: opener };
}

/** A text that a change broke. */
export interface BrokenText {
  /** The text before the change; empty for a new file. */
  readonly before: string;
  readonly after: string;
  /** Where the change inserted or deleted text, in lines of the text after it. */
  readonly edited: readonly LineRange[];
  /** The parser's error, in the text after the change. */
  readonly issue: SyntaxDiagnostic;
  /** The id of the language. */
  readonly language: string;
}

/** The likely location of a mistake, in lines of the text after the change, from 0. */
export interface Fault {
  readonly line: number;
  /** The line of the bracket that is not closed, where one is known. */
  readonly opener: number | undefined;
}

/**
 * Locates the likely mistake behind a syntax error, in lines of the text after the change, from 0.
 *
 * A parser reports where it gave up, which is often far below a lost bracket. In order of
 * preference: a new disagreement of brackets and indentation in or next to edited lines, the
 * parser's line if it is there, a new disagreement elsewhere, the parser's line.
 */
export function locateFault({ before, after, edited, issue, language: id }: BrokenText): Fault {
  const language = languageById(id) ?? plaintext;
  const habits = new Map<string, number>();
  for (const { text } of bracketAlarms(before, language)) habits.set(text, (habits.get(text) ?? 0) + 1);
  const alarms = bracketAlarms(after, language).filter(({ text }) => {
    const count = habits.get(text) ?? 0;
    habits.set(text, count - 1);
    return count <= 0;
  });
  const errorLine = lineFinder(after)(issue).start;
  const isNear = ({ line }: { readonly line: number }) =>
    edited.some(({ start, end }) => line >= start - near && line < Math.max(end, start + 1) + near);
  const parser: Fault = { line: errorLine, opener: undefined };
  const { line, opener } = alarms.find(isNear) ?? (isNear(parser) ? parser : (alarms[0] ?? parser));
  return { line, opener };
}

/** The number of lines beside an edit that still belong to it. */
const near = 1;
