import { trySecretPath } from "../codebase/index.ts";
import type { Edit, TextRange } from "../text/index.ts";

/** How much an {@link EditHistory} keeps. */
export interface EditHistoryOptions {
  /** The most edits; 25 unless told. */
  readonly maxEntries?: number;
  /** How long an edit is of interest, in milliseconds; ten minutes unless told. */
  readonly maxAgeMs?: number;
  /** An edit of more lines than this, before or after, was not written by hand and is not kept; 100 unless told. */
  readonly maxLines?: number;
}

/** Lines of a file that became others. */
export interface PastEdit {
  readonly path: string;
  /** Which lines of the file's present text the change is, `[start, end)` from 0; empty for lines that are gone. */
  readonly lines: TextRange;
  /** The lines before, without line endings. */
  readonly before: readonly string[];
  /** The lines after. */
  readonly after: readonly string[];
  /** When it was made last, in the milliseconds of a clock. */
  readonly atMs: number;
}

/**
 * What was edited lately in all documents, whole lines at a time.
 *
 * Edits that touch one another, or lines next to each other, become one, however many keys they took; one that is taken
 * back is gone. Files that keep secrets are never in it. Memory is bounded by the number of edits and their lines.
 *
 * Law: an edit's `after` is what its lines of the present text say.
 */
export class EditHistory {
  readonly #maxEntries: number;
  readonly #maxAgeMs: number;
  readonly #maxLines: number;
  /** The oldest first. */
  #entries: PastEdit[] = [];

  constructor(options: EditHistoryOptions = {}) {
    this.#maxEntries = options.maxEntries ?? 25;
    this.#maxAgeMs = options.maxAgeMs ?? 600_000;
    this.#maxLines = options.maxLines ?? 100;
  }

  /** Takes in an edit of the file at `path`, whose text was `before`, made at `nowMs`. */
  record(path: string, before: string, edit: Edit, nowMs: number): void {
    if (trySecretPath(path) !== undefined) return;
    let text = before;
    // From the last to the first, so that the offsets of those still to come hold.
    for (const { start, end, text: inserted } of edit.edits.toReversed()) {
      const after = text.slice(0, start) + inserted + text.slice(end);
      this.#recordOne(path, text, after, { start, end }, inserted.length, nowMs);
      text = after;
    }
  }

  /** Forgets what was edited in a file, such as one that is now another after a checkout. */
  forget(path: string): void {
    this.#entries = this.#entries.filter((entry) => entry.path !== path);
  }

  /** What is of interest at `nowMs`, the oldest first. */
  entries(nowMs: number): readonly PastEdit[] {
    return this.#entries.filter(({ atMs }) => nowMs - atMs <= this.#maxAgeMs);
  }

  #recordOne(path: string, before: string, after: string, range: TextRange, length: number, atMs: number): void {
    const old = linesAround(before, range);
    const fresh = linesAround(after, { start: range.start, end: range.start + length });
    const shift = fresh.lines.length - old.lines.length;
    const edited = { start: old.first, end: old.first + old.lines.length };

    // Entries do not touch each other, so that those which become part of this edit are those that touch it themselves.
    const kept: PastEdit[] = [];
    const joined: PastEdit[] = [];
    for (const entry of this.#entries) {
      if (entry.path !== path || entry.lines.end < edited.start) kept.push(entry);
      else if (entry.lines.start > edited.end) kept.push(moved(entry, shift));
      else joined.push(entry);
    }
    joined.sort((one, other) => one.lines.start - other.lines.start);
    const start = Math.min(edited.start, joined[0]?.lines.start ?? edited.start);
    const end = Math.max(edited.end, joined.at(-1)?.lines.end ?? edited.end);
    // What none of them has touched is in the text as it was before all of them.
    const first: string[] = [];
    let passed = start;
    for (const { lines, before: lost } of joined) {
      first.push(...linesBetween(before, passed, lines.start), ...lost);
      passed = lines.end;
    }
    first.push(...linesBetween(before, passed, end));
    const entry: PastEdit = {
      ...{ path, lines: { start, end: end + shift }, atMs },
      before: first,
      after: linesBetween(after, start, end + shift),
    };
    const isSame = sameLines(entry.before, entry.after);
    const isLong = Math.max(entry.before.length, entry.after.length) > this.#maxLines;
    if (!isSame && !isLong) kept.push(entry);
    this.#entries = kept.slice(-this.#maxEntries);
  }
}

/**
 * An edit as lines that begin with `+` and, behind them, `-`: what stands there now is said first, and what was there
 * last, so that it does not look like what comes next.
 *
 * Of the cursor's own line only what it was is said: what it is stands in the prompt, and changes with every key.
 * Empty when nothing is left to say. Long edits are cut to `maxLines` of each sign, 10 unless told.
 */
export function printPastEdit(edit: PastEdit, cursorLine?: number, maxLines = 10): string {
  const added = edit.after.filter((_, i) => edit.lines.start + i !== cursorLine).filter((line) => line.trim() !== "");
  const removed = edit.before.filter((line) => line.trim() !== "" && !edit.after.includes(line));
  const fresh = added.filter((line) => !edit.before.includes(line));
  const lines = [
    ...fresh.slice(0, maxLines).map((line) => `+${line}`),
    ...removed.slice(0, maxLines).map((line) => `-${line}`),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** The whole lines that a range of a text touches, and which the first of them is. */
function linesAround(text: string, { start, end }: TextRange): { readonly first: number; readonly lines: string[] } {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const feed = text.indexOf("\n", end);
  const lines = text
    .slice(start === 0 ? 0 : from, feed < 0 ? text.length : feed)
    .split("\n")
    .map(withoutReturn);
  let first = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < start; at = text.indexOf("\n", at + 1)) first++;
  return { first, lines };
}

/** The lines `[start, end)` of a text, without line endings. */
function linesBetween(text: string, start: number, end: number): string[] {
  if (start >= end) return [];
  let from = 0;
  for (let line = 0; line < start; line++) from = text.indexOf("\n", from) + 1;
  let to = from;
  for (let line = start; line < end && to >= 0; line++)
    to = line === start ? text.indexOf("\n", from) : text.indexOf("\n", to + 1);
  return text
    .slice(from, to < 0 ? text.length : to)
    .split("\n")
    .map(withoutReturn);
}

function moved(entry: PastEdit, shift: number): PastEdit {
  return { ...entry, lines: { start: entry.lines.start + shift, end: entry.lines.end + shift } };
}

function sameLines(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, i) => line === other[i]);
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
