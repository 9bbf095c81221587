import { type Edit, withoutReturn } from "../text/index.ts";
import { trySecretPath } from "../workspace/index.ts";
import {
  firstLine,
  joinedSteps,
  type LineStart,
  lineAround,
  type PastEdit,
  stepsOf,
  withReplacement,
} from "./edit-steps.ts";

/** How much an {@link EditHistory} keeps. */
export interface EditHistoryOptions {
  /** The most edits; default: 25. */
  readonly maxEntries?: number;
  /** How long an edit is of interest, in milliseconds; default: ten minutes. */
  readonly maxAgeMs?: number;
  /**
   * An edit of more lines than this, before or after, was not written by hand and is not kept;
   * default: 100.
   */
  readonly maxLines?: number;
}

/**
 * What was edited lately in all documents, whole lines at a time.
 *
 * Edits that touch one another, or lines next to each other, become one, however many keys they
 * took; one that is taken back is gone. Files that keep secrets are never in it. Memory is bounded
 * by the number of edits and their lines, and the texts of their files.
 *
 * Laws: an edit's `after` is what its lines of the present text say. While nothing is forgotten,
 * all edits of a file taken back give the lines that it had at first. When a text changed without a
 * notification (another branch, another program), edits that it no longer contains are dropped.
 */
export class EditHistory {
  readonly #maxEntries: number;
  readonly #maxAgeMs: number;
  readonly #maxLines: number;
  /** As they were made, the oldest first. */
  #steps: readonly PastEdit[] = [];
  /** The same, with those of lines next to each other as one, the one made last at the end. */
  #entries: readonly PastEdit[] = [];
  /** Edits of several steps, by the newest of them. */
  readonly #wholes = new WeakMap<PastEdit, PastEdit>();
  /**
   * The texts of the files that have edits, as they were left, with the start of the line that was
   * edited last.
   */
  readonly #texts = new Map<string, { readonly text: string; readonly line: LineStart }>();

  constructor(options: EditHistoryOptions = {}) {
    this.#maxEntries = options.maxEntries ?? 25;
    this.#maxAgeMs = options.maxAgeMs ?? 600_000;
    this.#maxLines = options.maxLines ?? 100;
  }

  /**
   * Adds an edit of the file at `path`, whose text was `before`, made at `nowMs` on a clock of the
   * caller. Where `before` is not the text that the last edit left, earlier edits that it does not
   * show are dropped. Edits over the limits of the history are dropped, the oldest first. Secret
   * files are ignored.
   */
  record(path: string, before: string, edit: Edit, nowMs: number): void {
    if (trySecretPath(path) !== undefined) return;
    const known = this.#texts.get(path);
    if (known !== undefined && known.text !== before) this.#forgetUnshown(path, before);
    let line = known?.text === before ? known.line : firstLine;
    let text = before;
    let steps = this.#steps;
    // What one edit does to lines next to each other is one step.
    const own = new Set<PastEdit>();
    // From the last to the first, so that the offsets of those still to come hold.
    for (const { start, end, text: inserted } of edit.edits.toReversed()) {
      const after = text.slice(0, start) + inserted + text.slice(end);
      line = lineAround(text, start, line);
      steps = withReplacement(steps, {
        path,
        before: { text, end },
        after: { text: after, end: start + inserted.length },
        from: line,
        atMs: nowMs,
        own,
      });
      text = after;
    }
    this.#take(steps);
    this.#forgetLongest();
    this.#texts.delete(path);
    this.#texts.set(path, { text, line });
    this.#forgetTexts();
  }

  /**
   * Moves the edits of a file to its new path. Edits of another file with that path are dropped,
   * and all of them where the new path is that of a secret file.
   */
  rename(path: string, newPath: string): void {
    if (path === newPath) return;
    this.forget(newPath);
    const known = this.#texts.get(path);
    this.#texts.delete(path);
    this.#take(this.#steps.map((edit) => (edit.path === path ? { ...edit, path: newPath } : edit)));
    if (trySecretPath(newPath) !== undefined) this.forget(newPath);
    else if (known !== undefined) this.#texts.set(newPath, known);
  }

  /** Removes the edits of a file, as when its path now names another one. */
  forget(path: string): void {
    this.#take(this.#steps.filter((edit) => edit.path !== path));
    this.#texts.delete(path);
  }

  /** Removes all edits, as after a checkout of another branch. */
  forgetAll(): void {
    this.#take([]);
    this.#texts.clear();
  }

  /**
   * The edits that are no older than `maxAgeMs` at `nowMs`, the oldest first. The same edits are
   * the same objects until they are moved.
   */
  entries(nowMs: number): readonly PastEdit[] {
    return this.#entries.filter(({ atMs }) => nowMs - atMs <= this.#maxAgeMs);
  }

  #take(steps: readonly PastEdit[]): void {
    this.#steps = steps;
    this.#entries = joinedSteps(steps, this.#wholes);
  }

  /** Forgets what is too long, and the oldest of what is too much. */
  #forgetLongest(): void {
    const isShort = ({ before, after }: PastEdit) => Math.max(before.length, after.length) <= this.#maxLines;
    const kept = this.#entries.filter(isShort).slice(-this.#maxEntries);
    if (kept.length === this.#entries.length) return;
    const steps = new Set(kept.flatMap(stepsOf));
    this.#take(this.#steps.filter((edit) => steps.has(edit)));
  }

  /** Forgets the edits of a file that a text of it does not show. */
  #forgetUnshown(path: string, text: string): void {
    const lines = text.split("\n").map(withoutReturn);
    const isShown = ({ lines: { start, end }, after }: PastEdit) => sameLines(lines.slice(start, end), after);
    this.#take(this.#steps.filter((edit) => edit.path !== path || isShown(edit)));
  }

  /** Lets go of the texts of files without edits, but for the one edited last. */
  #forgetTexts(): void {
    const edited = new Set(this.#steps.map(({ path }) => path));
    const paths = [...this.#texts.keys()];
    for (const path of paths.slice(0, -1)) if (!edited.has(path)) this.#texts.delete(path);
  }
}

/**
 * An edit as lines that begin with `+` and, after them, `-`: the present lines come first and the
 * earlier ones last, so that they do not look like the next edit. Blank lines, and lines on both
 * sides, are left out.
 *
 * Of the line `cursorLine` (from 0) only the old text is printed: its present text is in the
 * prompt, and changes with every key. Empty when nothing is left to print. Long edits are cut to
 * `maxLines` of each sign, default: 10.
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

function sameLines(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, i) => line === other[i]);
}
