import { raceAbort } from "../async/index.ts";
import type { Syntax } from "../syntax/index.ts";
import {
  composeWorkspaceEdits,
  Edit,
  errorMessage,
  type FileTexts,
  minimalEdit,
  splitPatchLines,
  type TextEdit,
  type TextRange,
  type WorkspaceEdit,
  workspaceEdit,
} from "../text/index.ts";
import { type ChangedFile, changedFiles, type KnownLanguages } from "./changed-files.ts";
import type { EditFormatter, FormatAnswer } from "./edit-engine-parts.ts";
import { lineFinder } from "./line-range.ts";
import { errorsAddedTo } from "./repair/added-issues.ts";

/** An edit whose new text was formatted, and warnings about files that were not. */
export interface FormattedEdit {
  readonly edit: WorkspaceEdit;
  readonly warnings: readonly string[];
}

/** What {@link formatEdited} needs. */
export interface FormatOptions {
  readonly formatter: EditFormatter;
  readonly syntax: Syntax;
  readonly known: KnownLanguages;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Formats the lines that an edit of `files` changes, and no others.
 *
 * Where a formatter fails, or its text adds syntax errors, the file stays as it was and a warning
 * is returned. Rejects with the signal's reason on abort.
 */
export async function formatEdited(
  files: FileTexts,
  edit: WorkspaceEdit,
  options: FormatOptions,
): Promise<FormattedEdit> {
  const warnings: string[] = [];
  const formatted: { readonly path: string; readonly edit: Edit }[] = [];
  for (const file of changedFiles(files, edit, options.known)) {
    if (file.edit.isEmpty) continue;
    const answer = await formatOne(file, options);
    if (answer.kind === "failed") warnings.push(`${file.path} was not formatted: ${answer.message}`);
    if (answer.kind !== "formatted" || answer.text === file.after) continue;
    const kept = onEditedLines(file, answer.text);
    const errors = await errorsAddedTo(
      { ...file, edit: file.edit.compose(kept), after: kept.apply(file.after) },
      options.syntax,
    );
    if (errors.length === 0) formatted.push({ path: file.path, edit: kept });
    else warnings.push(`${file.path} was not formatted: it would not parse any more.`);
  }
  const changes = formatted.map(({ path, edit }) => ({ kind: "edit", uri: path, edit }) as const);
  return { edit: composeWorkspaceEdits(edit, workspaceEdit(changes)), warnings };
}

async function formatOne(file: ChangedFile, { formatter, signal }: FormatOptions): Promise<FormatAnswer> {
  const ranges = file.edit.rangesAfter();
  try {
    return await raceAbort(formatter({ path: file.path, text: file.after, ranges }, { signal }), signal);
  } catch (error) {
    signal?.throwIfAborted();
    return { kind: "failed", message: errorMessage(error) };
  }
}

/**
 * Keeps the formatter's changes of edited lines only.
 *
 * Where it replaces adjacent lines one by one, each line is decided on its own; a replacement of
 * edited and other lines together is dropped.
 */
function onEditedLines({ after, edit }: ChangedFile, text: string): Edit {
  const toLines = lineFinder(after);
  const edited = edit.rangesAfter().map(toLines);
  const isEdited = (range: TextRange) => {
    const { start, end } = toLines(range);
    return edited.some((lines) => lines.start <= start && end <= lines.end);
  };
  const hunks = minimalEdit(after, text, { unit: "line" }).edits.flatMap((hunk) => lineByLine(hunk, after));
  return Edit.of(hunks.filter(isEdited));
}

function lineByLine(hunk: TextEdit, text: string): readonly TextEdit[] {
  const before = splitPatchLines(text.slice(hunk.start, hunk.end));
  const after = splitPatchLines(hunk.text);
  if (before.length !== after.length) return [hunk];
  let start = hunk.start;
  return before.map((line, i) => {
    const edit = { start, end: start + line.length, text: after[i]! };
    start = edit.end;
    return edit;
  });
}
