import { type LineSplice, type Witness, wordsOf } from "../formats/index.ts";
import type { BoundaryCandidate } from "./boundary-candidates.ts";
import type { WitnessedSplice } from "./boundary-repair.ts";

/**
 * Whether a new line at an edge repeats the line beside it although that line stands nowhere else in the file.
 *
 * `minWords` is how many words the line must have at least. Lines that come again and again, and those of brackets
 * alone, are repeated for good reasons too.
 */
export function hasTellingEcho(
  lines: readonly string[],
  { start, end, lines: fresh }: LineSplice,
  minWords: number,
): boolean {
  const tells = (line: string | undefined, neighbour: string | undefined): boolean =>
    line !== undefined &&
    neighbour !== undefined &&
    line.trim() === neighbour.trim() &&
    wordsOf(line).length >= minWords &&
    lines.filter((other) => other.trim() === line.trim()).length === 1;
  return tells(fresh[0], lines[start - 1]) || tells(fresh.at(-1), lines[end]);
}

/** Whether a new line at an edge repeats the line beside it, whatever it says. */
export function hasEcho(lines: readonly string[], { start, end, lines: fresh }: LineSplice): boolean {
  const repeats = (line: string | undefined, neighbour: string | undefined): boolean =>
    line !== undefined && neighbour !== undefined && line.trim() === neighbour.trim();
  return repeats(fresh[0], lines[start - 1]) || repeats(fresh.at(-1), lines[end]);
}

/** Whether a line that `splice` quotes is another than the one at its number. */
export function witnessesDisagree(lines: readonly string[], { witnesses = [] }: WitnessedSplice): boolean {
  return witnesses.some((witness) => !agrees(witness, lines[witness.line]));
}

/**
 * Whether the lines that `splice` quotes stand where they should for `candidate`. To leave out a repeated line is to
 * have it in the range.
 *
 * The first witness is of the start, the last of several of the end; a single one of a single line is of both, since more
 * would be quoted of a longer range. An end whose witness stands at its number stays, unless both move together.
 */
export function agreesWithWitnesses(
  lines: readonly string[],
  { start, end, witnesses = [] }: WitnessedSplice,
  { startMove, endMove, leftOutFirst, leftOutLast }: BoundaryCandidate,
): boolean {
  const [first, last] = [startMove - leftOutFirst, endMove + leftOutLast];
  if (start < end && start + first >= end + last) return false;
  if (witnesses.length === 1 && end - start === 1 && first !== last) return false;
  return witnesses.every((witness, at) => {
    const isOfEnd = at > 0 && at === witnesses.length - 1;
    const [move, other] = isOfEnd ? [last, first] : [first, last];
    if (agrees(witness, lines[witness.line]) && move !== 0 && move !== other) return false;
    return agrees(witness, lines[witness.line + move]);
  });
}

function agrees({ opening }: Witness, line: string | undefined): boolean {
  if (line === undefined) return false;
  const said = folded(opening);
  return said === "" ? line.trim() === "" : folded(line).startsWith(said);
}

function folded(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}
