import { groupBy, ownPart, sameEnds, type TextRange, withoutReturn } from "../text/index.ts";

/** Lines of a file that became others. */
export interface PastEdit {
  readonly path: string;
  /**
   * Which lines of the file's present text the change is, `[start, end)` from 0; empty for lines
   * that are gone.
   */
  readonly lines: TextRange;
  /** The lines before, without line endings. */
  readonly before: readonly string[];
  /** The lines after. */
  readonly after: readonly string[];
  /** When it was made last, in the milliseconds of a clock. */
  readonly atMs: number;
  /**
   * How it was made, the oldest first, where it was not made at once: who edits a line and then the
   * next makes two steps. They speak of the present text too.
   */
  readonly steps?: readonly PastEdit[];
}

/**
 * The steps in which an edit was made, the oldest first: the edit itself, where it was made at
 * once.
 */
export function stepsOf(edit: PastEdit): readonly PastEdit[] {
  return edit.steps ?? [edit];
}

/**
 * The steps, with those on adjacent lines of a file joined into one edit; ordered by the newest
 * step of each, the newest last. Joined edits are read from `wholes` and added to it, by their
 * newest step. Those that change nothing as a whole are left out.
 */
export function joinedSteps(steps: readonly PastEdit[], wholes: WeakMap<PastEdit, PastEdit>): readonly PastEdit[] {
  const ageOf = new Map(steps.map((edit, i) => [edit, i]));
  const byAge = (one: PastEdit, other: PastEdit) => ageOf.get(one)! - ageOf.get(other)!;
  const wholeOf = (edits: readonly PastEdit[], own: readonly PastEdit[]) => {
    const newest = own.at(-1)!;
    const known = wholes.get(newest);
    if (known?.steps?.length === own.length && known.steps.every((step, i) => step === own[i])) return known;
    const whole = { ...inOne(edits), atMs: newest.atMs, steps: own };
    wholes.set(newest, whole);
    return whole;
  };
  return neighbours(steps)
    .map((edits) => ({ edits, own: edits.toSorted(byAge) }))
    .sort((one, other) => byAge(one.own.at(-1)!, other.own.at(-1)!))
    .map(({ edits, own }) => (own.length === 1 ? own[0]! : wholeOf(edits, own)))
    .filter(({ before, after }) => before.length + after.length > 0);
}

/** Edits of lines next to each other as one, in the order of the lines. */
function inOne(edits: readonly PastEdit[]): PastEdit {
  const [first, last] = [edits[0]!, edits.at(-1)!];
  return withoutSameEnds({
    ...first,
    lines: { start: first.lines.start, end: last.lines.end },
    before: edits.flatMap(({ before }) => before),
    after: edits.flatMap(({ after }) => after),
  });
}

/** Steps on lines next to each other, in the order of the lines. */
function neighbours(steps: readonly PastEdit[]): readonly (readonly PastEdit[])[] {
  const groups: PastEdit[][] = [];
  for (const edits of groupBy(steps, ({ path }) => path).values()) {
    let end = -1;
    for (const edit of edits.sort(byLine)) {
      if (edit.lines.start === end) groups.at(-1)!.push(edit);
      else groups.push([edit]);
      end = edit.lines.end;
    }
  }
  return groups;
}

/**
 * Compares edits of one file by their lines; an edit whose lines were removed comes before the one
 * that follows it.
 */
export function byLine({ lines: one }: PastEdit, { lines: other }: PastEdit): number {
  return one.start - other.start || one.end - other.end;
}

/** One replacement in the text of a file. */
export interface Replacement {
  readonly path: string;
  /**
   * The texts, the end of the replaced range in the old one, and of its replacement in the new one.
   */
  readonly before: TextUpTo;
  readonly after: TextUpTo;
  /** The line that it begins on. */
  readonly from: LineStart;
  readonly atMs: number;
  /** Steps that belong to the same edit. */
  readonly own: Set<PastEdit>;
}

/**
 * The steps with one more at the end, or with those that it continues replaced by one. A step that
 * restores the earlier lines is removed, and later lines of the file are moved.
 */
export function withReplacement(
  steps: readonly PastEdit[],
  { path, before, after, from, atMs, own }: Replacement,
): readonly PastEdit[] {
  const [oldEnd, newEnd] = [from.line + countLines(before, from), from.line + countLines(after, from)];
  const made = withoutSameEnds({
    ...{ path, atMs, lines: { start: from.line, end: newEnd } },
    before: linesBetween(before.text, from.line, oldEnd, from),
    after: linesBetween(after.text, from.line, newEnd, from),
  });
  if (made.before.length + made.after.length === 0) return steps;
  const shift = newEnd - oldEnd;
  // The lines of the text before that it is of.
  const edited = { start: made.lines.start, end: made.lines.start + made.before.length };

  const kept: PastEdit[] = [];
  const continued: PastEdit[] = [];
  for (const edit of steps) {
    const { start, end } = edit.lines;
    const isApart = edit.path !== path || end < edited.start || edited.end < start;
    const overlaps = start < edited.end && edited.start < end;
    const isOwn = own.delete(edit);
    if (!isApart && (overlaps || isOwn || (isOneSided(edit) && isOneSided(made)))) {
      continued.push(edit);
      continue;
    }
    const now = edit.path === path && start >= edited.end ? moved(edit, shift) : edit;
    if (isOwn) own.add(now);
    kept.push(now);
  }
  continued.sort(byLine);
  const start = Math.min(edited.start, continued[0]?.lines.start ?? edited.start);
  const end = Math.max(edited.end, continued.at(-1)?.lines.end ?? edited.end);
  // What none of them has touched is in the text as it was before all of them.
  const first: string[] = [];
  let passed = start;
  for (const { lines, before: lost } of continued) {
    first.push(...linesBetween(before.text, passed, lines.start, from), ...lost);
    passed = lines.end;
  }
  first.push(...linesBetween(before.text, passed, end, from));
  const step = withoutSameEnds({
    ...{ path, atMs, lines: { start, end: end + shift } },
    before: first,
    after: linesBetween(after.text, start, end + shift, from),
  });
  if (step.before.length + step.after.length === 0) return kept;
  own.add(step);
  return [...kept, step];
}

/** Whether lines only came, or only went. */
function isOneSided({ before, after }: PastEdit): boolean {
  return before.length === 0 || after.length === 0;
}

/** A line of a text, counted from 0, and the offset at which it begins. */
export interface LineStart {
  readonly line: number;
  readonly offset: number;
}

/** A text that is read up to `end`. */
interface TextUpTo {
  readonly text: string;
  readonly end: number;
}

export const firstLine: LineStart = { line: 0, offset: 0 };

/**
 * The line that contains `offset`, found from another line of the text, so that edits near each
 * other are found quickly in long texts.
 */
export function lineAround(text: string, offset: number, near: LineStart): LineStart {
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
  // Edits outlive the text that they were made in.
  const lines = ownPart(text, from, to < 0 ? text.length : to);
  return lines.split("\n").map(withoutReturn);
}

/** Where the line before the one that begins at `start` begins. */
function lineBefore(text: string, start: number): number {
  return start < 2 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
}

function moved(entry: PastEdit, shift: number): PastEdit {
  if (shift === 0) return entry;
  return { ...entry, lines: { start: entry.lines.start + shift, end: entry.lines.end + shift } };
}

/**
 * An edit without the lines at its ends that are as before: what comes in between two blanks is no
 * change of the line behind it.
 */
function withoutSameEnds({ lines, before, after, ...entry }: PastEdit): PastEdit {
  const { front, back } = sameEnds(before, after);
  return {
    ...{ ...entry, lines: { start: lines.start + front, end: lines.end - back } },
    ...{ before: before.slice(front, before.length - back), after: after.slice(front, after.length - back) },
  };
}
