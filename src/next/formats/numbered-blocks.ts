import type { WindowLines } from "./window-lines.ts";

/** Returns the marker with this number, from 1. */
export function blockMark(number: number): string {
  return `${blockMarkStart}${number}|>`;
}

/** The start of each marker. */
export const blockMarkStart = "<|marker_";

/**
 * Returns the line indexes of a window, from 0, that have a marker in front: the first line, the
 * first line of each block, and the end. A block begins after a blank line, or where the one before
 * becomes long, at a line that begins a construct rather than ends one.
 *
 * Source: `compute_marker_offsets_v0318` in `multi_region.rs` of zed-industries/zed, crate
 * `zeta_prompt`; the limits are those the model was trained with.
 */
export function blockBorders({
  lines,
  endsBehindLastBreak,
}: Pick<WindowLines, "lines" | "endsBehindLastBreak">): readonly number[] {
  const shown = endsBehindLastBreak ? lines.slice(0, -1) : lines;
  const borders = [0];
  for (let line = 1; line < shown.length; line++) {
    const length = line - borders.at(-1)!;
    const start = firstBeginning(shown, line);
    const isBehindBlank = !isBlank(shown[line]!) && isBlank(shown[line - 1]!);
    const isBorder = isBehindBlank && length >= minLines && shown.length - start >= minLines;
    if (!isBorder && length < maxLines) continue;
    borders.push(start);
    line = start;
  }
  return [...borders, lines.length];
}

const minLines = 6;
const maxLines = 16;

/**
 * The first of the next few lines from `from` on that begins a construct; `from` itself if none
 * does.
 */
function firstBeginning(lines: readonly string[], from: number): number {
  const found = lines.slice(from, from + maxPassed).findIndex((line) => !isBlank(line) && !endsSomething(line.trim()));
  return from + Math.max(0, found);
}

const maxPassed = 5;

function isBlank(line: string): boolean {
  return line.trim() === "";
}

function endsSomething(line: string): boolean {
  return /^[\])}]/.test(line) || /^(?:break|continue|return|throw|end);*$/.test(line);
}
