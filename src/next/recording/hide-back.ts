import { Edit, type TextEdit, type TextRange } from "../../text/index.ts";
import type { RecordedEvent } from "./recording.ts";

/** What stands in the place of each UTF-16 unit that is hidden. */
const mark = "…";

/**
 * Hides ranges of a file's present text wherever the recording tells of their characters: in the edits that put them in, and in the text that the file began
 * with. A key that was typed letter by letter looks like one only at its end.
 *
 * `indexes` are the events that made the text, the oldest first; those that change are replaced in `events`. Answers the first of them, `undefined` for none.
 * Law: offsets stay true; the text that the events come to is the present one with `…` in the ranges.
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

/** `text` with marks in the ranges. */
export function hideIn(text: string, ranges: readonly TextRange[]): string {
  return Edit.of(ranges.map(({ start, end }) => ({ start, end, text: mark.repeat(end - start) }))).apply(text);
}

/** An edit with the ranges of the text after it hidden in what it inserts, where it does, and the rest of them in the text before it. */
export function hideInEdit(
  edit: Edit,
  ranges: readonly TextRange[],
): { readonly edit?: Edit; readonly before: readonly TextRange[] } {
  const before: TextRange[] = [];
  const edits: TextEdit[] = [];
  let isHidden = false;
  // Survivors between two replacements stand this much further on than before the edit.
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

/** The parts of the ranges that lie in `bounds`. */
function overlaps(ranges: readonly TextRange[], bounds: TextRange): readonly TextRange[] {
  return ranges
    .map(({ start, end }) => ({ start: Math.max(start, bounds.start), end: Math.min(end, bounds.end) }))
    .filter(({ start, end }) => start < end);
}
