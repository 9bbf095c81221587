import type { SyntaxIssue } from "../syntax/index.ts";
import type { Edit } from "../text/index.ts";

/** What is wrong with a text, before and after an edit of it. */
export interface ErrorsAround {
  readonly before: readonly SyntaxIssue[];
  readonly edit: Edit;
  readonly after: readonly SyntaxIssue[];
}

/**
 * The errors that the edit adds, in the order of the text.
 *
 * An error that was there before counts as known where it stands now. Of the others, those that touch new text are new.
 * Elsewhere parsers find other words for an old error once they read what is in front of it otherwise: there only so
 * many are new as the text has errors more than before.
 */
export function newErrors({ before, edit, after }: ErrorsAround): readonly SyntaxIssue[] {
  // Text inserted right at an error, such as one at the end of the file, may come to stand before or behind it.
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
