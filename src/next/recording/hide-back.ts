import { Edit, type TextEdit, type TextRange } from "../../text/index.ts";
import type { RecordedEvent } from "./recording.ts";

/** The replacement of each hidden UTF-16 unit. */
const mark = "…";

/**
 * Hides ranges of a file's present text in all events that contain their characters: the edits that
 * inserted them and the text that the file began with. A key typed letter by letter is recognized
 * only at its end.
 *
 * `indexes` are the events that made the text, the oldest first; changed ones are replaced in
 * `events`. Returns the index of the first changed event, or `undefined` where none changed. Law:
 * offsets stay valid; the events produce the present text with `…` in the ranges.
 */
export function hideBack(
  events: RecordedEvent[],
  indexes: readonly number[],
  ranges: readonly TextRange[],
): number | undefined {
  let left: readonly TextRange[] = ranges.filter(({ start, end }) => start < end);
  let first: number | undefined;
  for (const index of indexes.toReversed()) {
    if (left.length === 0) break;
    const event = events[index]!;
    if (event.kind === "changed") {
      const { edit, before } = hideInEdit(event.edit, left);
      left = before;
      if (edit === undefined) continue;
      events[index] = { ...event, edit };
      first = index;
    } else if ((event.kind === "opened" || event.kind === "replaced") && event.text !== undefined) {
      events[index] = { ...event, text: hideIn(event.text, left) };
      return index;
    }
  }
  return first;
}

/** Returns `text` with each UTF-16 unit of the ranges replaced by `…`. */
export function hideIn(text: string, ranges: readonly TextRange[]): string {
  return Edit.of(ranges.map(({ start, end }) => ({ start, end, text: mark.repeat(end - start) }))).apply(text);
}

/**
 * Hides ranges of the text after an edit. `edit` is the edit with its inserted text hidden, absent
 * where it inserted none of them; `before` are the remaining ranges in the text before the edit.
 */
export function hideInEdit(
  edit: Edit,
  ranges: readonly TextRange[],
): { readonly edit?: Edit; readonly before: readonly TextRange[] } {
  const before: TextRange[] = [];
  const edits: TextEdit[] = [];
  let isHidden = false;
  // The offset of the text between two replacements, compared with the text before.
  let shift = 0;
  let survivors = 0;
  const takeSurvivors = (end: number) => {
    for (const range of overlaps(ranges, { start: survivors, end }))
      before.push({ start: range.start - shift, end: range.end - shift });
  };
  for (const [index, after] of edit.rangesAfter().entries()) {
    takeSurvivors(after.start);
    const part = edit.edits[index]!;
    const hidden = overlaps(ranges, after).map(({ start, end }) => ({
      start: start - after.start,
      end: end - after.start,
    }));
    isHidden ||= hidden.length > 0;
    edits.push({ ...part, text: hideIn(part.text, hidden) });
    shift += part.text.length - (part.end - part.start);
    survivors = after.end;
  }
  takeSurvivors(Number.POSITIVE_INFINITY);
  return { ...(isHidden && { edit: Edit.of(edits) }), before };
}

/** The parts of the ranges within `bounds`. */
function overlaps(ranges: readonly TextRange[], bounds: TextRange): readonly TextRange[] {
  return ranges
    .map(({ start, end }) => ({ start: Math.max(start, bounds.start), end: Math.min(end, bounds.end) }))
    .filter(({ start, end }) => start < end);
}
