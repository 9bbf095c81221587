import type { SequenceChange } from "../../text/index.ts";
import { readings } from "../reading/readings.ts";
import type { NormalizationKind } from "../refusal.ts";
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
import type { WorkingText } from "./working-text.ts";

/** A place in a file that matches the lines searched for. */
export interface BlockPlace {
  /** The indexes of the first line and after the last one. */
  readonly start: number;
  readonly end: number;
  /**
   * The line in the file for each searched line; `undefined` for a blank line that the file lacks.
   */
  readonly lines: readonly (number | undefined)[];
  /** Converts indentation of the answer to that of the file. */
  readonly indent: IndentChange;
  /** Whether another indentation of the new lines is as likely. */
  readonly isIndentUnclear?: boolean;
}

/** The places of a block, all found by the same rule. */
export interface BlockPlaces {
  readonly places: readonly BlockPlace[];
  /** The searched lines and their replacement, after normalization. */
  readonly search: readonly string[];
  readonly replace: readonly string[];
  /** The changes of the operation, where they are known other than by comparing both. */
  readonly changes?: readonly SequenceChange[];
  /** How the lines of the file differ from the searched ones; empty for an exact match. */
  readonly normalizations: readonly NormalizationKind[];
}

/**
 * Searches lines in a file, exactly at first, then by more and more lenient rules.
 *
 * The first rule with a match decides: where it matches several places, stricter rules do not
 * distinguish them and more lenient ones are not tried. There is no fuzzy matching: by each rule,
 * lines are equal or not. Lines without any word, such as a lone brace, match exactly only. Returns
 * `undefined` where nothing matches.
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
  if (exact.length > 0) return { places: exact, search, replace, normalizations: [] };
  if (!search.some((line) => hasWords(line))) return undefined;

  const [first, end] = sharedBlanks(search, replace);
  const within = (lines: readonly string[]) => lines.slice(first, lines.length - end);
  for (const rule of [asIs, ...rules]) {
    const found = rule === asIs ? undefined : findByRule(rule, search, replace, text);
    if (found !== undefined) return found;
    if (rule.isBlankFree || (first === 0 && end === 0)) continue;
    const inner = findByRule(rule, within(search), within(replace), text);
    if (inner !== undefined)
      return { ...inner, normalizations: [...new Set<NormalizationKind>(["blank-lines", ...inner.normalizations])] };
  }
  for (const reading of readings) {
    const read = reading.read(search);
    if (read === undefined || !read.some((line) => hasWords(line))) continue;
    for (const rule of [asIs, ...rules.slice(0, 2)]) {
      const places = findBy(rule, read, text);
      if (places.length === 0) continue;
      const normalizations = [reading.kind, ...differences(read, places[0]!, text)];
      return { places, search: read, replace: reading.readNew(replace), normalizations };
    }
  }
  return undefined;
}

/** As {@link findBlock}, by one rule. */
function findByRule(
  rule: Rule,
  search: readonly string[],
  replace: readonly string[],
  text: WorkingText,
): BlockPlaces | undefined {
  const places = search.length === 0 ? [] : findBy(rule, search, text);
  if (places.length === 0) return undefined;
  const normalizations = differences(search, places[0]!, text);
  return { places, ...straightened(search, replace, places[0]!, text), normalizations };
}

/**
 * Where lines without any word, such as a lone brace, are in a file with other white space at their
 * ends: too little to say that they are meant. Empty for other lines, and for blank ones.
 */
export function placesWithoutWords(search: readonly string[], text: WorkingText): readonly BlockPlace[] {
  const isBlank = search.every((line) => line.trim() === "");
  return isBlank || search.some((line) => hasWords(line)) ? [] : findBy(indentFree, search, text);
}

/**
 * The number of blank lines, 0 or 1, that both sides of an operation have at the start and at the
 * end.
 */
function sharedBlanks(search: readonly string[], replace: readonly string[]): readonly [front: number, behind: number] {
  const isShared = (at: number) => search.at(at)?.trim() === "" && replace.at(at)?.trim() === "";
  const front = isShared(0) ? 1 : 0;
  return [front, isShared(-1) && replace.length > front ? 1 : 0];
}

/**
 * Both sides of an operation that matches at `place`, with plain quotes, dashes and blanks where
 * the operation has typographic ones and the file has plain ones. New characters stay where the
 * file has them between the same characters.
 */
export function straightened(
  search: readonly string[],
  replace: readonly string[],
  place: BlockPlace,
  text: WorkingText,
): Pick<BlockPlaces, "search" | "replace"> {
  const pairs = search.map((line, i): [string, string] => {
    const at = place.lines[i];
    return [line, at === undefined ? "" : text.textAt(at)];
  });
  const isInFile = (part: string) => text.texts.some((line) => line.includes(part));
  // Unchanged lines are taken from the file, so their typographic characters are no reason to keep
  // others.
  const quoted = new Set(search);
  const fresh = straighten(replace, pairs, isInFile);
  const plain = straighten(replace, pairs);
  return {
    search: straighten(search, pairs),
    replace: replace.map((line, i) => (quoted.has(line) ? plain[i]! : fresh[i]!)),
  };
}

/** A rule by which lines count as equal. */
interface Rule {
  readonly key: LineKey;
  /** Whether blank lines are ignored. */
  readonly isBlankFree: boolean;
}

const asIs: Rule = { key: asItIs, isBlankFree: false };

const indentFree: Rule = { key: withoutIndent, isBlankFree: false };

const rules: readonly Rule[] = [
  { key: withoutEndBlanks, isBlankFree: false },
  indentFree,
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

/**
 * Searches lines regardless of blank lines between them. A place begins and ends with a line that
 * is not blank.
 */
function withoutBlanks(wanted: readonly string[], there: KeyedLines): readonly BlockPlace[] {
  const wantedAt = wanted.flatMap((key, i) => (key === "" ? [] : [i]));
  return there.findApart(wantedAt.map((i) => wanted[i]!)).map((found) => {
    const start = found[0]!;
    const end = found.at(-1)! + 1;
    const lines = wanted.map((): number | undefined => undefined);
    for (const [i, at] of wantedAt.entries()) lines[at] = found[i]!;
    // A searched blank line matches the blank line after its predecessor, if there is one.
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

/**
 * How the lines of the file at `place` differ from the searched ones, each kind once; empty where
 * they are equal.
 */
export function differences(
  search: readonly string[],
  place: BlockPlace,
  text: WorkingText,
): readonly NormalizationKind[] {
  const kinds = new Set<NormalizationKind>();
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
