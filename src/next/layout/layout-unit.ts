import { type Block, enclosingBlocks } from "../../syntax/index.ts";
import type { Lines } from "../../text/index.ts";

/** A range of whole lines that a formatter can format alone. */
export interface LayoutUnit {
  /** The line indexes `[first, end)`, from 0. */
  readonly first: number;
  readonly end: number;
  /** The construct that must enclose it so that it parses. */
  readonly within: "block" | "class" | "interface" | "enum";
}

/** The most lines of a unit. */
const maxLines = 80;

/**
 * Returns the smallest unit that contains the lines `[first, end)`, or `undefined` where there is
 * none or it is too long.
 */
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

/**
 * The construct that encloses a member; `undefined` where the member cannot be parsed alone in it.
 */
function memberOf(what: Block["what"] | undefined): LayoutUnit["within"] | undefined {
  if (what === "class" || what === "enum") return what;
  return what === "interface" || what === "type" ? "interface" : undefined;
}

/** The offset of the first character of lines that is not white space. */
function firstCode(lines: Lines, first: number, end: number): number {
  for (let line = first; line < end; line++) {
    const at = lines.text(line).search(/\S/);
    if (at >= 0) return lines.start(line) + at;
  }
  return lines.start(first);
}

/** The offset where the last code of a line ends, without a final semicolon or comma. */
function lastCode(lines: Lines, stop: number): number {
  const line = lines.lineAt(stop);
  return lines.start(line) + lines.text(line).replace(/(?<![\s;,])[\s;,]+$/, "").length;
}

/** Whether the lines of a range contain nothing else. */
function standsAlone(lines: Lines, { first, end }: Omit<LayoutUnit, "within">, range: Block["range"]): boolean {
  const front = lines.text(first).slice(0, range.start - lines.start(first));
  const back = lines.text(end - 1).slice(range.end - lines.start(end - 1));
  return front.trim() === "" && /^[;,\s]*$/.test(back);
}
