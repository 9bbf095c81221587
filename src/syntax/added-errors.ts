import type { Edit } from "../text/index.ts";
import type { Syntax } from "./syntax.ts";
import type { SyntaxIssue } from "./syntax-issue.ts";

/** A document whose syntax errors are requested. */
export type CheckedDocument = Parameters<Syntax["syntaxErrors"]>[0];

/** The syntax errors of a text before and after an edit. */
export interface ErrorsAround {
  readonly before: readonly SyntaxIssue[];
  readonly edit: Edit;
  readonly after: readonly SyntaxIssue[];
}

/**
 * Returns the errors that the edit adds, in text order.
 *
 * An error that existed before is matched by its mapped position. Of the others, those that touch
 * new text are new. Elsewhere a parser may report an old error in another way after a change in
 * front of it, so there only as many errors count as new as the text has more than before.
 */
export function newSyntaxErrors({ before, edit, after }: ErrorsAround): readonly SyntaxIssue[] {
  if (after.length === 0) return after;
  // Text inserted exactly at an error, such as one at the end of the file, may end up before or
  // after it.
  const known = new Set(
    before.flatMap(({ range }) => [edit.mapOffset(range.start, "before"), edit.mapOffset(range.start, "after")]),
  );
  const inserted = edit.rangesAfter();
  const touchesEdit = ({ range }: SyntaxIssue) =>
    inserted.some(({ start, end }) => range.start <= end && start <= range.end);
  const unknown = after.filter(({ range }) => !known.has(range.start));
  let more = Math.max(0, after.length - before.length);
  return unknown.filter((issue) => {
    const isNew = touchesEdit(issue) || more > 0;
    if (isNew) more--;
    return isNew;
  });
}

/**
 * Finds the syntax errors that an edit of a document adds, in text order, with ranges of the text
 * after it; all of its errors where the document is new (`before` is `undefined`), and none where
 * its language cannot be parsed. Rejects as {@link Syntax.syntaxErrors} does.
 */
export async function addedSyntaxErrors(
  syntax: Pick<Syntax, "syntaxErrors">,
  { before, edit, after }: EditedDocument,
): Promise<readonly SyntaxIssue[]> {
  const errors = await syntax.syntaxErrors(after);
  if (errors.length === 0 || before === undefined) return errors;
  return newSyntaxErrors({ before: await syntax.syntaxErrors(before), edit, after: errors });
}

/** A document before and after an edit. */
export interface EditedDocument {
  /** `undefined` where the document is new. */
  readonly before: CheckedDocument | undefined;
  readonly edit: Edit;
  readonly after: CheckedDocument;
}
