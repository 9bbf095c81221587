import { byteOrderMark, type TextRange } from "../../text/index.ts";
import type { StringEdit } from "../edit-operation.ts";
import { elidedRow, isElision } from "../reading/is-elision.ts";
import { readingsOfSpelled } from "../reading/parse-model-json.ts";
import { readings } from "../reading/readings.ts";
import { codeUnits, type Gap, isSameGap } from "./code-units.ts";
import { refuseControlCharacters } from "./doubtful-lines.ts";
import { keepTypography, straighten } from "./keep-typography.ts";
import { findRun } from "./keyed-lines.ts";
import { hasWords, withPlainCharacters } from "./line-keys.ts";
import { nearestLines } from "./nearest-lines.ts";
import {
  listLines,
  normalizationMessages,
  type OperationNormalization,
  type OperationOutcome,
  placed,
  refused,
} from "./operation-outcome.ts";
import { placeBlock } from "./place-block.ts";
import type { WorkingText } from "./working-text.ts";

/**
 * Replaces a text in `text` that matches the operation's search text, wherever in a line it begins.
 *
 * Line breaks match those of the file. A text without an exact match is searched as whole lines,
 * like `placeBlock`, then with other typography, in other readings, and last with any white space
 * between words, operators and strings. Each of these must match exactly one place; with `isEvery`,
 * all places of the exact text or of the whole lines are replaced. With an empty search text, the
 * new text is inserted at the beginning. Other cases are refused and change nothing, among them a
 * new text that equals the old one, has a row in place of code, or a new control character.
 */
export function placeString(operation: StringEdit, text: WorkingText, path: string): OperationOutcome {
  const { search, replace, isEvery } = operation;
  if (search === replace) return refused("no-change", "The new text is the same as the old one.");
  const rows = rowsOf(replace);
  const mayReplaceCode = rows.some((row) => isElision(row, path));
  const left = mayReplaceCode ? elidedRow(rows, { known: [rowsOf(search), text.texts], path }) : undefined;
  if (left !== undefined) {
    return refused("elided-code", `${JSON.stringify(rows[left]!.trim())} stands for code; write the code itself.`);
  }
  const first = text.text.startsWith(byteOrderMark) ? byteOrderMark.length : 0;
  const places = search === "" ? [{ start: first, end: first }] : placesOf(search, text.text);
  if (places.length === 1 || (isEvery === true && places.length > 0)) return placeAt(places, replace, text);
  if (places.length > 1) return ambiguous(places, text);
  return (
    trySpelled(operation, text) ??
    tryAsLines(operation, text, path) ??
    tryLeniently(operation, text) ??
    notFound(operation, text)
  );
}

function placeAt(
  places: readonly TextRange[],
  replace: string,
  text: WorkingText,
  normalizations: readonly OperationNormalization[] = [],
): OperationOutcome {
  const refusal = refuseControlCharacters([replace], text);
  if (refusal !== undefined) return refusal;
  const lines = text.linesAt(places.map(({ start }) => start));
  const edits = places.map((place, i) => ({ ...place, text: withEnding(replace, text.endingOf(lines[i]!)) }));
  return placed(text.replaceTexts(edits), normalizations);
}

/**
 * Resolves texts whose backslashes were not escaped in the JSON, if the file contains the old text
 * with them; `undefined` otherwise.
 */
function trySpelled({ spelled, isEvery }: StringEdit, text: WorkingText): OperationOutcome | undefined {
  for (const { search, replace } of spelled === undefined ? [] : readingsOfSpelled(spelled)) {
    const places = placesOf(search, text.text);
    if (places.length > 1 && isEvery !== true) return ambiguous(places, text);
    if (places.length > 0) return placeAt(places, replace, text, normalizationMessages(["escapes"]));
  }
  return undefined;
}

/** Resolves the texts as whole lines; `undefined` where they are not found. */
function tryAsLines(
  { kind, search, replace, ...origin }: StringEdit,
  text: WorkingText,
  path: string,
): OperationOutcome | undefined {
  // Where only one of the texts ends with a line break, lines would be joined.
  if (search.endsWith("\n") !== replace.endsWith("\n") && replace !== "") return undefined;
  const block = { ...origin, search: rowsOf(search), replace: replace === "" ? [] : rowsOf(replace) };
  if (search.endsWith("\n")) for (const rows of [block.search, block.replace]) rows.pop();
  const outcome = placeBlock({ kind: "block", ...block }, { text, path });
  const isOther = outcome.kind === "refused" && outcome.refusal.kind === "not-found";
  return isOther ? undefined : outcome;
}

function tryLeniently(operation: StringEdit, text: WorkingText): OperationOutcome | undefined {
  const { search, replace } = operation;
  if (!hasWords(search.replace(/\s+/g, " "))) return undefined;
  const plain = placesOf(withPlainCharacters(search), withPlainCharacters(text.text));
  if (plain.length === 1) {
    const own = text.text.slice(plain[0]!.start, plain[0]!.end);
    const [before, after] = straighten([search, replace], [[search, own]]);
    const put = keepTypography(rowsOf(before!), rowsOf(after!), rowsOf(own)).join("\n");
    return placeAt(plain, put, text, normalizationMessages(["typography"]));
  }
  if (plain.length > 1) return ambiguous(plain, text);
  for (const reading of readings) {
    const read = reading.read(rowsOf(search))?.join("\n");
    const places = read === undefined || read === "" ? [] : placesOf(read, text.text);
    if (places.length > 1) return ambiguous(places, text);
    const put = reading.readNew(rowsOf(replace)).join("\n");
    if (places.length === 1) return placeAt(places, put, text, normalizationMessages([reading.kind]));
  }
  const loose = placesByUnits(operation, text.text);
  if (loose.length > 1) return ambiguous(loose, text);
  return loose.length === 1 ? placeAt(loose, replace.trim(), text, normalizationMessages(["white-space"])) : undefined;
}

function notFound({ search, replace }: StringEdit, text: WorkingText): OperationOutcome {
  // A line break at the end does not begin another line.
  const nearest = nearestLines(rowsOf(search.replace(/\r?\n$/, "")), text.texts, text.words);
  if (hasWords(replace) && !search.includes(replace) && placesOf(replace, text.text).length > 0) {
    return refused("already-applied", "The text to replace is not in the file, but the new one is.", nearest);
  }
  return refused("not-found", "The text to replace is not in the file.", nearest);
}

function ambiguous(places: readonly TextRange[], text: WorkingText): OperationOutcome {
  const lines = text.linesAt(places.map(({ start }) => start));
  const message = `The text to replace is there ${places.length} times, on lines ${listLines(lines)}; more text around it would tell which is meant.`;
  return refused("ambiguous", message);
}

/** All occurrences of a text, regardless of line endings, without overlaps. */
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

/**
 * All places where the tokens of a text are consecutive, with any white space between them; where
 * one side has none, only between tokens that this neither joins nor splits.
 */
function placesByUnits({ search, replace }: StringEdit, text: string): readonly TextRange[] {
  const wanted = codeUnits(search);
  const units = codeUnits(text);
  const startsApart = /^\s/.test(search);
  const endsApart = /\s$/.test(search);
  const runs = findRun(
    wanted.map((unit) => unit.text),
    units.map((unit) => unit.text),
  );
  return runs.flatMap((first) => {
    const end = first + wanted.length;
    const hasGap = (at: number, gap: Gap) =>
      units[at - 1] === undefined ||
      units[at] === undefined ||
      isSameGap(gap, units[at].gap, [units[at - 1]!.text, units[at].text]);
    const isThere =
      wanted.every(({ gap }, i) => (i === 0 ? !startsApart || hasGap(first, "blank") : hasGap(first + i, gap))) &&
      (!endsApart || hasGap(end, "blank"));
    if (!isThere) return [];
    const before = units[first]!.gap === "none" ? (units[first - 1]?.text ?? "") : "";
    const after = units[end]?.gap === "none" ? units[end].text : "";
    if (joinsUnits(before, replace.trim(), after)) return [];
    const last = units[end - 1]!;
    return [{ start: units[first]!.start, end: last.start + last.text.length }];
  });
}

/** Whether a text would merge with the token before or after it. */
function joinsUnits(before: string, text: string, after: string): boolean {
  const apart = [before, text, after].flatMap((part) => codeUnits(part));
  return codeUnits(before + text + after).length !== apart.length;
}

function withEnding(text: string, ending: string): string {
  return text.replace(/\r?\n/g, ending);
}

function rowsOf(text: string): string[] {
  return text.split(/\r?\n/);
}
