import { minimalEdit } from "../../../src/text/index.ts";
import type { Replacement } from "./as-ghost-text.ts";

/**
 * A part of an edit as it is drawn into the text: what goes is struck, what comes is behind it.
 * Offsets are of the text.
 */
export interface DrawnPart {
  readonly start: number;
  readonly end: number;
  /** One line of what comes; empty where something only goes. */
  readonly shown: string;
  /** How many lines of what comes are not shown. */
  readonly hiddenLines: number;
}

/**
 * An edit as an editor can draw it by decorations, which take no room of their own: word by word
 * where a line changes, and of what has several lines the first with something in it.
 */
export function drawnParts(
  text: string,
  edits: readonly Replacement[],
  offsetAt: (place: Replacement["range"]["start"]) => number,
): readonly DrawnPart[] {
  return edits.flatMap(({ range, newText }) => {
    const start = offsetAt(range.start);
    const before = text.slice(start, offsetAt(range.end));
    return minimalEdit(before, newText).edits.map((part) => {
      const lines = part.text.split(/\r?\n/).filter((line) => line.trim() !== "");
      const [first = "", ...others] = lines;
      const shown = lines.length > 1 ? first.trimEnd() : part.text.replace(/\r?\n/g, "");
      return { start: start + part.start, end: start + part.end, shown, hiddenLines: others.length };
    });
  });
}
