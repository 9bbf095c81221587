import { oneLine } from "../../text/index.ts";
import type { LineAnchor, LineRangeEdit } from "../edit-operation.ts";
import type { NearestLines } from "../refusal.ts";
import type { LineTable } from "./line-table.ts";
import { nameLines, type OperationNormalization, type OperationOutcome, placed, refused } from "./operation-outcome.ts";
import type { WorkingText } from "./working-text.ts";

/**
 * Replaces lines given by line numbers of the snapshot.
 *
 * Where none of the quoted lines matches at its number, the place is moved by up to {@link
 * farthestShift} lines if exactly one place matches all of them and one of them contains a word.
 * Otherwise the operation is refused, also where only some of them match: then one end may be wrong
 * or both. Without quoted lines, the numbers decide.
 *
 * Refused are also lines that are not in the file, an operation that changes nothing, and lines
 * that an earlier operation replaced.
 */
export function placeLines(operation: LineRangeEdit, text: WorkingText): OperationOutcome {
  const { snapshot } = text;
  const outside = rangeRefusal(operation, snapshot);
  if (outside !== undefined) return outside;
  const shift = settleShift(operation, snapshot);
  if (shift === undefined) return disagreement(operation, snapshot);

  const [start, end] = [operation.start + shift, operation.end + shift];
  const isSame =
    operation.lines.length === end - start && operation.lines.every((line, i) => line === snapshot.text(start + i));
  if (isSame && operation.finalNewline === undefined)
    return refused("no-change", `${nameLines(start, end)} would stay the same.`);
  const splice = { start, end, lines: operation.lines };
  if (!text.tryReplaceShown(splice)) {
    return refused("overlap", `${nameLines(start, end)}: an earlier edit of the same answer is there already.`);
  }
  if (operation.finalNewline !== undefined && end === snapshot.count) text.setFinalNewline(operation.finalNewline);
  return placed([splice], shift === 0 ? [] : [moved(operation, shift)]);
}

/** The most lines by which a place is moved. */
export const farthestShift = 8;

function rangeRefusal({ start, end }: LineRangeEdit, { count }: LineTable): OperationOutcome | undefined {
  const has = count === 1 ? "The file has 1 line." : `The file has ${count} lines.`;
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0) {
    return refused("no-such-line", `There is no line ${start + 1}. ${has}`);
  }
  if (end < start)
    return refused("no-such-line", `The range from line ${start + 1} to line ${end} ends before it begins.`);
  if (end > count) return refused("no-such-line", `There is no line ${Math.max(end, start + 1)}. ${has}`);
  return undefined;
}

/**
 * The distance of the place from its number: 0 where the anchors match there, `undefined` where no
 * place is certain.
 */
function settleShift({ start, end, anchors }: LineRangeEdit, snapshot: LineTable): number | undefined {
  const agree = (shift: number): boolean => anchors.every((anchor) => agrees(anchor, anchor.line + shift, snapshot));
  if (agree(0)) return 0;
  if (anchors.some((anchor) => agrees(anchor, anchor.line, snapshot))) return undefined;
  // Blank lines and closers match everywhere.
  if (!anchors.some(({ opening }) => /\w/.test(opening))) return undefined;
  const shifts: number[] = [];
  for (let shift = -farthestShift; shift <= farthestShift; shift++) {
    if (start + shift >= 0 && end + shift <= snapshot.count && agree(shift)) shifts.push(shift);
  }
  return shifts.length === 1 ? shifts[0] : undefined;
}

function agrees({ opening }: LineAnchor, line: number, snapshot: LineTable): boolean {
  if (line < 0 || line >= snapshot.count) return false;
  const [quoted, actual] = [oneLine(opening), oneLine(snapshot.text(line))];
  return quoted === "" ? actual === "" : actual.startsWith(quoted);
}

function disagreement({ anchors }: LineRangeEdit, snapshot: LineTable): OperationOutcome {
  const wrong = anchors.find((anchor) => !agrees(anchor, anchor.line, snapshot))!;
  const actual =
    wrong.line < 0 || wrong.line >= snapshot.count
      ? `the file has ${snapshot.count} lines`
      : `it reads ${JSON.stringify(snapshot.text(wrong.line).trim())}`;
  const message = `Line ${wrong.line + 1} is said to begin with ${JSON.stringify(wrong.opening)}, but ${actual}.`;
  return refused("anchor-mismatch", message, nearestTo(wrong, snapshot));
}

/** The line at the number, and those that begin as quoted, nearest first. */
function nearestTo(anchor: LineAnchor, snapshot: LineTable): readonly NearestLines[] {
  const found: number[] = [];
  if (anchor.line >= 0 && anchor.line < snapshot.count) found.push(anchor.line);
  if (/\w/.test(anchor.opening)) {
    for (let away = 1; away < snapshot.count + Math.abs(anchor.line) && found.length < 3; away++) {
      for (const line of [anchor.line - away, anchor.line + away]) {
        if (found.length < 3 && agrees(anchor, line, snapshot)) found.push(line);
      }
    }
  }
  return found.map((start) => ({ start, lines: [snapshot.text(start)] }));
}

function moved({ start }: LineRangeEdit, shift: number): OperationNormalization {
  const message = `The place is line ${start + shift + 1}, not line ${start + 1}: there the text is as the answer says.`;
  return { kind: "moved", message };
}
