import type { BlockEdit } from "../edit-operation.ts";
import type { BlockPlace, BlockPlaces } from "./find-block.ts";
import { hasWords, withFoldedBlanks } from "./line-keys.ts";
import { listLines, type OperationNormalization } from "./operation-outcome.ts";
import type { WorkingText } from "./working-text.ts";

/** The selected place, with its normalizations. */
export interface SettledPlace {
  readonly place: BlockPlace;
  readonly normalizations: readonly OperationNormalization[];
}

/**
 * Selects one of several places of an operation: the one at the file's end, the first one after the
 * headings, or the one nearest to a line number; `undefined` where none is determined. A heading
 * outranks a line number at which no place begins. A number that selects another place when it is
 * as wrong as the number before it determines none.
 *
 * With `takesFirst`, the first place, see `PlaceOptions`. That applies only to exact matches of
 * lines with words: a lone brace would be applied anywhere (Aider-AI/aider#685). It is always
 * reported.
 */
export function settlePlace(
  operation: BlockEdit,
  found: BlockPlaces,
  { text, takesFirst = false }: { readonly text: WorkingText; readonly takesFirst?: boolean | undefined },
): SettledPlace | undefined {
  const { places } = found;
  if (places.length === 1) return { place: places[0]!, normalizations: [] };
  const atEnd = operation.isAtEnd === true ? places.filter(({ end }) => isBlankFrom(end, text)) : [];
  if (atEnd.length === 1) return { place: atEnd[0]!, normalizations: [] };

  const near = Number.isSafeInteger(operation.near) ? text.numberNow(operation.near!) : undefined;
  const headings = headingLines(operation.headings ?? [], text);
  const [heading] = headings;
  if (near === undefined && heading !== undefined) {
    const below = tryBelowHeading(operation.headings!.at(-1)!, heading, { places, text });
    if (below !== undefined) return below.kind === "settled" ? below : undefined;
  }
  const under = near === undefined ? [] : placesUnder(headings, { places, near });
  const nearest = near === undefined ? undefined : nearestTo(near, under);
  // A lone brace is frequent: its number may be off by one where no other place is nearly as close.
  // That of a blank line must be exact.
  const isBlank = found.search.every((line) => line.trim() === "");
  const shifted = near === undefined ? undefined : text.numberNow(operation.near! + text.numberShift);
  if (nearest !== undefined && under.some((place) => place !== nearest && place.start === shifted)) return undefined;
  const isSure = nearest !== undefined && (isBlank ? nearest.start === near : isAlone(nearest, near!, places));
  if (nearest !== undefined && (isSure || found.search.some((line) => hasWords(line)))) {
    const which = heading === undefined ? "is nearest to" : "is below the heading, and not at";
    const message = `The lines are there ${places.length} times; line ${nearest.start + 1} ${which} the number given.`;
    return { place: nearest, normalizations: nearest.start === near ? [] : [{ kind: "moved", message }] };
  }
  // The heading and the number refer to different places.
  if (near !== undefined && heading !== undefined) return undefined;
  if (takesFirst && found.normalizations.length === 0 && found.search.some((line) => hasWords(line))) {
    const starts = listLines(places.map(({ start }) => start));
    const message = `The lines are there ${places.length} times, at lines ${starts}; the first are taken.`;
    return { place: places[0]!, normalizations: [{ kind: "repeated", message }] };
  }
  return undefined;
}

/**
 * The place that a heading at `line` selects: the only place directly below such a line, which is
 * then the first context line, or else the first one after `line`. Unclear where one place begins
 * with the heading itself and others follow.
 */
function tryBelowHeading(
  heading: string,
  line: number,
  { places, text }: { readonly places: readonly BlockPlace[]; readonly text: WorkingText },
): (SettledPlace & { readonly kind: "settled" }) | { readonly kind: "unclear" } | undefined {
  const wanted = withFoldedBlanks(heading);
  const lines = text.by(withFoldedBlanks);
  const [adjacent, ...others] = places.filter(({ start }) => start > 0 && lines.at(start - 1) === wanted);
  const first = places.find(({ start }) => start > line);
  if (adjacent !== undefined && others.length === 0) {
    const message = `The lines are there ${places.length} times; those from line ${adjacent.start + 1} on are right below ${JSON.stringify(wanted)}.`;
    return {
      kind: "settled",
      place: adjacent,
      normalizations: adjacent === first ? [] : [{ kind: "repeated", message }],
    };
  }
  if (first === undefined) return undefined;
  if (places.some(({ start }) => start === line)) return { kind: "unclear" };
  return { kind: "settled", place: first, normalizations: [] };
}

/**
 * The index of the line after the last heading, where the headings are found one after the other
 * from the top; `undefined` where one is missing or there are none.
 */
export function behindHeadings(headings: readonly string[], text: WorkingText): number | undefined {
  if (headings.length === 0) return undefined;
  const lines = text.by(withFoldedBlanks);
  let from = 0;
  for (const heading of headings.map(withFoldedBlanks)) {
    while (from < text.count && !isHeading(lines.at(from), heading)) from++;
    if (from++ === text.count) return undefined;
  }
  return from;
}

/** Whether a line is the heading, or begins with it as a whole word. */
function isHeading(line: string, heading: string): boolean {
  return line.startsWith(heading) && !/^[\p{L}\p{N}_]/u.test(line.slice(heading.length));
}

/**
 * The places that a line number may select in the presence of headings: those that begin at the
 * number, or else the first one after each heading. Empty where headings and number disagree.
 */
function placesUnder(
  headings: readonly number[],
  { places, near }: { readonly places: readonly BlockPlace[]; readonly near: number },
): readonly BlockPlace[] {
  if (headings.length === 0) return places;
  // The heading may be the first line of the block itself.
  const below = places.filter(({ end }) => end > headings[0]!);
  if (places.some(({ start }) => start === near)) return below.filter(({ start }) => start === near);
  const firsts = new Set(headings.map((line) => below.find(({ end }) => end > line)));
  const nearest = nearestTo(near, below);
  return below.length === 1 || firsts.has(nearest) ? below : [];
}

/**
 * The lines of the last heading: all lines that match a single heading, or the one found after the
 * others.
 */
function headingLines(headings: readonly string[], text: WorkingText): readonly number[] {
  const behind = behindHeadings(headings, text);
  if (behind === undefined) return [];
  if (headings.length > 1) return [behind - 1];
  const [heading] = headings.map(withFoldedBlanks);
  const lines = text.by(withFoldedBlanks);
  return Array.from({ length: text.count }, (_, line) => line).filter((line) => isHeading(lines.at(line), heading!));
}

/**
 * Whether a place begins at a line or directly beside it, with no other place within three lines.
 */
function isAlone(place: BlockPlace, line: number, places: readonly BlockPlace[]): boolean {
  const away = ({ start }: BlockPlace) => Math.abs(start - line);
  return away(place) === 0 || (away(place) === 1 && places.every((other) => other === place || away(other) > 3));
}

function nearestTo(line: number, places: readonly BlockPlace[]): BlockPlace | undefined {
  const away = ({ start }: BlockPlace) => Math.abs(start - line);
  const [first, second] = places.toSorted((a, b) => away(a) - away(b));
  return second !== undefined && away(second) === away(first!) ? undefined : first;
}

function isBlankFrom(line: number, text: WorkingText): boolean {
  while (line < text.count && text.textAt(line).trim() === "") line++;
  return line === text.count;
}
