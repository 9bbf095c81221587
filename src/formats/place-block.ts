import { diffSequences } from "../text/index.ts";
import type { BlockAsk } from "./ask.ts";
import { type AskLenience, type AskOutcome, placed, refused } from "./ask-outcome.ts";
import { elidedRow } from "./elided-row.ts";
import { type BlockPlace, type BlockPlaces, findBlock } from "./find-block.ts";
import { indentOf } from "./indent-change.ts";
import { isElision } from "./is-elision.ts";
import { keepTypography } from "./keep-typography.ts";
import { lenienceMessages } from "./lenience-messages.ts";
import { hasWords, withoutIndent } from "./line-keys.ts";
import { listLines, nameLines } from "./name-lines.ts";
import { nearestLines } from "./nearest-lines.ts";
import { tryPlaceElidedBlock } from "./place-elided-block.ts";
import type { LineSplice } from "./placement.ts";
import { behindHeadings, settlePlace } from "./settle-place.ts";
import type { WorkingText } from "./working-text.ts";

/**
 * Puts lines in the place of lines that read as the ask says, see `findBlock` for how leniently.
 *
 * There must be one such place, or something that says which one is meant, see `settlePlace`. Lines that are in both
 * parts of the ask keep the file's own bytes.
 */
export function placeBlock(ask: BlockAsk, { text, path, takesFirst }: BlockTarget): AskOutcome {
  const mayStandForCode = ask.replace.some((line) => isElision(line, path));
  const left = mayStandForCode ? elidedRow(ask.replace, { known: [ask.search, text.texts], path }) : undefined;
  if (left !== undefined) {
    return refused(
      "elided-code",
      `${JSON.stringify(ask.replace[left]!.trim())} stands for code; write the code itself.`,
    );
  }
  if (ask.search.length === 0) return placeNewLines(ask, text);

  const found = findBlock(ask.search, ask.replace, text);
  if (found === undefined) return tryPlaceElidedBlock(ask, text) ?? notFound(ask, text);
  const leniences = lenienceMessages(found.leniences);
  if (ask.isEvery === true) return placeAt(ask, found, apart(found.places), { text, leniences });
  const settled = settlePlace(ask, found, { text, takesFirst });
  if (settled !== undefined) {
    return placeAt(ask, found, [settled.place], { text, leniences: [...leniences, ...settled.leniences] });
  }
  const starts = listLines(found.places.map(({ start }) => start));
  const message = `The lines to replace are there ${found.places.length} times, at lines ${starts}; more lines around them would tell which are meant.`;
  return refused("ambiguous", message, nearestOf(found.places, text));
}

/** The file that a block is put into. */
export interface BlockTarget {
  readonly text: WorkingText;
  readonly path: string;
  /** See `PlaceOptions`. */
  readonly takesFirst?: boolean | undefined;
}

/** Puts lines where nothing is said to stand: in front of a line number, behind headings, or at the file's end. */
function placeNewLines(ask: BlockAsk, text: WorkingText): AskOutcome {
  if (ask.replace.length === 0) return refused("no-change", "The ask has neither lines to replace nor new ones.");
  const behind = behindHeadings(ask.headings ?? [], text);
  if (behind === undefined && ask.headings !== undefined && ask.headings.length > 0) {
    const heading = JSON.stringify(ask.headings.at(-1));
    return refused("not-found", `The lines in front of the place, the last of them ${heading}, are not in the file.`);
  }
  const count = text.count;
  const near = ask.near === undefined ? count : text.numberNow(ask.near);
  if (behind === undefined && !(Number.isSafeInteger(near) && near >= 0 && near <= count)) {
    return refused("no-such-line", `There is no line ${near}. The file has ${count} lines.`);
  }
  const at = ask.isAtEnd === true ? count : (behind ?? near);
  const splices = text.replaceLines([{ start: at, end: at, lines: ask.replace }]);
  if (at === count && ask.finalNewline !== undefined) text.setFinalNewline(ask.finalNewline);
  return placed(splices);
}

/** Puts the new lines in places that were found. */
function placeAt(
  ask: BlockAsk,
  found: BlockPlaces,
  places: readonly BlockPlace[],
  { text, leniences }: { readonly text: WorkingText; readonly leniences: readonly AskLenience[] },
): AskOutcome {
  const reachesEnd = places.some(({ end }) => end === text.count);
  const finalNewline = reachesEnd ? ask.finalNewline : undefined;
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
  return placed(shown, leniences);
}

/** What to do to the lines of a place, or `undefined` where a new line cannot be indented as the file is. */
function splicesAt(
  place: BlockPlace,
  { search, replace }: BlockPlaces,
  text: WorkingText,
): readonly LineSplice[] | undefined {
  const splices: LineSplice[] = [];
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of diffSequences(search, replace)) {
    const isPaired = beforeEnd - beforeStart === afterEnd - afterStart;
    const lines: string[] = [];
    for (const [i, line] of replace.slice(afterStart, afterEnd).entries()) {
      const indent = line.trim() === "" ? "" : place.indent(indentOf(line));
      if (indent === undefined) return undefined;
      const at = isPaired ? place.lines[beforeStart + i] : undefined;
      const own = at === undefined ? undefined : text.textAt(at);
      const code =
        own === undefined ? line : keepTypography(search[beforeStart + i]!.trim(), line.trimStart(), own.trim());
      lines.push(line.trim() === "" ? line : indent + code.trimStart());
    }
    const replaced = place.lines.slice(beforeStart, beforeEnd).filter((line) => line !== undefined);
    // New lines alone stand behind the line in front of them; a blank line that is not there cannot be replaced.
    const before = place.lines.slice(0, beforeStart).findLast((line) => line !== undefined);
    const start = replaced[0] ?? (before === undefined ? place.start : before + 1);
    const end = replaced.length === 0 ? start : replaced.at(-1)! + 1;
    if (end > start || lines.length > 0) splices.push({ start, end, lines });
  }
  return splices;
}

function notFound({ search, replace }: BlockAsk, text: WorkingText): AskOutcome {
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

/** Whether the new lines are in the file, and say something that the old ones do not. */
function isApplied(search: readonly string[], replace: readonly string[], text: WorkingText): boolean {
  const old = new Set(search.map(withoutIndent));
  if (!replace.some((line) => hasWords(line) && !old.has(line.trim()))) return false;
  return text.by(withoutIndent).find(replace.map(withoutIndent)).length > 0;
}

/** The places of which none begins inside one before it. */
function apart(places: readonly BlockPlace[]): readonly BlockPlace[] {
  const kept: BlockPlace[] = [];
  for (const place of places) if (place.start >= (kept.at(-1)?.end ?? 0)) kept.push(place);
  return kept;
}

function nearestOf(places: readonly BlockPlace[], text: WorkingText) {
  return places.slice(0, 3).map(({ start, end }) => ({ start, lines: text.texts.slice(start, end) }));
}
