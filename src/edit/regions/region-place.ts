import { detectLineEnding, isInsideCharacter, printRange, type TextRange, withLineFeeds } from "../../text/index.ts";

/** Why ranges of a text cannot be rewritten as regions. */
export type RegionProblem =
  | { readonly kind: "none"; readonly message: string }
  /** The range ends before it starts, or lies outside of the text. */
  | { readonly kind: "outside"; readonly range: TextRange; readonly message: string }
  /** The range begins or ends inside of a character or of a line ending. */
  | { readonly kind: "torn"; readonly range: TextRange; readonly message: string }
  /** The range overlaps or touches another one. */
  | { readonly kind: "overlapping"; readonly range: TextRange; readonly message: string };

/**
 * A region of a text and the lines around it. All texts have `\n` line endings, whatever the file
 * has.
 */
export interface RegionPlace {
  /** The range of the region, in UTF-16 code units of the text. */
  readonly range: TextRange;
  /** Whether the region consists of whole lines. */
  readonly isLines: boolean;
  /** Whether the new text ends with a line ending, unless it is empty. */
  readonly endsWithBreak: boolean;
  /** The current text of the region. */
  readonly old: string;
  /** The last whole lines above it, at most 60. */
  readonly above: readonly string[];
  /** The first whole lines below it, at most 60. */
  readonly below: readonly string[];
  /**
   * The text on its first line before it, and on its last line after it; both empty for whole
   * lines.
   */
  readonly lineBefore: string;
  readonly lineAfter: string;
}

/** The lines around a region in which repeated lines of an answer are looked for. */
const maxAround = 60;

/**
 * Returns the first problem of ranges that are to be rewritten, in any order, such as `none` for an
 * empty list; `undefined` where there is none. Ranges are in UTF-16 code units.
 */
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

/** Returns the regions sorted by their start. */
export function sortedRegions(ranges: readonly TextRange[]): readonly TextRange[] {
  return [...ranges].sort((a, b) => a.start - b.start || a.end - b.end);
}

/**
 * Describes the region `range` of `text`, in UTF-16 code units, and at most 60 lines on each side
 * of it.
 */
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

/**
 * Converts the `\n` line endings of `text` to those of `other`; returns it unchanged where `other`
 * has none.
 */
export function withLineEndingsOf(text: string, other: string): string {
  const ending = detectLineEnding(other);
  return ending === undefined || ending === "\n" ? text : text.replace(/\n/g, ending);
}

/**
 * The lines of a text with `\n`, without their line endings; what follows the last line ending is a
 * line only if it is not empty.
 */
export function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
