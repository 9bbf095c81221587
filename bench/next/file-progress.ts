import { diffSequences, Edit } from "../../src/text/index.ts";
import { type CommitHunk, linesOf } from "./commit-hunks.ts";
import { tokensOf } from "./hunk-words.ts";

/** What a suggestion is worth, held against what the commit makes of the file. */
export type Verdict =
  /** Each line that it changes is one that the commit changes so. */
  | "exact"
  /**
   * Each word and mark that it changes is one that the commit changes so, on lines that the commit
   * changes further.
   */
  | "part"
  /** It touches a line that the commit still changes, otherwise. */
  | "place"
  /** Neither. */
  | "wrong";

/** Lines of the present text that are still to become lines of the text after the commit. */
interface OpenPart {
  /** `[start, end)` of the present lines. */
  start: number;
  end: number;
  readonly afterStart: number;
  readonly afterEnd: number;
  /** The index of the hunk that it is a part of. */
  readonly hunk: number;
}

/** The most changed lines that are compared exactly. */
const maxCost = 4096;

/** A file on its way through a commit: which of its hunks are made, and which are open. */
export class FileProgress {
  readonly hunks: readonly CommitHunk[];
  readonly #target: readonly string[];
  #lines: string[];
  #open: OpenPart[];
  /** How far the lines are from the target, once it is known. */
  #left: number | undefined;

  constructor(before: string, after: string, hunks: readonly CommitHunk[]) {
    this.hunks = hunks;
    this.#lines = linesOf(before);
    this.#target = linesOf(after);
    this.#open = hunks.map((hunk, index) => ({
      start: hunk.beforeStart,
      end: hunk.beforeStart + hunk.before.length,
      afterStart: hunk.afterStart,
      afterEnd: hunk.afterStart + hunk.after.length,
      hunk: index,
    }));
  }

  get text(): string {
    return this.#lines.join("\n");
  }

  /** The indexes of the hunks that are not made yet, ascending. */
  get open(): readonly number[] {
    return [...new Set(this.#open.map(({ hunk }) => hunk))].sort((a, b) => a - b);
  }

  /**
   * Makes what is left of a hunk. Gives the edit of the text so far, and where it ends in the text
   * after.
   */
  make(hunk: number): { readonly edit: Edit; readonly end: number } {
    const starts = lineStarts(this.#lines);
    const parts = this.#open.filter((part) => part.hunk === hunk);
    const edit = Edit.of(
      parts.map(({ start, end, afterStart, afterEnd }) => {
        const fresh = this.#target.slice(afterStart, afterEnd);
        return replaceLines(this.#lines, starts, { start, end }, fresh);
      }),
    );
    let shift = 0;
    const left: OpenPart[] = [];
    for (const part of this.#open) {
      if (part.hunk === hunk) shift += part.afterEnd - part.afterStart - (part.end - part.start);
      else left.push({ ...part, start: part.start + shift, end: part.end + shift });
    }
    this.#lines = linesOf(edit.apply(this.text));
    this.#left = undefined;
    this.#open = left;
    return { edit, end: edit.rangesAfter().at(-1)!.end };
  }

  /** Judges an edit of the present text. */
  judge(edit: Edit): Verdict {
    const after = linesOf(edit.apply(this.text));
    const size = distance(this.#lines, after);
    if (size === 0) return "wrong";
    const left = distance(after, this.#target);
    this.#left ??= distance(this.#lines, this.#target);
    if (left === this.#left - size) return "exact";
    const changes = diffSequences(this.#lines, after, maxCost);
    if (!changes.some(({ beforeStart, beforeEnd }) => this.isOpenAt(beforeStart, beforeEnd))) return "wrong";
    const tokens = [this.#lines, after, this.#target].map((lines) => tokensOf(lines).map(({ text }) => text));
    const [old, fresh, target] = tokens as [string[], string[], string[]];
    return distance(fresh, target) === distance(old, target) - distance(old, fresh) ? "part" : "place";
  }

  /**
   * Whether the lines `[start, end)` of the present text touch one that the commit still changes.
   */
  isOpenAt(start: number, end: number): boolean {
    return this.#open.some((part) => part.start <= end && part.end >= start);
  }

  /** Takes in an edit that {@link judge} calls exact. Gives the hunks that are made with it. */
  accept(edit: Edit): readonly number[] {
    const before = this.open;
    const after = linesOf(edit.apply(this.text));
    this.#open = this.#openWithin(after) ?? this.#openFromTarget(after);
    this.#lines = after;
    this.#left = undefined;
    const still = new Set(this.open);
    return before.filter((hunk) => !still.has(hunk));
  }

  /**
   * What is open when the lines become these, where each change of them lies in one open part;
   * `undefined` where one does not.
   */
  #openWithin(after: readonly string[]): OpenPart[] | undefined {
    const changes = diffSequences(this.#lines, after, maxCost);
    const left: OpenPart[] = [];
    let taken = 0;
    let shift = 0;
    for (const part of this.#open) {
      const own = changes.filter(({ beforeStart, beforeEnd }) => part.start <= beforeStart && beforeEnd <= part.end);
      taken += own.length;
      const start = part.start + shift;
      for (const change of own) {
        shift += change.afterEnd - change.afterStart - (change.beforeEnd - change.beforeStart);
      }
      const end = part.end + shift;
      if (own.length === 0) {
        left.push({ ...part, start, end });
        continue;
      }
      const target = this.#target.slice(part.afterStart, part.afterEnd);
      for (const rest of diffSequences(after.slice(start, end), target, maxCost)) {
        left.push({
          ...{ start: start + rest.beforeStart, end: start + rest.beforeEnd },
          ...{ afterStart: part.afterStart + rest.afterStart, afterEnd: part.afterStart + rest.afterEnd },
          hunk: part.hunk,
        });
      }
    }
    return taken === changes.length ? left : undefined;
  }

  /**
   * What is open when the lines become these, found without what was open before: the place of
   * a line decides which hunk it belongs to.
   */
  #openFromTarget(after: readonly string[]): OpenPart[] {
    const parts = this.#open;
    return diffSequences(after, this.#target, maxCost).map(({ beforeStart, beforeEnd, afterStart, afterEnd }) => ({
      ...{ start: beforeStart, end: beforeEnd, afterStart, afterEnd },
      hunk: nearest(parts, afterStart, afterEnd),
    }));
  }
}

/** How many lines, or tokens, go and come between two texts, at least. */
function distance(before: readonly string[], after: readonly string[]): number {
  let sum = 0;
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of diffSequences(before, after, maxCost)) {
    sum += beforeEnd - beforeStart + afterEnd - afterStart;
  }
  return sum;
}

/** The hunk of the part that is nearest to lines of the text after the commit. */
function nearest(parts: readonly OpenPart[], start: number, end: number): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const { afterStart, afterEnd, hunk } of parts) {
    const gap = Math.max(afterStart - end, start - afterEnd, 0);
    const overlap = Math.min(afterEnd, end) - Math.max(afterStart, start);
    const far = gap > 0 ? gap : -Math.max(0, overlap);
    if (far < least) {
      least = far;
      best = hunk;
    }
  }
  return best;
}

/** The offset of each line, and behind the last the offset where one more would begin. */
function lineStarts(lines: readonly string[]): number[] {
  const starts = [0];
  for (const line of lines) starts.push(starts.at(-1)! + line.length + 1);
  return starts;
}

/** The replacement of lines by others in a text whose lines are joined by line feeds. */
function replaceLines(
  lines: readonly string[],
  starts: readonly number[],
  { start, end }: { readonly start: number; readonly end: number },
  fresh: readonly string[],
): { start: number; end: number; text: string } {
  const length = starts[lines.length]! - 1;
  // The last line has no line feed: with it goes, or comes, the one before it.
  if (start === lines.length && lines.length > 0)
    return { start: length, end: length, text: fresh.map((line) => `\n${line}`).join("") };
  if (end < lines.length)
    return { start: starts[start]!, end: starts[end]!, text: fresh.map((line) => `${line}\n`).join("") };
  if (fresh.length > 0) return { start: starts[start]!, end: length, text: fresh.join("\n") };
  return { start: Math.max(0, starts[start]! - 1), end: length, text: "" };
}
