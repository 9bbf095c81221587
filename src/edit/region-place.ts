import { detectLineEnding, isInsideCharacter, printRange, type TextRange } from "../text/index.ts";

/** Why ranges of a text are no regions that could be rewritten. */
export type RegionProblem =
  | { readonly kind: "none"; readonly message: string }
  /** It ends before it starts, or lies outside of the text. */
  | { readonly kind: "outside"; readonly range: TextRange; readonly message: string }
  /** It begins or ends in the middle of a character, or of a line ending. */
  | { readonly kind: "torn"; readonly range: TextRange; readonly message: string }
  /** It overlaps or touches another. */
  | { readonly kind: "overlapping"; readonly range: TextRange; readonly message: string };

/** A region of a text, and the lines around it. Texts and lines are told with `\n`, whatever the file has. */
export interface RegionPlace {
  /** In UTF-16 units of the text. */
  readonly range: TextRange;
  /** Whether it is made of whole lines. */
  readonly isLines: boolean;
  /** Whether its new text ends with a line ending, unless it is empty. */
  readonly endsWithBreak: boolean;
  /** What stands in it. */
  readonly old: string;
  /** The whole lines above it, up to `maxAround` of them. */
  readonly above: readonly string[];
  /** The whole lines below it, up to `maxAround` of them. */
  readonly below: readonly string[];
  /** What stands on its first line before it, and on its last line behind it; both empty for whole lines. */
  readonly lineBefore: string;
  readonly lineAfter: string;
}

/** How many lines around a region an answer may say again. */
const maxAround = 60;

/** What is wrong with ranges of `text` that are to be rewritten, in any order; `undefined` where nothing is. */
export function findRegionProblem(text: string, ranges: readonly TextRange[]): RegionProblem | undefined {
  if (ranges.length === 0) return { kind: "none", message: "There is no region to rewrite. Name at least one." };
  for (const range of ranges) {
    const { start, end } = range;
    if (!(Number.isSafeInteger(start) && Number.isSafeInteger(end) && 0 <= start && start <= end)) {
      return { kind: "outside", range, message: `The region ${printRange(range)} does not start before it ends.` };
    }
    if (end > text.length) {
      const message = `The region ${printRange(range)} lies outside of the text, which has ${text.length} UTF-16 units.`;
      return { kind: "outside", range, message };
    }
    if (isInsideCharacter(text, start) || isInsideCharacter(text, end)) {
      const message = `The region ${printRange(range)} begins or ends inside of a character or a line ending.`;
      return { kind: "torn", range, message };
    }
  }
  const sorted = sortedRegions(ranges);
  const touching = sorted.find((range, index) => index > 0 && range.start <= sorted[index - 1]!.end);
  if (touching === undefined) return undefined;
  const message = `The region ${printRange(touching)} overlaps or touches the one before it. Name them as one.`;
  return { kind: "overlapping", range: touching, message };
}

/** Regions in the order of their text. */
export function sortedRegions(ranges: readonly TextRange[]): readonly TextRange[] {
  return [...ranges].sort((a, b) => a.start - b.start || a.end - b.end);
}

/** Looks at what stands around a region of `text`. */
export function regionPlace(text: string, range: TextRange): RegionPlace {
  const before = withLineFeeds(text.slice(0, range.start).replace(/^\uFEFF/, ""));
  const old = withLineFeeds(text.slice(range.start, range.end));
  const behind = withLineFeeds(text.slice(range.end));
  const startsLine = before === "" || before.endsWith("\n");
  const isLines = startsLine && (behind === "" || old === "" || old.endsWith("\n"));
  const lineBefore = isLines ? "" : before.slice(before.lastIndexOf("\n") + 1);
  const lineAfter = isLines ? "" : /^[^\n]*/.exec(behind)![0];
  return {
    ...{ range, isLines, old, lineBefore, lineAfter },
    endsWithBreak: isLines && (behind !== "" || old === "" || old.endsWith("\n")),
    above: linesOf(before.slice(0, before.length - lineBefore.length)).slice(-maxAround),
    below: linesOf(isLines ? behind : behind.slice(lineAfter.length + 1)).slice(0, maxAround),
  };
}

/** A text with the line endings of another. */
export function withLineEndingsOf(text: string, other: string): string {
  const ending = detectLineEnding(other);
  return ending === undefined || ending === "\n" ? text : text.replace(/\n/g, ending);
}

/** A text with `\n` for each of its line endings. */
export function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

/** The lines of a text with `\n`; what is behind the last ending is a line only if there is something. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
