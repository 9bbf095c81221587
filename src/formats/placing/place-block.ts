import { diffSequences } from "../../text/index.ts";
import type { BlockEdit } from "../edit-operation.ts";
import { elidedRow, isElision } from "../reading/is-elision.ts";
import { type BlockPlace, type BlockPlaces, findBlock, placesWithoutWords } from "./find-block.ts";
import { findHunk } from "./find-hunk.ts";
import { indentOf } from "./indent-change.ts";
import { keepTypography } from "./keep-typography.ts";
import { hasWords, withoutEndBlanks, withoutIndent } from "./line-keys.ts";
import { nearestLines } from "./nearest-lines.ts";
import {
  listLines,
  nameLines,
  normalizationMessages,
  type OperationNormalization,
  type OperationOutcome,
  placed,
  refused,
} from "./operation-outcome.ts";
import type { LineSplice } from "./placement.ts";
import { behindHeadings, settlePlace } from "./settle-place.ts";
import type { WorkingText } from "./working-text.ts";

/**
 * Replaces lines of the file that match the search lines of the operation; see `findBlock` for
 * lenient matches. Without search lines, it inserts the new ones.
 *
 * There must be one such place, or something that selects one, see `settlePlace`; with `isEvery`,
 * all of them are replaced. Lines in both sides of the operation keep the file's own bytes. Other
 * cases are refused and change nothing, and so is a new text with an elision row.
 */
export function placeBlock(operation: BlockEdit, target: BlockTarget): OperationOutcome {
  const { text, path, takesFirst } = target;
  if (operation.otherReadings !== undefined) return placeReading(operation, operation.otherReadings, target);
  const mayReplaceCode = operation.replace.some((line) => isElision(line, path));
  const left = mayReplaceCode
    ? elidedRow(operation.replace, { known: [operation.search, text.texts], path })
    : undefined;
  if (left !== undefined) {
    return refused(
      "elided-code",
      `${JSON.stringify(operation.replace[left]!.trim())} stands for code; write the code itself.`,
    );
  }
  if (operation.search.length === 0) return placeNewLines(operation, text);

  const found =
    operation.rows === undefined
      ? findBlock(operation.search, operation.replace, text)
      : findHunk(operation.rows, text);
  if (found === undefined)
    return tryPlaceElidedBlock(operation, text) ?? wordless(operation, text) ?? notFound(operation, text);
  const normalizations = normalizationMessages(found.normalizations);
  if (operation.isEvery === true) return placeAt(operation, found, apart(found.places), { text, normalizations });
  const settled = settlePlace(operation, found, { text, takesFirst });
  if (settled !== undefined) {
    if (found.places.length === 1 && Number.isSafeInteger(operation.near)) {
      text.numberShift = settled.place.start - text.numberNow(operation.near!);
    }
    return placeAt(operation, found, [settled.place], {
      text,
      normalizations: [...normalizations, ...settled.normalizations],
    });
  }
  const starts = listLines(found.places.map(({ start }) => start));
  const message = `The lines to replace are there ${found.places.length} times, at lines ${starts}; more lines around them would tell which are meant.`;
  return refused("ambiguous", message, nearestOf(found.places, text));
}

/** Refuses lines without any word that are in the file with other white space. */
function wordless({ search }: BlockEdit, text: WorkingText): OperationOutcome | undefined {
  const places = placesWithoutWords(search, text);
  if (places.length === 0) return undefined;
  const starts = listLines(places.map(({ start }) => start));
  const message = `The lines to replace have no word, and are there with other white space, at ${places.length === 1 ? "line" : "lines"} ${starts}; more lines around them would tell which are meant.`;
  return refused("ambiguous", message, nearestOf(places, text));
}

/** The file that a block is applied to. */
export interface BlockTarget {
  readonly text: WorkingText;
  readonly path: string;
  /** See `PlaceOptions`. */
  readonly takesFirst?: boolean | undefined;
}

/**
 * Applies the reading of an ambiguous block whose lines are in the file. One reading's lines begin
 * with those of another, so the longest one is used.
 */
function placeReading(
  { otherReadings: _, ...operation }: BlockEdit,
  { others, message }: NonNullable<BlockEdit["otherReadings"]>,
  target: BlockTarget,
): OperationOutcome {
  const readings = [operation, ...others.map((reading) => ({ ...operation, ...reading }))];
  const found = readings.findLast(({ search, replace }) => findBlock(search, replace, target.text) !== undefined);
  if (found === undefined) return refused("unreadable-row", message);
  const outcome = placeBlock(found, target);
  if (outcome.kind === "refused") return outcome;
  const normalization = {
    kind: "marks",
    message: `${message} It was read in the one way that fits the file.`,
  } as const;
  return placed(outcome.splices, [...outcome.normalizations, normalization]);
}

/**
 * Inserts lines without old ones: before a line number, after headings, or at the end of the file.
 */
function placeNewLines(operation: BlockEdit, text: WorkingText): OperationOutcome {
  if (operation.replace.length === 0) return refused("no-change", "The ask has neither lines to replace nor new ones.");
  // With a line number, a heading belongs to the lines around it, which are unknown.
  const behind = operation.near === undefined ? behindHeadings(operation.headings ?? [], text) : undefined;
  if (
    operation.near === undefined &&
    behind === undefined &&
    operation.headings !== undefined &&
    operation.headings.length > 0
  ) {
    const heading = JSON.stringify(operation.headings.at(-1));
    return refused("not-found", `The lines in front of the place, the last of them ${heading}, are not in the file.`);
  }
  const count = text.count;
  const near = operation.near === undefined ? count : text.numberNow(operation.near);
  if (behind === undefined && !(Number.isSafeInteger(near) && near >= 0 && near <= count)) {
    return refused("no-such-line", `There is no line ${near}. The file has ${count} lines.`);
  }
  if (operation.near !== undefined && isBelow(operation.headings ?? [], near, text)) {
    const heading = JSON.stringify(operation.headings!.at(-1));
    return refused("not-found", `Line ${near}, behind which the new lines are to stand, is not below ${heading}.`);
  }
  const at = operation.isAtEnd === true ? count : (behind ?? near);
  const splices = text.replaceLines([{ start: at, end: at, lines: operation.replace }]);
  if (at === count && operation.finalNewline !== undefined) text.setFinalNewline(operation.finalNewline);
  return placed(splices);
}

/** Whether a heading is in the file, and only from line `near` on. */
function isBelow(headings: readonly string[], near: number, text: WorkingText): boolean {
  const behind = behindHeadings(headings, text);
  return behind !== undefined && behind > near;
}

/** Applies the new lines in the given places. */
function placeAt(
  operation: BlockEdit,
  found: BlockPlaces,
  places: readonly BlockPlace[],
  { text, normalizations }: { readonly text: WorkingText; readonly normalizations: readonly OperationNormalization[] },
): OperationOutcome {
  const unclear = places.find(({ isIndentUnclear }) => isIndentUnclear === true);
  if (unclear !== undefined) {
    const where = nameLines(unclear.start, unclear.end);
    const message = `${where}: the rows that are quoted have other blanks in front than the lines of the file, so that the indentation of the new lines is not sure. Quote the lines as the file has them.`;
    return refused("ambiguous", message, nearestOf([unclear], text));
  }
  const reachesEnd = places.some(({ end }) => end === text.count);
  const finalNewline = reachesEnd ? operation.finalNewline : undefined;
  const splices = places.map((place) => splicesAt(place, found, text));
  if (splices.some((list) => list === undefined)) {
    return refused("not-found", "The lines to replace are there, indented so that the new ones would not fit.");
  }
  const all = splices.flatMap((list) => list!);
  if (all.length === 0 && finalNewline === undefined) {
    return refused("no-change", `${nameLines(places[0]!.start, places[0]!.end)} would stay the same.`);
  }
  const shown = text.replaceLines(all);
  if (finalNewline !== undefined) text.setFinalNewline(finalNewline);
  return placed(shown, normalizations);
}

/** The changes at a place; `undefined` where a new line cannot be indented like the file. */
function splicesAt(
  place: BlockPlace,
  { search, replace, changes = diffSequences(search, replace) }: BlockPlaces,
  text: WorkingText,
): readonly LineSplice[] | undefined {
  const splices: LineSplice[] = [];
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of changes) {
    const lines: string[] = [];
    const own = place.lines.slice(beforeStart, beforeEnd).map((at) => (at === undefined ? at : text.textAt(at).trim()));
    const after = replace.slice(afterStart, afterEnd);
    const code = keepTypography(
      search.slice(beforeStart, beforeEnd).map((line) => line.trim()),
      after.map((line) => line.trimStart()),
      own,
    );
    for (const [i, line] of after.entries()) {
      const indent = line.trim() === "" ? "" : place.indent(indentOf(line));
      if (indent === undefined) return undefined;
      lines.push(line.trim() === "" ? line : indent + code[i]!.trimStart());
    }
    const replaced = place.lines.slice(beforeStart, beforeEnd).filter((line) => line !== undefined);
    // Pure insertions follow the previous line; a blank line that the file lacks cannot be
    // replaced.
    const before = place.lines.slice(0, beforeStart).findLast((line) => line !== undefined);
    const start = replaced[0] ?? (before === undefined ? place.start : before + 1);
    const end = replaced.length === 0 ? start : replaced.at(-1)! + 1;
    if (end > start || lines.length > 0) splices.push({ start, end, lines });
  }
  return splices;
}

function notFound({ search, replace }: BlockEdit, text: WorkingText): OperationOutcome {
  const nearest = nearestLines(search, text.texts, text.words);
  if (isApplied(search, replace, text)) {
    return refused("already-applied", "The lines to replace are not in the file, but the new ones are.", nearest);
  }
  const [first] = nearest;
  const hint =
    first === undefined
      ? ""
      : ` ${nameLines(first.start, first.start + first.lines.length)} ${first.lines.length === 1 ? "is" : "are"} most like them.`;
  return refused("not-found", `The lines to replace are not in the file.${hint}`, nearest);
}

/** Whether the new lines are in the file and contain something that the old ones do not. */
function isApplied(search: readonly string[], replace: readonly string[], text: WorkingText): boolean {
  const old = new Set(search.map(withoutIndent));
  if (!replace.some((line) => hasWords(line) && !old.has(line.trim()))) return false;
  return text.by(withoutIndent).find(replace.map(withoutIndent)).length > 0;
}

/** The places that do not overlap an earlier one. */
function apart(places: readonly BlockPlace[]): readonly BlockPlace[] {
  const kept: BlockPlace[] = [];
  for (const place of places) if (place.start >= (kept.at(-1)?.end ?? 0)) kept.push(place);
  return kept;
}

function nearestOf(places: readonly BlockPlace[], text: WorkingText) {
  return places.slice(0, 3).map(({ start, end }) => ({ start, lines: text.texts.slice(start, end) }));
}

/**
 * Resolves a block in which rows of dots represent unchanged lines; both sides of the operation
 * need equally many.
 *
 * Each piece between dots must occur once in the file, after the previous piece. Returns
 * `undefined` where the block is of another kind, or a piece has no unique place. Follows the
 * dialect of aider.
 */
function tryPlaceElidedBlock({ search, replace }: BlockEdit, text: WorkingText): OperationOutcome | undefined {
  const before = pieces(search);
  const after = pieces(replace);
  if (before.length < 2 || before.length !== after.length) return undefined;
  const splices: LineSplice[] = [];
  let from = 0;
  for (const [i, piece] of before.entries()) {
    if (piece.length === 0) {
      if (after[i]!.length > 0) return undefined;
      continue;
    }
    const [start, ...others] = text.by(withoutEndBlanks).find(piece.map(withoutEndBlanks));
    if (start === undefined || others.length > 0 || start < from) return undefined;
    for (const change of diffSequences(piece, after[i]!)) {
      const put = after[i]!.slice(change.afterStart, change.afterEnd);
      splices.push({ start: start + change.beforeStart, end: start + change.beforeEnd, lines: put });
    }
    from = start + piece.length;
  }
  if (splices.length === 0) return undefined;
  return placed(text.replaceLines(splices), normalizationMessages(["elision"]));
}

/** The lines between rows of dots. */
function pieces(lines: readonly string[]): readonly (readonly string[])[] {
  const found: string[][] = [[]];
  for (const line of lines) {
    if (isElision(line)) found.push([]);
    else found.at(-1)!.push(line);
  }
  return found;
}
