import { trySecretPath } from "../codebase/index.ts";
import { type Edit, sameEnds, type TextRange } from "../text/index.ts";

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
  /** Whether its lines, as many as before, were edited one by one, so that each is an edit of its own to the person. */
  readonly isByLine?: boolean;
}

/**
 * What was edited lately in all documents, whole lines at a time.
 *
 * Edits that touch one another, or lines next to each other, become one, however many keys they took; one that is taken
 * back is gone. Files that keep secrets are never in it. Memory is bounded by the number of edits and their lines, and the texts of their files.
 *
 * Laws: an edit's `after` is what its lines of the present text say. While nothing is forgotten, all edits of a file taken back give the lines that it
 * had at first. A text that changed without being told of (another branch, another program) takes the edits with it that it no longer shows.
 */
export class EditHistory {
  readonly #maxEntries: number;
  readonly #maxAgeMs: number;
  readonly #maxLines: number;
  /** The oldest first. */
  #entries: PastEdit[] = [];
  /** The texts of the files that have entries, as they were left, with the start of the line that was edited last. */
  readonly #texts = new Map<string, { readonly text: string; readonly line: LineStart }>();

  constructor(options: EditHistoryOptions = {}) {
    this.#maxEntries = options.maxEntries ?? 25;
    this.#maxAgeMs = options.maxAgeMs ?? 600_000;
    this.#maxLines = options.maxLines ?? 100;
  }

  /** Takes in an edit of the file at `path`, whose text was `before`, made at `nowMs`. */
  record(path: string, before: string, edit: Edit, nowMs: number): void {
    if (trySecretPath(path) !== undefined) return;
    const known = this.#texts.get(path);
    if (known !== undefined && known.text !== before) this.#forgetUnshown(path, before);
    let line = known?.text === before ? known.line : firstLine;
    let text = before;
    // What one edit does to several lines is not done one by one.
    const isOnOneLine = !before.slice(edit.edits[0]?.end, edit.edits.at(-1)?.start).includes("\n");
    // From the last to the first, so that the offsets of those still to come hold.
    for (const { start, end, text: inserted } of edit.edits.toReversed()) {
      const after = text.slice(0, start) + inserted + text.slice(end);
      line = lineAround(text, start, line);
      this.#recordOne(path, { text, end }, { text: after, end: start + inserted.length }, line, {
        atMs: nowMs,
        isOnOneLine,
      });
      text = after;
    }
    this.#texts.delete(path);
    this.#texts.set(path, { text, line });
    this.#forgetTexts();
  }

  /** Goes on with what is known of a file under its new path. What was known of another file there is forgotten. */
  rename(path: string, newPath: string): void {
    if (path === newPath) return;
    this.forget(newPath);
    const known = this.#texts.get(path);
    this.#texts.delete(path);
    this.#entries = this.#entries.map((entry) => (entry.path === path ? { ...entry, path: newPath } : entry));
    if (trySecretPath(newPath) !== undefined) this.forget(newPath);
    else if (known !== undefined) this.#texts.set(newPath, known);
  }

  /** Forgets what was edited in a file, such as one that is now another. */
  forget(path: string): void {
    this.#entries = this.#entries.filter((entry) => entry.path !== path);
    this.#texts.delete(path);
  }

  /** Forgets everything, as after a checkout of another branch. */
  forgetAll(): void {
    this.#entries = [];
    this.#texts.clear();
  }

  /** What is of interest at `nowMs`, the oldest first. */
  entries(nowMs: number): readonly PastEdit[] {
    return this.#entries.filter(({ atMs }) => nowMs - atMs <= this.#maxAgeMs);
  }

  /**
   * Takes in one replacement from the line that begins at `from` on; `before` and `after` are the texts and where the old and the new text end.
   * `isOnOneLine` says whether all of the edit that it is a part of may be on one line.
   */
  #recordOne(
    path: string,
    before: TextUpTo,
    after: TextUpTo,
    from: LineStart,
    { atMs, isOnOneLine }: { readonly atMs: number; readonly isOnOneLine: boolean },
  ): void {
    const oldCount = countLines(before, from);
    const shift = countLines(after, from) - oldCount;
    const edited = { start: from.line, end: from.line + oldCount };

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
    const isOneLineMore = () => {
      if (!isOnOneLine || joined.length === 0 || !joined.every(isByLine)) return false;
      const lost = linesBetween(before.text, edited.start, edited.end, from);
      const got = linesBetween(after.text, edited.start, edited.end + shift, from);
      return isByLine(withoutSameEnds({ path, lines: edited, atMs, before: lost, after: got }));
    };
    // What none of them has touched is in the text as it was before all of them.
    const first: string[] = [];
    let passed = start;
    for (const { lines, before: lost } of joined) {
      first.push(...linesBetween(before.text, passed, lines.start, from), ...lost);
      passed = lines.end;
    }
    first.push(...linesBetween(before.text, passed, end, from));
    const entry = withoutSameEnds({
      ...{ path, lines: { start, end: end + shift }, atMs },
      before: first,
      after: linesBetween(after.text, start, end + shift, from),
      ...(isOneLineMore() && { isByLine: true }),
    });
    const longer = Math.max(entry.before.length, entry.after.length);
    if (longer > 0 && longer <= this.#maxLines) kept.push(entry);
    this.#entries = kept.slice(-this.#maxEntries);
  }

  /** Forgets the edits of a file that a text of it does not show. */
  #forgetUnshown(path: string, text: string): void {
    const lines = text.split("\n").map(withoutReturn);
    this.#entries = this.#entries.filter(
      (entry) => entry.path !== path || sameLines(lines.slice(entry.lines.start, entry.lines.end), entry.after),
    );
  }

  /** Lets go of the texts of files without edits, but for the one edited last. */
  #forgetTexts(): void {
    const edited = new Set(this.#entries.map(({ path }) => path));
    const paths = [...this.#texts.keys()];
    for (const path of paths.slice(0, -1)) if (!edited.has(path)) this.#texts.delete(path);
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

/** A line of a text, counted from 0, and the offset at which it begins. */
interface LineStart {
  readonly line: number;
  readonly offset: number;
}

/** A text of which what stands before `end` is looked at. */
interface TextUpTo {
  readonly text: string;
  readonly end: number;
}

const firstLine: LineStart = { line: 0, offset: 0 };

/** The line that `offset` stands on, found from another line of the text, so that edits near each other are found quickly in long texts. */
function lineAround(text: string, offset: number, near: LineStart): LineStart {
  let { line, offset: start } = near.offset <= offset || near.offset < 2 * offset ? near : firstLine;
  while (start > offset) {
    start = lineBefore(text, start);
    line--;
  }
  for (let feed = text.indexOf("\n", start); feed >= 0 && feed < offset; feed = text.indexOf("\n", start)) {
    start = feed + 1;
    line++;
  }
  return { line, offset: start };
}

/** How many lines a text has from a line on, to the line on which its looked at part ends. */
function countLines({ text, end }: TextUpTo, from: LineStart): number {
  let count = 1;
  for (let at = text.indexOf("\n", from.offset); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** The lines `[start, end)` of a text, without line endings, found from another line of it. */
function linesBetween(text: string, start: number, end: number, near: LineStart): string[] {
  if (start >= end) return [];
  let { line, offset: from } = near;
  for (; line > start; line--) from = lineBefore(text, from);
  for (; line < start; line++) from = text.indexOf("\n", from) + 1;
  let to = text.indexOf("\n", from);
  for (line++; line < end && to >= 0; line++) to = text.indexOf("\n", to + 1);
  return text
    .slice(from, to < 0 ? text.length : to)
    .split("\n")
    .map(withoutReturn);
}

/** Where the line before the one that begins at `start` begins. */
function lineBefore(text: string, start: number): number {
  return start < 2 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
}

function moved(entry: PastEdit, shift: number): PastEdit {
  return { ...entry, lines: { start: entry.lines.start + shift, end: entry.lines.end + shift } };
}

/** An edit without the lines at its ends that are as before: what comes in between two blanks is no change of the line behind it. */
function withoutSameEnds({ lines, before, after, ...entry }: PastEdit): PastEdit {
  const { front, back } = sameEnds(before, after);
  return {
    ...{ ...entry, lines: { start: lines.start + front, end: lines.end - back } },
    ...{ before: before.slice(front, before.length - back), after: after.slice(front, after.length - back) },
  };
}

/** Whether an edit is of one line, or of several that were edited one by one. */
function isByLine({ before, after, isByLine = false }: PastEdit): boolean {
  return isByLine || (before.length === 1 && after.length === 1);
}

function sameLines(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, i) => line === other[i]);
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
