import type { Moment } from "../next-edit-source.ts";
import { textBefore } from "../past-text.ts";

/** A file before what was edited lately, and now. */
export interface PastChange {
  readonly before: string;
  readonly after: string;
}

/** What the edits of a moment's history come to, by file; files that are as they were are left out. */
export function pastChanges({ history, files }: Pick<Moment, "history" | "files">): ReadonlyMap<string, PastChange> {
  const changes = new Map<string, PastChange>();
  for (const path of new Set(history.map((edit) => edit.path))) {
    const after = files.textOf(path);
    if (after === undefined) continue;
    const before = textBefore(path, after, history);
    if (before !== after) changes.set(path, { before, after });
  }
  return changes;
}
