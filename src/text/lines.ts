import type { Edit } from "./edit.ts";
import { EmendError } from "./errors.ts";

/**
 * A position in a text: the index of a line and a column in it, both from 0, columns in UTF-16 code
 * units.
 */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The end of a line. */
export type LineEnding = "\n" | "\r\n" | "\r";

/**
 * U+FEFF, which some editors write at the start of a file. Where present it is part of the text and
 * of line 0.
 */
export const byteOrderMark = "\uFEFF";

/** A text without its byte order mark, as in editors. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text;
}

/**
 * The lines of a text, by the offsets of their starts and ends. Immutable.
 *
 * A line ends with `\n`, `\r\n` or `\r`, as in the Language Server Protocol; other separators of
 * Unicode are ordinary characters. The text after the last line ending is a line too, so a text has
 * one line more than it has line endings: `""` has one line and `"a\n"` has two. Line indexes and
 * columns start at 0; offsets count UTF-16 code units.
 */
export class Lines {
  /**
   * Finds the lines of `source`, in one pass over it. Those of a long text are computed once, as
   * long as something holds them.
   */
  static of(source: string): Lines {
    const known = recentLong.find((one) => one.deref()?.source === source)?.deref();
    if (known !== undefined) return known;
    const hasReturns = source.includes("\r");
    const starts = hasReturns ? lineStarts(source, 1, source.length, [0]) : startsBehindFeeds(source);
    return new Lines(source, new Uint32Array(starts));
  }

  /** The whole text. */
  readonly source: string;
  readonly #starts: Uint32Array;

  private constructor(source: string, starts: Uint32Array) {
    this.source = source;
    this.#starts = starts;
    if (source.length < longText) return;
    recentLong.unshift(new WeakRef(this));
    recentLong.splice(maxRecentLong);
  }

  /** The number of lines, at least 1. */
  get count(): number {
    return this.#starts.length;
  }

  /** Whether the text begins with a {@link byteOrderMark}. */
  get hasByteOrderMark(): boolean {
    return this.source.startsWith(byteOrderMark);
  }

  /**
   * The offset at which the line begins. Throws `EmendError` `out-of-bounds` when there is no such
   * line.
   */
  start(lineIndex: number): number {
    const start = this.#starts[lineIndex];
    if (start === undefined) {
      throw new EmendError("out-of-bounds", `There is no line ${lineIndex} among ${this.count} lines, counted from 0`);
    }
    return start;
  }

  /**
   * The offset at which the line's text ends, before its line ending. Throws like
   * {@link start}.
   */
  end(lineIndex: number): number {
    const end = this.endWithBreak(lineIndex);
    return lineIndex === this.count - 1 ? end : end - breakLength(this.source, end);
  }

  /**
   * The offset after the line's ending, where the next line begins or the text ends. Throws like
   * {@link start}.
   */
  endWithBreak(lineIndex: number): number {
    this.start(lineIndex);
    return this.#starts[lineIndex + 1] ?? this.source.length;
  }

  /** The line's text without its line ending. Throws like {@link start}. */
  text(lineIndex: number): string {
    return this.source.slice(this.start(lineIndex), this.end(lineIndex));
  }

  /** The line's text with its line ending. Throws like {@link start}. */
  textWithBreak(lineIndex: number): string {
    return this.source.slice(this.start(lineIndex), this.endWithBreak(lineIndex));
  }

  /**
   * Returns the index of the line that contains `offset`; an offset inside a line ending belongs to
   * the line before it.
   *
   * Throws `EmendError` `out-of-bounds` unless `offset` is within `[0, length]`.
   */
  lineAt(offset: number): number {
    if (!(offset >= 0 && offset <= this.source.length)) {
      throw new EmendError("out-of-bounds", `Offset ${offset} lies outside a text of ${this.source.length} code units`);
    }
    return lastAtMost(this.#starts, offset);
  }

  /**
   * Returns the line and column of `offset`. Throws like {@link lineAt}.
   *
   * Law: `offsetAt(positionAt(offset))` equals `offset`, also inside a line ending.
   */
  positionAt(offset: number): Position {
    const line = this.lineAt(offset);
    return { line, column: offset - this.start(line) };
  }

  /**
   * Returns the offset of a line and column.
   *
   * Throws `EmendError` `out-of-bounds` when there is no such line, or the column is not on it: a
   * column may reach the end of the line's text, or lie inside its line ending, but not reach the
   * next line.
   */
  offsetAt(position: Position): number {
    const offset = this.start(position.line) + position.column;
    const last = position.line === this.count - 1 ? this.source.length : this.endWithBreak(position.line) - 1;
    if (position.column >= 0 && offset <= last) return offset;
    const length = this.end(position.line) - this.start(position.line);
    throw new EmendError("out-of-bounds", `There is no column ${position.column} on a line of ${length} code units`);
  }

  /**
   * Returns the lines of the text after `edit`. Only the changed parts are read.
   *
   * Throws `EmendError` `out-of-bounds` when a range of the edit ends past the end of the text.
   * Law: `lines.apply(edit)` equals `Lines.of(edit.apply(lines.source))`.
   */
  apply(edit: Edit): Lines {
    if (edit.isEmpty) return this;
    const after = edit.apply(this.source);
    const ranges = edit.rangesAfter();

    // Whether a line starts at an offset depends on the characters on its two sides only. So the
    // starts at both ends of an edit, and between them, are computed again; all others just move.
    const added: number[][] = [];
    const kept: { readonly from: number; readonly to: number; readonly shift: number }[] = [];
    let from = 0;
    let shift = 0;
    let scanned = 0;
    let count = 0;
    for (const [i, { start, end }] of edit.edits.entries()) {
      const to = lastAtMost(this.#starts, start - 1) + 1;
      kept.push({ from, to: Math.max(from, to), shift });
      const range = ranges[i]!;
      const fresh = lineStarts(after, Math.max(range.start, scanned), range.end, []);
      if (range.start === 0 && scanned === 0) fresh.unshift(0);
      added.push(fresh);
      count += Math.max(from, to) - from + fresh.length;
      from = Math.max(from, lastAtMost(this.#starts, end) + 1);
      scanned = range.end + 1;
      shift = range.end - end;
    }
    const starts = new Uint32Array(count + this.count - from);
    let filled = 0;
    for (const [i, { from, to, shift }] of kept.entries()) {
      for (let k = from; k < to; k++) starts[filled++] = this.#starts[k]! + shift;
      for (const start of added[i]!) starts[filled++] = start;
    }
    for (let k = from; k < this.count; k++) starts[filled++] = this.#starts[k]! + shift;
    return new Lines(after, starts);
  }
}

/**
 * A text of this length, in UTF-16 units, may have so many lines that they are not computed twice.
 */
const longText = 100_000;
/** How many long texts are compared with a new one. */
const maxRecentLong = 4;
/** The lines of the last long texts. */
const recentLong: WeakRef<Lines>[] = [];

/**
 * Returns the most frequent line ending of `text`, or `undefined` when it has none.
 *
 * Of two that are equally frequent, the first one in the text is returned.
 */
export function detectLineEnding(text: string): LineEnding | undefined {
  // The usual case, and much faster than reading each character.
  if (!text.includes("\r")) return text.includes("\n") ? "\n" : undefined;
  const counts = new Map<LineEnding, number>();
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit !== lineFeed && unit !== carriageReturn) continue;
    const both = unit === carriageReturn && text.charCodeAt(i + 1) === lineFeed;
    const ending = both ? "\r\n" : unit === lineFeed ? "\n" : "\r";
    counts.set(ending, (counts.get(ending) ?? 0) + 1);
    if (both) i++;
  }
  let best: LineEnding | undefined;
  for (const [ending, count] of counts) {
    if (best === undefined || count > counts.get(best)!) best = ending;
  }
  return best;
}

const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** Returns the line starts of a text in which all line endings are `\n`. */
function startsBehindFeeds(text: string): number[] {
  const starts = [0];
  for (let feed = text.indexOf("\n"); feed >= 0; feed = text.indexOf("\n", feed + 1)) starts.push(feed + 1);
  return starts;
}

/**
 * Appends to `starts` every offset in `[from, to]`, from 1 on, at which a line starts because one
 * ended before it.
 */
function lineStarts(text: string, from: number, to: number, starts: number[]): number[] {
  for (let i = Math.max(from, 1); i <= to; i++) {
    const unit = text.charCodeAt(i - 1);
    if (unit === lineFeed || (unit === carriageReturn && text.charCodeAt(i) !== lineFeed)) starts.push(i);
  }
  return starts;
}

/** Returns the length of the line ending that ends at `offset`. */
function breakLength(text: string, offset: number): number {
  return text.charCodeAt(offset - 1) === lineFeed && text.charCodeAt(offset - 2) === carriageReturn ? 2 : 1;
}

/** Returns the index of the last of the ascending `values` that is at most `limit`, or -1. */
function lastAtMost(values: Uint32Array, limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * Returns a text on one line: each run of white space becomes one blank, without those at the ends.
 */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Converts all line endings of a text to `\n`. */
export function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

/** A line without the `\r` at its end. */
export function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
