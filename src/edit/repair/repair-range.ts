import { fileLines } from "../../formats/index.ts";
import { allBlocks, blocksOf, type Syntax } from "../../syntax/index.ts";
import type { TextRange } from "../../text/index.ts";
import type { ChangedFile } from "../changed-files.ts";
import { type LineRange, lineFinder } from "../line-range.ts";

/** A file that a change broke. */
export interface BrokenFile extends Pick<ChangedFile, "language" | "languageBefore" | "before" | "edit" | "after"> {
  /** The line of `after` where the mistake more likely is, from 0. */
  readonly suspectLine: number;
  /** The line of the bracket that is not closed, where one is known. */
  readonly openerLine?: number | undefined;
}

/** The most lines of one repair; of longer blocks, a part around the fault is repaired. */
const maxLines = 80;

/**
 * Chooses the lines of a broken text to rewrite, at most 80: the smallest block with the fault, the
 * unclosed bracket and the nearest edit, together with the lines directly beside the edit.
 *
 * Blocks are those of the text before, mapped through the edit, because the blocks of a broken text
 * are unreliable. A block whose end was replaced by the edit does not contain the edit; the lines
 * around the edit are repaired then.
 */
export async function repairRange(file: BrokenFile, syntax: Syntax): Promise<LineRange> {
  const { before, after, edit } = file;
  const toLines = lineFinder(after);
  const whole = { start: 0, end: fileLines(after).length };
  const last = Math.max(0, whole.end - 1);
  const suspectLine = Math.min(file.suspectLine, last);
  const openerLine = Math.min(file.openerLine ?? suspectLine, last);
  const fault = around([
    { start: suspectLine, end: suspectLine + 1 },
    { start: openerLine, end: openerLine + 1 },
  ]);
  const hunk = hunkNear(suspectLine, file, toLines);
  const replaced = hunk && withoutBlanks(before, hunk.before);
  const needed = hunk === undefined ? fault : around([fault, toLines(withoutBlanks(after, hunk.after))]);

  const old = (await blocksIn(before, file.languageBefore, syntax))
    .filter(({ start, end }) => replaced === undefined || (start <= replaced.start && replaced.end <= end))
    .map((range) => toLines(edit.mapRange(range, "include")));
  const blocks = [smallestWith(needed, old) ?? covering(needed, old), ...(hunk ? [edges(toLines(hunk.after))] : [])];
  const block = clip(around(blocks), whole);
  if (lengthOf(block) <= maxLines) return block;
  const fresh = (await blocksIn(after, file.language, syntax)).map(toLines);
  const inner = smallestWith(fault, fresh);
  if (inner !== undefined && lengthOf(inner) <= maxLines) return inner;
  const start = Math.max(block.start, suspectLine - maxLines / 2);
  return { start, end: Math.min(block.end, start + maxLines) };
}

/** The range without white space at its ends, which belongs to no block. */
function withoutBlanks(text: string, { start, end }: TextRange): TextRange {
  const inside = text.slice(start, end);
  if (inside.trim() === "") return { start, end };
  return { start: end - inside.trimStart().length, end: start + inside.trimEnd().length };
}

/** The ranges of all blocks of a text; empty where its language has no grammar. */
async function blocksIn(text: string, language: string, syntax: Syntax): Promise<readonly TextRange[]> {
  using tree = await syntax.parse({ language, text });
  if (tree === undefined) return [];
  return Array.from(allBlocks(blocksOf(tree)), ({ fullRange }) => fullRange);
}

function smallestWith(needed: LineRange, blocks: readonly LineRange[]): LineRange | undefined {
  const holding = blocks.filter(({ start, end }) => start <= needed.start && needed.end <= end);
  return holding.reduce<LineRange | undefined>(
    (best, block) => (best !== undefined && lengthOf(best) <= lengthOf(block) ? best : block),
    undefined,
  );
}

/**
 * The needed lines, extended by the smallest blocks that contain their first and their last line.
 */
function covering(needed: LineRange, blocks: readonly LineRange[]): LineRange {
  const first = smallestWith({ start: needed.start, end: needed.start + 1 }, blocks);
  const last = smallestWith({ start: needed.end - 1, end: needed.end }, blocks);
  return around([needed, first ?? needed, last ?? needed]);
}

/** Adjacent replacements, as ranges of the text before and of the text after. */
interface Hunk {
  readonly before: TextRange;
  readonly after: TextRange;
}

/** The most unchanged lines between two replacements that count as one hunk. */
const maxGap = 2;

/** The hunk nearest to a line; `undefined` for an empty edit. */
function hunkNear(line: number, { edit }: BrokenFile, toLines: (range: TextRange) => LineRange): Hunk | undefined {
  const ranges = edit.rangesAfter();
  const lines = ranges.map(toLines);
  const distances = lines.map(({ start, end }) => Math.max(0, start - line, line - Math.max(start, end - 1)));
  let first = distances.indexOf(Math.min(...distances));
  if (first < 0) return undefined;
  let last = first;
  while (first > 0 && lines[first]!.start - lines[first - 1]!.end <= maxGap) first--;
  while (last + 1 < lines.length && lines[last + 1]!.start - lines[last]!.end <= maxGap) last++;
  return {
    before: { start: edit.edits[first]!.start, end: edit.edits[last]!.end },
    after: { start: ranges[first]!.start, end: ranges[last]!.end },
  };
}

/**
 * The lines of an edit and one on each side, where a mistaken boundary usually took or left a line.
 */
function edges({ start, end }: LineRange): LineRange {
  return { start: start - 1, end: end + 1 };
}

function around(ranges: readonly LineRange[]): LineRange {
  return {
    start: Math.min(...ranges.map(({ start }) => start)),
    end: Math.max(...ranges.map(({ end }) => end)),
  };
}

function clip({ start, end }: LineRange, whole: LineRange): LineRange {
  const first = Math.min(Math.max(start, 0), Math.max(0, whole.end - 1));
  return { start: first, end: Math.max(first, Math.min(end, whole.end)) };
}

function lengthOf({ start, end }: LineRange): number {
  return end - start;
}
