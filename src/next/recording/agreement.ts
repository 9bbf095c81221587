import type { Edit, TextRange } from "../../text/index.ts";
import type { NextEditSuggestion } from "../engine/outcome.ts";
import type { RecordedEvent } from "./recording.ts";

/**
 * How far a suggestion agrees with the edits that a recording contains after it.
 *
 * `exact`: at some later time its lines have exactly the suggested text. `place`: its lines were
 * edited, but never had that text; a suggestion without an edit can agree no better. `elsewhere`:
 * only other edits followed. `unknown`: no edits followed.
 */
export type Agreement = "exact" | "place" | "elsewhere" | "unknown";

/** The most later edits that are compared: those after them may have another cause. */
export const maxEditsAfter = 300;

/**
 * Compares a suggestion with the events after it, up to 300 edits. `exact`: at some later time its
 * lines have the suggested text. `place`: they were edited, but never had it. `elsewhere`: only
 * other edits followed. `unknown`: none did. Stops where the file is removed or replaced other than
 * by edits, as by a checkout.
 */
export function agreementOf(
  suggestion: Pick<NextEditSuggestion, "path" | "text" | "edit" | "place">,
  rest: Iterable<RecordedEvent>,
): Agreement {
  let { path, text } = suggestion;
  const lines = linesAround(text, suggestion.edit === undefined ? suggestion.place : suggestion.edit.span);
  const wanted = suggestion.edit && wantedIn(text, lines, suggestion.edit);
  // Text inserted right at either end may belong to the lines or not.
  let starts: readonly number[] = [lines.start];
  let ends: readonly number[] = [lines.end];
  let isTouched = false;
  let edits = 0;
  for (const event of rest) {
    if (event.kind === "changed") edits += 1;
    if (edits > maxEditsAfter) break;
    if (event.kind === "renamed" && event.path === path) path = event.newPath;
    if (event.kind === "removed" && event.path === path) break;
    if (event.kind === "replaced" && (event.path === undefined || event.path === path)) break;
    if (event.kind !== "changed" || event.path !== path) continue;
    const { edit } = event;
    const widest = { start: Math.min(...starts), end: Math.max(...ends) };
    isTouched ||= edit.edits.some((part) => touches(part, widest, text));
    text = edit.apply(text);
    starts = bothSides(starts, edit);
    ends = bothSides(ends, edit);
    if (wanted === undefined) continue;
    if (starts.some((start) => ends.some((end) => start <= end && text.slice(start, end) === wanted))) return "exact";
  }
  return isTouched ? "place" : edits > 0 ? "elsewhere" : "unknown";
}

/** The whole lines of a range, with the last line break. */
function linesAround(text: string, { start, end }: TextRange): TextRange {
  const next = text.indexOf("\n", Math.max(start, end - 1));
  return { start: text.lastIndexOf("\n", start - 1) + 1, end: next < 0 ? text.length : next + 1 };
}

/** The text of the lines after the edit. */
function wantedIn(text: string, { start, end }: TextRange, edit: Edit): string {
  const after = edit.apply(text);
  return after.slice(start, after.length - (text.length - end));
}

/** Whether a change concerns these lines: an insertion behind their last line break does not. */
function touches({ start, end }: TextRange, lines: TextRange, text: string): boolean {
  const isBefore = start === end ? end < lines.start : end <= lines.start;
  return !isBefore && (start < lines.end || (start === lines.end && text[lines.end - 1] !== "\n"));
}

function bothSides(offsets: readonly number[], edit: Edit): readonly number[] {
  return [...new Set(offsets.flatMap((offset) => [edit.mapOffset(offset, "before"), edit.mapOffset(offset, "after")]))];
}
