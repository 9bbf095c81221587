import { isInRange, Lines, minimalEdit, rangesOverlap, type TextRange } from "../../text/index.ts";

/** A file with a change that a plan started from, which a person has edited since. */
export interface EditedStart {
  /** Its text before the plan. */
  readonly start: string;
  /** Its text when the plan stopped. */
  readonly before: string;
  /** Its text now. */
  readonly after: string;
  /** The ranges in `before` of the blocks of open steps. */
  readonly open: readonly TextRange[];
}

/**
 * The first line of `after`, from 0, where a person edited what the plan started from or changed in
 * the same file; `undefined` where all of that is still there. In the block of an open step,
 * further edits are expected, and only a revert counts.
 */
export function startConflict({ start, before, after, open }: EditedStart): number | undefined {
  const edits = minimalEdit(before, after);
  const made = minimalEdit(start, before).invert(start).edits;
  const conflicts = edits.edits.filter(
    (one) => made.some((old) => rangesOverlap(one, old)) && !open.some((block) => isInRange(one, block)),
  );
  // Whole lines: in a line with repeated words, a revert may be aligned with other words.
  const madeLines = minimalEdit(start, before, { unit: "line" }).invert(start).edits;
  const reverted = minimalEdit(before, after, { unit: "line" }).edits.filter((one) =>
    madeLines.some((old) => isInRange(old, one) && restores(one.text, old.text)),
  );
  const offsets = [...conflicts, ...reverted].map((one) => edits.mapOffset(one.start, "before"));
  return offsets.length === 0 ? undefined : Lines.of(after).lineAt(Math.min(...offsets));
}

function restores(text: string, old: string): boolean {
  return old.trim() === "" ? text.trim() === "" : text.includes(old);
}
