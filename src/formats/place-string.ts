import { byteOrderMark, type TextRange } from "../text/index.ts";
import type { StringAsk } from "./ask.ts";
import { type AskLenience, type AskOutcome, placed, refused } from "./ask-outcome.ts";
import { elidedRow } from "./elided-row.ts";
import { isElision } from "./is-elision.ts";
import { keepTypography, straighten } from "./keep-typography.ts";
import { lenienceMessages } from "./lenience-messages.ts";
import { hasWords, withPlainCharacters } from "./line-keys.ts";
import { listLines } from "./name-lines.ts";
import { nearestLines } from "./nearest-lines.ts";
import { placeBlock } from "./place-block.ts";
import { readings } from "./readings.ts";
import type { WorkingText } from "./working-text.ts";

/**
 * Puts text in the place of text that reads as the ask says, wherever on a line it begins.
 *
 * Line breaks of the ask stand for those of the file. What is not there as it is written is looked for as whole lines, as
 * `placeBlock` does, then with other characters, read in another way, and at last without regard to white space. Each of
 * these must give one place alone. Without a text to look for, the new one goes to the beginning.
 */
export function placeString(ask: StringAsk, text: WorkingText, path: string): AskOutcome {
  const { search, replace, isEvery } = ask;
  if (search === replace) return refused("no-change", "The new text is the same as the old one.");
  const rows = rowsOf(replace);
  const mayStandForCode = rows.some((row) => isElision(row, path));
  const left = mayStandForCode ? elidedRow(rows, { known: [rowsOf(search), text.texts], path }) : undefined;
  if (left !== undefined) {
    return refused("elided-code", `${JSON.stringify(rows[left]!.trim())} stands for code; write the code itself.`);
  }
  const first = text.text.startsWith(byteOrderMark) ? byteOrderMark.length : 0;
  const places = search === "" ? [{ start: first, end: first }] : placesOf(search, text.text);
  if (places.length === 1 || (isEvery === true && places.length > 0)) return placeAt(places, replace, text);
  if (places.length > 1) return ambiguous(places, text);
  return tryAsLines(ask, text, path) ?? tryLeniently(ask, text) ?? notFound(ask, text);
}

function placeAt(
  places: readonly TextRange[],
  replace: string,
  text: WorkingText,
  leniences: readonly AskLenience[] = [],
): AskOutcome {
  const lines = text.linesAt(places.map(({ start }) => start));
  const edits = places.map((place, i) => ({ ...place, text: withEnding(replace, text.endingOf(lines[i]!)) }));
  return placed(text.replaceTexts(edits), leniences);
}

/** Places whole lines. */
function tryAsLines(
  { kind, search, replace, ...origin }: StringAsk,
  text: WorkingText,
  path: string,
): AskOutcome | undefined {
  // Where one text ends with a line break and the other does not, lines would be joined.
  if (search.endsWith("\n") !== replace.endsWith("\n") && replace !== "") return undefined;
  const block = { ...origin, search: rowsOf(search), replace: replace === "" ? [] : rowsOf(replace) };
  if (search.endsWith("\n")) for (const rows of [block.search, block.replace]) rows.pop();
  const outcome = placeBlock({ kind: "block", ...block }, { text, path });
  const isOther = outcome.kind === "refused" && outcome.refusal.kind === "not-found";
  return isOther ? undefined : outcome;
}

function tryLeniently({ search, replace }: StringAsk, text: WorkingText): AskOutcome | undefined {
  if (!hasWords(search.replace(/\s+/g, " "))) return undefined;
  const plain = placesOf(withPlainCharacters(search), withPlainCharacters(text.text));
  if (plain.length === 1) {
    const own = text.text.slice(plain[0]!.start, plain[0]!.end);
    const [before, after] = straighten([search, replace], [[search, own]]);
    return placeAt(plain, keepTypography(before!, after!, own), text, lenienceMessages(["typography"]));
  }
  if (plain.length > 1) return ambiguous(plain, text);
  for (const reading of readings) {
    const read = reading.read(rowsOf(search))?.join("\n");
    const places = read === undefined || read === "" ? [] : placesOf(read, text.text);
    if (places.length > 1) return ambiguous(places, text);
    const put = reading.readNew(rowsOf(replace)).join("\n");
    if (places.length === 1) return placeAt(places, put, text, lenienceMessages([reading.kind]));
  }
  const loose = placesWithoutBlanks(search, text.text);
  if (loose.length > 1) return ambiguous(loose, text);
  return loose.length === 1 ? placeAt(loose, replace.trim(), text, lenienceMessages(["white-space"])) : undefined;
}

function notFound({ search, replace }: StringAsk, text: WorkingText): AskOutcome {
  const nearest = nearestLines(rowsOf(search), text.texts, text.words);
  if (hasWords(replace) && !search.includes(replace) && placesOf(replace, text.text).length > 0) {
    return refused("already-applied", "The text to replace is not in the file, but the new one is.", nearest);
  }
  return refused("not-found", "The text to replace is not in the file.", nearest);
}

function ambiguous(places: readonly TextRange[], text: WorkingText): AskOutcome {
  const lines = text.linesAt(places.map(({ start }) => start));
  const message = `The text to replace is there ${places.length} times, on lines ${listLines(lines)}; more text around it would tell which is meant.`;
  return refused("ambiguous", message);
}

/** Where a text stands, whatever the line endings; none that begins inside one before it. */
function placesOf(search: string, text: string): readonly TextRange[] {
  if (!search.includes("\n") || !text.includes("\r")) {
    const places: TextRange[] = [];
    for (let at = text.indexOf(search); at >= 0; at = text.indexOf(search, at + search.length)) {
      places.push({ start: at, end: at + search.length });
    }
    return places;
  }
  const pattern = rowsOf(search).map((row) => row.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const found = text.matchAll(new RegExp(pattern.join("(?:\\r?\\n|\\r(?!\\n))"), "g"));
  return Array.from(found, ({ 0: there, index }) => ({ start: index, end: index + there.length }));
}

/** Where the characters of a text stand in this order, with any white space between them or none. */
function placesWithoutBlanks(search: string, text: string): readonly TextRange[] {
  const places = placesOf(search.replace(/\s+/g, ""), text.replace(/\s+/g, ""));
  if (places.length === 0) return [];
  const offsets: number[] = [];
  for (const { 0: piece, index } of text.matchAll(/\S+/g)) {
    for (let i = 0; i < piece.length; i++) offsets.push(index + i);
  }
  return places.map(({ start, end }) => ({ start: offsets[start]!, end: offsets[end - 1]! + 1 }));
}

function withEnding(text: string, ending: string): string {
  return text.replace(/\r?\n/g, ending);
}

function rowsOf(text: string): string[] {
  return text.split(/\r?\n/);
}
