import { type IndentChange, indentOf, tryIndentChange } from "./indent-change.ts";
import { straighten } from "./keep-typography.ts";
import type { KeyedLines } from "./keyed-lines.ts";
import {
  asItIs,
  hasWords,
  type LineKey,
  withFoldedBlanks,
  withoutEndBlanks,
  withoutIndent,
  withPlainTypography,
} from "./line-keys.ts";
import { readings } from "./readings.ts";
import type { LenienceKind } from "./refusal.ts";
import type { WorkingText } from "./working-text.ts";

/** A place in a file where lines stand that are looked for. */
export interface BlockPlace {
  /** The first of the lines, and the one behind the last. */
  readonly start: number;
  readonly end: number;
  /** For each line that is looked for, the one in the file; `undefined` for a blank line that is not there. */
  readonly lines: readonly (number | undefined)[];
  /** How the file is indented where the answer is indented in another way. */
  readonly indent: IndentChange;
}

/** The places of a block, all found by the same rule. */
export interface BlockPlaces {
  readonly places: readonly BlockPlace[];
  /** The lines of the ask as they are to be read. */
  readonly search: readonly string[];
  readonly replace: readonly string[];
  /** How the lines of the file differ from those of the ask; empty where they do not. */
  readonly leniences: readonly LenienceKind[];
}

/**
 * Looks for lines in a file, first as they are, then more and more leniently.
 *
 * The first rule by which they are found anywhere decides: where that is in several places, no stricter rule can tell
 * them apart, and no more lenient one will. Nothing is found by likeness: by each rule lines are the same, or they are
 * not. Lines without a single word, such as a lone brace, are taken only as they are.
 */
export function findBlock(
  search: readonly string[],
  replace: readonly string[],
  text: WorkingText,
): BlockPlaces | undefined {
  const exact = text
    .by(asIs.key)
    .find(search)
    .map((start) => inARow(start, search));
  if (exact.length > 0) return { places: exact, search, replace, leniences: [] };
  if (!search.some((line) => hasWords(line))) return undefined;

  for (const rule of rules) {
    const places = findBy(rule, search, text);
    if (places.length === 0) continue;
    const leniences = differences(search, places[0]!, text);
    return { places, ...straightened(search, replace, places[0]!, text), leniences };
  }
  for (const reading of readings) {
    const read = reading.read(search);
    if (read === undefined || !read.some((line) => hasWords(line))) continue;
    for (const rule of [asIs, ...rules.slice(0, 2)]) {
      const places = findBy(rule, read, text);
      if (places.length === 0) continue;
      const leniences = [reading.kind, ...differences(read, places[0]!, text)];
      return { places, search: read, replace: reading.readNew(replace), leniences };
    }
  }
  return undefined;
}

/** Both sides of the ask with the quotes and dashes that the file has, where the ask has odd ones for plain ones. */
function straightened(
  search: readonly string[],
  replace: readonly string[],
  place: BlockPlace,
  text: WorkingText,
): Pick<BlockPlaces, "search" | "replace"> {
  const pairs = search.map((line, i): [string, string] => {
    const at = place.lines[i];
    return [line, at === undefined ? "" : text.textAt(at)];
  });
  return { search: straighten(search, pairs), replace: straighten(replace, pairs) };
}

/** When lines count as the same. */
interface Rule {
  readonly key: LineKey;
  /** Whether blank lines count. */
  readonly isBlankFree: boolean;
}

const asIs: Rule = { key: asItIs, isBlankFree: false };

const rules: readonly Rule[] = [
  { key: withoutEndBlanks, isBlankFree: false },
  { key: withoutIndent, isBlankFree: false },
  { key: withFoldedBlanks, isBlankFree: false },
  { key: withFoldedBlanks, isBlankFree: true },
  { key: withPlainTypography, isBlankFree: false },
];

function findBy({ key, isBlankFree }: Rule, search: readonly string[], text: WorkingText): readonly BlockPlace[] {
  const wanted = search.map(key);
  const there = text.by(key);
  const found = isBlankFree ? withoutBlanks(wanted, there) : there.find(wanted).map((start) => inARow(start, search));
  return found.flatMap((place) => {
    const pairs = search.flatMap((line, i): [string, string][] => {
      const at = place.lines[i];
      return at === undefined || line.trim() === "" ? [] : [[indentOf(line), indentOf(text.textAt(at))]];
    });
    const indent = tryIndentChange(pairs);
    return indent === undefined ? [] : [{ ...place, indent }];
  });
}

/** Finds lines whatever blank lines are between them. A place begins and ends with a line that is not blank. */
function withoutBlanks(wanted: readonly string[], there: KeyedLines): readonly BlockPlace[] {
  const wantedAt = wanted.flatMap((key, i) => (key === "" ? [] : [i]));
  return there.findApart(wantedAt.map((i) => wanted[i]!)).map((found) => {
    const start = found[0]!;
    const end = found.at(-1)! + 1;
    const lines = wanted.map((): number | undefined => undefined);
    for (const [i, at] of wantedAt.entries()) lines[at] = found[i]!;
    // A blank line is the next one behind the line in front of it, if there is one.
    for (let i = 1; i < lines.length; i++) {
      const next = (lines[i - 1] ?? end) + 1;
      if (lines[i] === undefined && next < end && there.at(next) === "") lines[i] = next;
    }
    return { start, end, lines, indent: unchanged };
  });
}

function inARow(start: number, search: readonly string[]): BlockPlace {
  const lines = search.map((_, i) => start + i);
  return { start, end: start + search.length, lines, indent: unchanged };
}

function unchanged(indent: string): string {
  return indent;
}

/** How the lines that were found differ from those that were looked for. */
function differences(search: readonly string[], place: BlockPlace, text: WorkingText): readonly LenienceKind[] {
  const kinds = new Set<LenienceKind>();
  const used = new Set(place.lines);
  for (const [i, line] of search.entries()) {
    const at = place.lines[i];
    const there = at === undefined ? undefined : text.textAt(at);
    if (there === undefined) kinds.add("blank-lines");
    else if (withFoldedBlanks(line) !== withFoldedBlanks(there)) kinds.add("typography");
    else if (
      line.trim() !== there.trim() ||
      line.trimEnd().length - line.length !== there.trimEnd().length - there.length
    ) {
      kinds.add("white-space");
    }
    if (there !== undefined && there.trim() !== "" && indentOf(line) !== indentOf(there)) kinds.add("indentation");
  }
  for (let at = place.start; at < place.end; at++) if (!used.has(at)) kinds.add("blank-lines");
  return [...kinds];
}
