import type { Syntax, SyntaxIssue } from "../syntax/index.ts";
import type { FileTexts, WorkspaceEdit } from "../text/index.ts";
import { type ChangedFile, changedFiles, type KnownLanguages } from "./changed-files.ts";
import type { FileIssue } from "./edit-outcome.ts";
import { lineFinder } from "./line-range.ts";
import { newErrors } from "./new-errors.ts";

/** A syntax error that a change adds, and the file as the change leaves it. */
export interface AddedIssue extends FileIssue {
  readonly file: ChangedFile;
  /** The line of a bracket that is not closed, where one is known. */
  readonly openerLine: number | undefined;
}

/** The syntax errors that an edit of `files` adds to them, file by file. */
export async function addedIssues(
  files: FileTexts,
  edit: WorkspaceEdit,
  { syntax, known }: { readonly syntax: Syntax; readonly known: KnownLanguages },
): Promise<readonly AddedIssue[]> {
  const issues: AddedIssue[] = [];
  for (const file of changedFiles(files, edit, known)) {
    for (const issue of await errorsAddedTo(file, syntax)) {
      issues.push({ path: file.path, issue, file, ...suspect(file, issue) });
    }
  }
  return issues;
}

/** The syntax errors that a file gets by its change. */
export async function errorsAddedTo(file: ChangedFile, syntax: Syntax): Promise<readonly SyntaxIssue[]> {
  const { path, pathBefore, before, after, edit, language, languageBefore } = file;
  const errorsAfter = await syntax.syntaxErrors({ uri: path, language, text: after });
  if (errorsAfter.length === 0 || pathBefore === undefined) return errorsAfter;
  const errorsBefore = await syntax.syntaxErrors({ uri: pathBefore, language: languageBefore, text: before });
  return newErrors({ before: errorsBefore, edit, after: errorsAfter });
}

function suspect(file: ChangedFile, issue: SyntaxIssue): Pick<AddedIssue, "suspectLine" | "openerLine"> {
  return { suspectLine: lineFinder(file.after)(issue.range).start, openerLine: undefined };
}
