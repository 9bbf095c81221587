import type { BlockAsk } from "./ask.ts";
import type { AskLenience } from "./ask-outcome.ts";
import type { BlockPlace, BlockPlaces } from "./find-block.ts";
import { hasWords, withFoldedBlanks } from "./line-keys.ts";
import { listLines } from "./name-lines.ts";
import type { WorkingText } from "./working-text.ts";

/** The one place that is meant, and what was given for it. */
export interface SettledPlace {
  readonly place: BlockPlace;
  readonly leniences: readonly AskLenience[];
}

/**
 * Which of several places an ask means, if it says so: the one at the file's end, the first one behind the headings, or the
 * one nearest to a line number.
 *
 * With `takesFirst` the first of them, see `PlaceOptions`. That holds only for lines that were found as they are and have
 * words on them: a lone brace would land anywhere (Aider-AI/aider#685). It is told in any case.
 */
export function settlePlace(
  ask: BlockAsk,
  found: BlockPlaces,
  { text, takesFirst = false }: { readonly text: WorkingText; readonly takesFirst?: boolean | undefined },
): SettledPlace | undefined {
  const { places } = found;
  if (places.length === 1) return { place: places[0]!, leniences: [] };
  const atEnd = ask.isAtEnd === true ? places.filter(({ end }) => isBlankFrom(end, text)) : [];
  if (atEnd.length === 1) return { place: atEnd[0]!, leniences: [] };

  const behind = behindHeadings(ask.headings ?? [], text);
  const afterHeadings = behind === undefined ? places : places.filter(({ start }) => start >= behind);
  if (behind !== undefined && afterHeadings.length > 0) return { place: afterHeadings[0]!, leniences: [] };

  const near = Number.isSafeInteger(ask.near) ? text.numberNow(ask.near!) : undefined;
  const nearest = near === undefined ? undefined : nearestTo(near, places);
  if (nearest !== undefined && (nearest.start === near || found.search.some((line) => hasWords(line)))) {
    const message = `The lines are there ${places.length} times; line ${nearest.start + 1} is nearest to the number given.`;
    return { place: nearest, leniences: nearest.start === near ? [] : [{ kind: "moved", message }] };
  }
  if (takesFirst && found.leniences.length === 0 && found.search.some((line) => hasWords(line))) {
    const starts = listLines(places.map(({ start }) => start));
    const message = `The lines are there ${places.length} times, at lines ${starts}; the first are taken.`;
    return { place: places[0]!, leniences: [{ kind: "repeated", message }] };
  }
  return undefined;
}

/** The number of the line behind the last of the headings, found one after the other from the first line on. */
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

function nearestTo(line: number, places: readonly BlockPlace[]): BlockPlace | undefined {
  const away = ({ start }: BlockPlace) => Math.abs(start - line);
  const [first, second] = places.toSorted((a, b) => away(a) - away(b));
  return second !== undefined && away(second) === away(first!) ? undefined : first;
}

function isBlankFrom(line: number, text: WorkingText): boolean {
  while (line < text.count && text.textAt(line).trim() === "") line++;
  return line === text.count;
}
