import type { SyntaxIssue } from "../../syntax/index.ts";
import type { Edit } from "../../text/index.ts";

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
export function newErrors({ before, edit, after }: ErrorsAround): readonly SyntaxIssue[] {
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
