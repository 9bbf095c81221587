import type { LinesAsk, Witness } from "./ask.ts";
import { type AskLenience, type AskOutcome, placed, refused } from "./ask-outcome.ts";
import type { LineTable } from "./line-table.ts";
import { nameLines } from "./name-lines.ts";
import type { NearestLines } from "./refusal.ts";
import type { WorkingText } from "./working-text.ts";

/**
 * Puts lines in the place that an ask gives by line numbers of the snapshot.
 *
 * Where none of the witnesses agrees with the numbers, the place is moved by up to {@link farthestShift} lines if there is
 * one place alone with which all of them agree; otherwise the ask is refused. So it is where some of them agree: then
 * one end may be missed as well as both.
 */
export function placeLines(ask: LinesAsk, text: WorkingText): AskOutcome {
  const { snapshot } = text;
  const outside = rangeRefusal(ask, snapshot);
  if (outside !== undefined) return outside;
  const shift = settleShift(ask, snapshot);
  if (shift === undefined) return disagreement(ask, snapshot);

  const [start, end] = [ask.start + shift, ask.end + shift];
  const isSame = ask.lines.length === end - start && ask.lines.every((line, i) => line === snapshot.text(start + i));
  if (isSame && ask.finalNewline === undefined)
    return refused("no-change", `${nameLines(start, end)} would stay the same.`);
  const splice = { start, end, lines: ask.lines };
  if (!text.tryReplaceShown(splice)) {
    return refused("overlap", `${nameLines(start, end)}: an earlier edit of the same answer is there already.`);
  }
  if (ask.finalNewline !== undefined && end === snapshot.count) text.setFinalNewline(ask.finalNewline);
  return placed([splice], shift === 0 ? [] : [moved(ask, shift)]);
}

/** How many lines the place may be away from its number. */
export const farthestShift = 8;

function rangeRefusal({ start, end }: LinesAsk, { count }: LineTable): AskOutcome | undefined {
  const has = count === 1 ? "The file has 1 line." : `The file has ${count} lines.`;
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0) {
    return refused("no-such-line", `There is no line ${start + 1}. ${has}`);
  }
  if (end < start)
    return refused("no-such-line", `The range from line ${start + 1} to line ${end} ends before it begins.`);
  if (end > count) return refused("no-such-line", `There is no line ${Math.max(end, start + 1)}. ${has}`);
  return undefined;
}

/** How far the place is from its number; 0 where the witnesses agree with it, `undefined` where no place is sure. */
function settleShift({ start, end, witnesses }: LinesAsk, snapshot: LineTable): number | undefined {
  const agree = (shift: number): boolean =>
    witnesses.every((witness) => agrees(witness, witness.line + shift, snapshot));
  if (agree(0)) return 0;
  if (witnesses.some((witness) => agrees(witness, witness.line, snapshot))) return undefined;
  // Blank lines and closers are everywhere.
  if (!witnesses.some(({ opening }) => /\w/.test(opening))) return undefined;
  const shifts: number[] = [];
  for (let shift = -farthestShift; shift <= farthestShift; shift++) {
    if (start + shift >= 0 && end + shift <= snapshot.count && agree(shift)) shifts.push(shift);
  }
  return shifts.length === 1 ? shifts[0] : undefined;
}

function agrees({ opening }: Witness, line: number, snapshot: LineTable): boolean {
  if (line < 0 || line >= snapshot.count) return false;
  const [said, there] = [folded(opening), folded(snapshot.text(line))];
  return said === "" ? there === "" : there.startsWith(said);
}

function folded(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}

function disagreement({ witnesses }: LinesAsk, snapshot: LineTable): AskOutcome {
  const wrong = witnesses.find((witness) => !agrees(witness, witness.line, snapshot))!;
  const there =
    wrong.line < 0 || wrong.line >= snapshot.count
      ? `the file has ${snapshot.count} lines`
      : `it reads ${JSON.stringify(snapshot.text(wrong.line).trim())}`;
  const message = `Line ${wrong.line + 1} is said to begin with ${JSON.stringify(wrong.opening)}, but ${there}.`;
  return refused("witness-disagrees", message, nearestTo(wrong, snapshot));
}

/** The line at the number, and those which begin as the witness says, nearest first. */
function nearestTo(witness: Witness, snapshot: LineTable): readonly NearestLines[] {
  const found: number[] = [];
  if (witness.line >= 0 && witness.line < snapshot.count) found.push(witness.line);
  if (/\w/.test(witness.opening)) {
    for (let away = 1; away < snapshot.count + Math.abs(witness.line) && found.length < 3; away++) {
      for (const line of [witness.line - away, witness.line + away]) {
        if (found.length < 3 && agrees(witness, line, snapshot)) found.push(line);
      }
    }
  }
  return found.map((start) => ({ start, lines: [snapshot.text(start)] }));
}

function moved({ start }: LinesAsk, shift: number): AskLenience {
  const message = `The place is line ${start + shift + 1}, not line ${start + 1}: there the text is as the answer says.`;
  return { kind: "moved", message };
}
