import type { Syntax, SyntaxIssue } from "../../syntax/index.ts";
import type { FileTexts, WorkspaceEdit } from "../../text/index.ts";
import { type ChangedFile, changedFiles, type KnownLanguages } from "../changed-files.ts";
import type { FileIssue } from "../edit-outcome.ts";
import { editedLines, lineFinder } from "../line-range.ts";
import { locateFault } from "./locate-fault.ts";
import { newErrors } from "./new-errors.ts";

/** A syntax error that a change adds, with the changed file. */
export interface AddedIssue extends FileIssue {
  readonly file: ChangedFile;
  /** The line of the bracket that is not closed, where one is known. */
  readonly openerLine: number | undefined;
}

/** Finds the syntax errors that an edit of `files` adds, file by file. */
export async function addedIssues(
  files: FileTexts,
  edit: WorkspaceEdit,
  { syntax, known }: { readonly syntax: Syntax; readonly known: KnownLanguages },
): Promise<readonly AddedIssue[]> {
  const issues: AddedIssue[] = [];
  for (const file of changedFiles(files, edit, known)) {
    const added = await errorsAddedTo(file, syntax);
    issues.push(
      ...added.map((issue, i) => ({ path: file.path, issue, file, ...suspectOf(file, issue, i < maxLocated) })),
    );
  }
  return issues;
}

/** The errors of a file that are located; a parser that lost its way reports many more. */
const maxLocated = 8;

/** Finds the syntax errors that a change adds to one file. */
export async function errorsAddedTo(file: ChangedFile, syntax: Syntax): Promise<readonly SyntaxIssue[]> {
  const { path, pathBefore, before, after, edit, language, languageBefore } = file;
  const errorsAfter = await syntax.syntaxErrors({ uri: path, language, text: after });
  if (errorsAfter.length === 0 || pathBefore === undefined) return errorsAfter;
  const errorsBefore = await syntax.syntaxErrors({ uri: pathBefore, language: languageBefore, text: before });
  return newErrors({ before: errorsBefore, edit, after: errorsAfter });
}

function suspectOf(
  { before, after, edit, language }: ChangedFile,
  issue: SyntaxIssue,
  isLocated: boolean,
): Pick<AddedIssue, "suspectLine" | "openerLine"> {
  if (!isLocated) return { suspectLine: lineFinder(after)(issue.range).start, openerLine: undefined };
  const { line, opener } = locateFault({ before, after, edited: editedLines(after, edit), issue, language });
  return { suspectLine: line, openerLine: opener };
}
