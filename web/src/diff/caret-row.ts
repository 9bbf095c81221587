import type { DiffHunk, FileDiff } from "./file-diff.ts";

/** A row of a file's diff. */
export interface RowPlace {
  readonly hunk: number;
  readonly row: number;
}

/**
 * The row that the model is writing, when `writtenLines` lines of the new text exist: the last
 * inserted row among them. `undefined` if the diff has no such row.
 */
export function tryCaretRow({ hunks }: Pick<FileDiff, "hunks">, writtenLines: number): RowPlace | undefined {
  let found: RowPlace | undefined;
  for (const [hunk, { rows }] of hunks.entries()) {
    for (const [row, { kind, after }] of rows.entries()) {
      if (after === undefined) continue;
      if (after > writtenLines) return found;
      if (kind === "insert") found = { hunk, row };
    }
  }
  return found;
}

/** A part of a diff: rows `[start, end)` of a hunk. */
export interface ShownRows {
  readonly hunk: number;
  readonly start: number;
  readonly end: number;
}

/**
 * At most `most` rows of a diff, around `place` or else from the start, in the order of the hunks.
 */
export function rowsAround(hunks: readonly DiffHunk[], most: number, place?: RowPlace): readonly ShownRows[] {
  const sizes = hunks.map(({ rows }) => rows.length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const before = sizes.slice(0, place?.hunk ?? 0).reduce((sum, size) => sum + size, 0);
  // Two thirds of the rows are before the place, because the written text matters most.
  const wanted = place === undefined ? 0 : before + place.row + 1 - Math.ceil((most * 2) / 3);
  const first = Math.max(0, Math.min(wanted, total - most));
  const last = first + most;
  let passed = 0;
  return sizes.flatMap((size, hunk) => {
    const start = Math.max(0, first - passed);
    const end = Math.min(size, last - passed);
    passed += size;
    return start < end ? [{ hunk, start, end }] : [];
  });
}
