import { type Block, enclosingBlocks } from "../../syntax/index.ts";
import type { Lines } from "../../text/index.ts";

/** A stretch of whole lines that a formatter lays out by itself. */
export interface LayoutUnit {
  /** The lines `[first, end)`. */
  readonly first: number;
  readonly end: number;
  /** What it has to stand in, to be read. */
  readonly within: "block" | "class" | "interface" | "enum";
}

/** The most lines of a unit. */
const maxLines = 80;

/** The smallest unit that holds the lines `[first, end)`, or `undefined` where there is none, or it is too long. */
export function unitAround(blocks: readonly Block[], lines: Lines, first: number, end: number): LayoutUnit | undefined {
  const [start, stop] = [firstCode(lines, first, end), lines.end(end - 1)];
  const around = enclosingBlocks(blocks, start);
  for (let i = around.length - 1; i >= 0; i--) {
    const { range, kind, what } = around[i]!;
    if (range.start > start || range.end < lastCode(lines, stop)) continue;
    const unit = { first: lines.lineAt(range.start), end: lines.lineAt(range.end) + 1 };
    if (unit.end - unit.first > maxLines) return undefined;
    if (!standsAlone(lines, unit, range)) continue;
    const within = kind === "member" ? memberOf(around[i - 1]?.what) : what === "case" ? undefined : "block";
    if (within !== undefined) return { ...unit, within };
  }
  return undefined;
}

/** What a member of a block stands in; `undefined` where it cannot stand there alone. */
function memberOf(what: Block["what"] | undefined): LayoutUnit["within"] | undefined {
  if (what === "class" || what === "enum") return what;
  return what === "interface" || what === "type" ? "interface" : undefined;
}

/** Where the first word or mark of lines stands. */
function firstCode(lines: Lines, first: number, end: number): number {
  for (let line = first; line < end; line++) {
    const at = lines.text(line).search(/\S/);
    if (at >= 0) return lines.start(line) + at;
  }
  return lines.start(first);
}

/** Where the last word or mark of a line ends, without the mark that ends a statement or an item. */
function lastCode(lines: Lines, stop: number): number {
  const line = lines.lineAt(stop);
  return lines.start(line) + lines.text(line).replace(/[\s;,]+$/, "").length;
}

/** Whether nothing else stands on the lines of a range. */
function standsAlone(lines: Lines, { first, end }: Omit<LayoutUnit, "within">, range: Block["range"]): boolean {
  const front = lines.text(first).slice(0, range.start - lines.start(first));
  const back = lines.text(end - 1).slice(range.end - lines.start(end - 1));
  return front.trim() === "" && /^[;,\s]*$/.test(back);
}
