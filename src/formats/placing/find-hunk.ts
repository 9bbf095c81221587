import { diffSequences, type SequenceChange } from "../../text/index.ts";
import { type BlockPlace, type BlockPlaces, differences, findBlock, straightened } from "./find-block.ts";
import { type HunkRow, newLines, oldLines } from "./hunk-rows.ts";
import { type IndentChange, indentOf, tryIndentChange } from "./indent-change.ts";
import { hasWords, type LineKey, withFoldedBlanks, withPlainCharacters, withPlainTypography } from "./line-keys.ts";
import type { WorkingText } from "./working-text.ts";

/**
 * Searches the lines of a hunk as {@link findBlock} does, and then also with context lines that
 * have one or two blanks more or less indentation than in the file.
 *
 * Such a row may have lost its mark, so that its first blank was read as one, or have the mark
 * twice. `tryHunkIndent` chooses the indentation of new lines beside such rows. Returns `undefined`
 * where nothing matches.
 */
export function findHunk(rows: readonly HunkRow[], text: WorkingText): BlockPlaces | undefined {
  const found = findBlock(oldLines(rows), newLines(rows), text);
  if (found !== undefined && !found.normalizations.includes("indentation")) return found;
  return findLoosely(rows, text) ?? found;
}

const looseKey: LineKey = (line) => withFoldedBlanks(withPlainTypography(line));

function findLoosely(rows: readonly HunkRow[], text: WorkingText): BlockPlaces | undefined {
  const [search, replace] = [oldLines(rows), newLines(rows)];
  if (!search.some((line) => line.trim() !== "")) return undefined;
  const inRows = text
    .by(looseKey)
    .find(search.map(looseKey))
    .map((start): BlockPlace => {
      const lines = search.map((_, i) => start + i);
      return { start, end: start + search.length, lines, indent: (indent) => indent };
    });
  const [first] = inRows;
  if (first === undefined) return undefined;
  const read = straightened(search, replace, first, text);
  const changes = changesIn(rows, read);
  const placesBy = (rule: typeof tryHunkIndent) =>
    inRows.flatMap((place) => {
      const found = rule({ ...read, changes, start: place.start }, text);
      return found === undefined ? [] : [{ ...place, ...found }];
    });
  // Lines without a word, such as a lone brace, are distinguished by their indentation only.
  const isWordless = !search.some((line) => hasWords(line));
  const regular = isWordless ? [] : placesBy(tryHunkIndent);
  const places = regular.length > 0 ? regular : placesBy(tryWrittenIndent);
  if (places.length === 0) return undefined;
  return { places, ...read, changes, normalizations: differences(search, places[0]!, text) };
}

/**
 * The changes according to the marks of the rows, without lines that are removed and added again.
 */
function changesIn(
  rows: readonly HunkRow[],
  { search, replace }: Pick<BlockPlaces, "search" | "replace">,
): readonly SequenceChange[] {
  const changes: SequenceChange[] = [];
  let [before, after] = [0, 0];
  for (let i = 0; i < rows.length; ) {
    const stays = rows[i]!.mark === " ";
    const [beforeStart, afterStart] = [before, after];
    for (; i < rows.length && (rows[i]!.mark === " ") === stays; i++) {
      if (rows[i]!.mark !== "+") before++;
      if (rows[i]!.mark !== "-") after++;
    }
    if (stays) continue;
    for (const change of diffSequences(search.slice(beforeStart, before), replace.slice(afterStart, after))) {
      changes.push({
        beforeStart: beforeStart + change.beforeStart,
        beforeEnd: beforeStart + change.beforeEnd,
        afterStart: afterStart + change.afterStart,
        afterEnd: afterStart + change.afterEnd,
      });
    }
  }
  return changes;
}

/** A hunk at a place whose lines equal those of the hunk apart from indentation. */
export interface HunkAtPlace {
  /** The index of the first line of the place. */
  readonly start: number;
  readonly search: readonly string[];
  readonly replace: readonly string[];
  readonly changes: readonly SequenceChange[];
}

/** The indentation of the new lines of a hunk, and whether another one is as likely. */
export interface HunkIndent {
  readonly indent: IndentChange;
  readonly isIndentUnclear?: boolean;
}

/**
 * Chooses the indentation of new lines where old lines are indented differently from the file;
 * `undefined` where the lines of the place are not those of the hunk.
 *
 * Deleted lines determine it: the same change of indentation applies to new lines. All old lines
 * must then be indented as in the file, or by one or two blanks more or less. Without deleted
 * lines, context lines determine it.
 *
 * Beside rows with one or two blanks too many, new lines may have them too, or be indented as in
 * the file. The reading in which new lines fit the surrounding lines is taken; where both fit, the
 * indentation is unclear.
 */
function tryHunkIndent(hunk: HunkAtPlace, text: WorkingText): HunkIndent | undefined {
  const { filled, gone, fresh } = linesOf(hunk, text);
  const change = tryIndentChange(gone);
  if (change === undefined) return undefined;
  const isNear = filled.every(([before, after]) => isNearIndent(change(before) ?? before, after));
  const shift = tryIndentChange(filled);
  // Rows with two blanks less indentation are no lost or doubled marks.
  const isWritten = filled.every(([before, after]) => isNearIndent(before, after) && before.length >= after.length - 1);
  if (!isWritten) {
    if (gone.length > 0) return isNear ? { indent: ofPlain(change) } : undefined;
    return shift === undefined ? undefined : { indent: ofPlain(shift) };
  }
  if (gone.length > 0 && gone.every(([before, after]) => before === after)) return { indent: asWritten };
  const changes = [shift, gone.length > 0 && isNear ? change : undefined];
  const readings = changes.filter((one) => one !== undefined && fresh.every((line) => one(line) !== undefined));
  return settled([asWritten, ...(readings as IndentChange[])], hunk, text);
}

/**
 * Keeps new lines as written, where each old line has at most two blanks too many or too few;
 * `undefined` otherwise.
 */
function tryWrittenIndent(hunk: HunkAtPlace, text: WorkingText): HunkIndent | undefined {
  const { filled } = linesOf(hunk, text);
  return filled.every(([before, after]) => isNearIndent(before, after)) ? { indent: asWritten } : undefined;
}

const asWritten: IndentChange = (indent) => withPlainCharacters(indent);

/**
 * Chooses the reading of the new lines that fits the file best. The first reading keeps them as
 * written.
 */
function settled(all: readonly IndentChange[], hunk: HunkAtPlace, text: WorkingText): HunkIndent {
  const indents = linesOf(hunk, text).fresh;
  const spelled = (reading: IndentChange) => indents.map((indent) => reading(indent)).join("|");
  const readings = [...new Map(all.toReversed().map((reading) => [spelled(reading), reading])).values()].toReversed();
  const [written, ...others] = readings;
  if (others.length === 0) return { indent: written! };
  const beside = readings.filter((reading) => hasMargin(reading, [""], hunk, text));
  const used = new Set(Array.from({ length: text.count }, (_, line) => indentOf(text.textAt(line))));
  const isUsed = (reading: IndentChange) => indents.every((indent) => used.has(reading(indent)!));
  // New lines in the column of the lines that they replace are meant to be indented like those.
  const isLikely = !isInColumn(hunk) && (isUsed(written!) || hasMargin(written!, ["", "  ", "    ", "\t"], hunk, text));
  const likely = beside.includes(written!) || !isLikely ? beside : [written!, ...beside];
  if (likely.length === 1) return { indent: ofPlain(likely[0]!) };
  const isWrittenAlone = likely.length === 0 && readings.filter(isUsed).every((reading) => reading === written);
  return { indent: written!, isIndentUnclear: !isWrittenAlone || !isUsed(written!) };
}

/**
 * Whether the new lines of each change begin at the margin of the lines that they replace, or of a
 * neighbouring line, plus one of the given blanks.
 */
function hasMargin(
  reading: IndentChange,
  more: readonly string[],
  { start, replace, changes }: HunkAtPlace,
  text: WorkingText,
): boolean {
  return changes.every(({ beforeStart, beforeEnd, afterStart, afterEnd }) => {
    const fresh = leastIndent(replace.slice(afterStart, afterEnd));
    if (fresh === undefined) return true;
    const [first, end] = [start + beforeStart, start + beforeEnd];
    const gone = text.texts.slice(first, end).filter(isFilled);
    const above = text.texts.slice(0, first).findLast(isFilled);
    const below = text.texts.slice(end).find(isFilled);
    const around = gone.length > 0 ? gone : [above ?? "", below ?? ""];
    const least = reading(fresh);
    return around.some((line) => more.some((blanks) => indentOf(line) + blanks === least));
  });
}

/**
 * Whether the new lines of each change begin in the column of the lines that they replace, both as
 * written.
 */
function isInColumn({ search, replace, changes }: HunkAtPlace): boolean {
  return changes.every(({ beforeStart, beforeEnd, afterStart, afterEnd }) => {
    const fresh = leastIndent(replace.slice(afterStart, afterEnd));
    const gone = leastIndent(search.slice(beforeStart, beforeEnd));
    return fresh === undefined || fresh === gone;
  });
}

/** The smallest indentation of non-blank lines; `undefined` if all are blank. */
function leastIndent(lines: readonly string[]): string | undefined {
  return lines
    .filter(isFilled)
    .map(plainIndentOf)
    .toSorted((a, b) => a.length - b.length)[0];
}

type IndentPair = readonly [before: string, after: string];

/**
 * The indentation of non-blank lines: of all old lines and of the deleted ones, each in the hunk
 * and in the file, and of the new lines.
 */
function linesOf(
  { start, search, replace, changes }: HunkAtPlace,
  text: WorkingText,
): { readonly filled: readonly IndentPair[]; readonly gone: readonly IndentPair[]; readonly fresh: readonly string[] } {
  const pairs = search.map((line, i): IndentPair => [plainIndentOf(line), indentOf(text.textAt(start + i))]);
  const filled = (from: number, to: number) => pairs.slice(from, to).filter((_, i) => isFilled(search[from + i]!));
  return {
    filled: filled(0, search.length),
    gone: changes.flatMap(({ beforeStart, beforeEnd }) => filled(beforeStart, beforeEnd)),
    fresh: changes.flatMap(({ afterStart, afterEnd }) =>
      replace.slice(afterStart, afterEnd).filter(isFilled).map(plainIndentOf),
    ),
  };
}

/**
 * Whether one indentation has one or two blanks more: in front, as a mark adds, also before tabs,
 * or at the end.
 */
function isNearIndent(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const stray = long.slice(0, long.length - short.length);
  return short === long || (/^ {1,2}$/.test(stray) && stray + short === long) || isLonger(short, long);
}

function isLonger(short: string, long: string): boolean {
  return long.startsWith(short) && /^ {1,2}$/.test(long.slice(short.length));
}

/** The indentation of a line, with non-breaking blanks as plain ones. */
function plainIndentOf(line: string): string {
  return withPlainCharacters(indentOf(line));
}

function ofPlain(change: IndentChange): IndentChange {
  return (indent) => change(withPlainCharacters(indent));
}

function isFilled(line: string): boolean {
  return line.trim() !== "";
}
