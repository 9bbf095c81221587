import type { NextEditContext } from "../next-edit-provider.ts";
import { textBefore } from "../past-text.ts";

/** The text of a file before the recent edits, and the present one. */
export interface PastChange {
  readonly before: string;
  readonly after: string;
}

/**
 * The length, in UTF-16 units, up to which the consequences of edits are looked up in types: each
 * request reads the text several times, and 100,000 units take some 20 milliseconds each time.
 */
export const maxTypedCharacters = 250_000;

/**
 * Returns the joint effect of the edits of a request's history, by path. Left out are files whose
 * text is the same as before and those longer than {@link maxTypedCharacters}.
 */
export function pastChanges({
  history,
  files,
}: Pick<NextEditContext, "history" | "files">): ReadonlyMap<string, PastChange> {
  const changes = new Map<string, PastChange>();
  for (const path of new Set(history.map((edit) => edit.path))) {
    const after = files.textOf(path);
    if (after === undefined || after.length > maxTypedCharacters) continue;
    const before = textBefore(path, after, history);
    if (before !== after) changes.set(path, { before, after });
  }
  return changes;
}
