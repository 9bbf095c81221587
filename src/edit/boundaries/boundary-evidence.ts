import { type LineAnchor, type LineSplice, wordsOf } from "../../formats/index.ts";
import { oneLine } from "../../text/index.ts";
import type { BoundaryCandidate } from "./boundary-candidates.ts";
import type { AnchoredSplice } from "./boundary-repair.ts";

/**
 * Whether a new line at an edge repeats the line beside it, and that line occurs only once in
 * `lines`, the lines of the file before the change. White space around lines does not count.
 *
 * Only lines with at least `minWords` words count. Frequent lines and lines of brackets alone are
 * often repeated on purpose.
 */
export function hasUniqueRepeatedLine(
  lines: readonly string[],
  { start, end, lines: fresh }: LineSplice,
  minWords: number,
): boolean {
  const isEvidence = (line: string | undefined, neighbour: string | undefined): boolean =>
    line !== undefined &&
    neighbour !== undefined &&
    line.trim() === neighbour.trim() &&
    wordsOf(line).length >= minWords &&
    lines.filter((other) => other.trim() === line.trim()).length === 1;
  return isEvidence(fresh[0], lines[start - 1]) || isEvidence(fresh.at(-1), lines[end]);
}

/**
 * Whether the first or last new line repeats the line beside it in `lines`, the lines of the file
 * before the change, whatever its content. White space around lines does not count.
 */
export function hasRepeatedLine(lines: readonly string[], { start, end, lines: fresh }: LineSplice): boolean {
  const repeats = (line: string | undefined, neighbour: string | undefined): boolean =>
    line !== undefined && neighbour !== undefined && line.trim() === neighbour.trim();
  return repeats(fresh[0], lines[start - 1]) || repeats(fresh.at(-1), lines[end]);
}

/**
 * Whether a line that the splice quotes does not begin, apart from white space, like the line at
 * its number, from 0, in `lines`, or there is none. `false` where nothing is quoted.
 */
export function anchorsDisagree(lines: readonly string[], { anchors = [] }: AnchoredSplice): boolean {
  return anchors.some((anchor) => !agrees(anchor, lines[anchor.line]));
}

/**
 * Whether the lines that `splice` quotes are where `candidate` needs them. Leaving out a repeated
 * line counts as including it in the range.
 *
 * The first anchor belongs to the start, the last of several to the end; a single anchor of a
 * one-line range belongs to both, since a longer range would quote more. An end whose anchor
 * matches at its number stays, unless both ends move together.
 */
export function agreesWithAnchors(
  lines: readonly string[],
  { start, end, anchors = [] }: AnchoredSplice,
  { startMove, endMove, leftOutFirst, leftOutLast }: BoundaryCandidate,
): boolean {
  const [first, last] = [startMove - leftOutFirst, endMove + leftOutLast];
  if (start < end && start + first >= end + last) return false;
  if (anchors.length === 1 && end - start === 1 && first !== last) return false;
  return anchors.every((anchor, at) => {
    const isOfEnd = at > 0 && at === anchors.length - 1;
    const [move, other] = isOfEnd ? [last, first] : [first, last];
    if (agrees(anchor, lines[anchor.line]) && move !== 0 && move !== other) return false;
    return agrees(anchor, lines[anchor.line + move]);
  });
}

function agrees({ opening }: LineAnchor, line: string | undefined): boolean {
  if (line === undefined) return false;
  const quoted = oneLine(opening);
  return quoted === "" ? line.trim() === "" : oneLine(line).startsWith(quoted);
}
