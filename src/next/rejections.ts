import { type Edit, minimizeEdit } from "../text/index.ts";

/** How much {@link Rejections} remember. */
export interface RejectionsOptions {
  /** The most rejected suggestions, of all files; 20 unless told, as in microsoft/vscode-copilot-chat. The oldest gives way. */
  readonly maxRejections?: number;
}

/**
 * Suggestions that a person did not want, so that they are not offered again.
 *
 * They follow the typing. One is forgotten when its place is edited: what was wrong there then may be right now. Only an explicit no should come
 * here, not a suggestion that was typed over; the peer counts a no only when the suggestion was there for a second.
 *
 * Laws: bounded; while only other places are edited, what was rejected is rejected still, where it stands now.
 */
export class Rejections {
  readonly #max: number;
  /** The oldest first. */
  #rejected: readonly Rejected[] = [];

  constructor(options: RejectionsOptions = {}) {
    this.#max = options.maxRejections ?? 20;
  }

  /** How many are remembered. */
  get size(): number {
    return this.#rejected.length;
  }

  /** Remembers a suggestion for the file at `path`, whose text is `text`. */
  reject(path: string, text: string, suggestion: Edit): void {
    const edit = inLeastParts(text, suggestion);
    if (edit.isEmpty || this.isRejected(path, text, suggestion)) return;
    this.#rejected = [...this.#rejected, { path, text, edit }].slice(-this.#max);
  }

  /** Whether a suggestion is one that was rejected, or a part of one. */
  isRejected(path: string, text: string, suggestion: Edit): boolean {
    const here = this.#rejected.filter((known) => known.path === path && known.text === text);
    if (here.length === 0) return false;
    const parts = inLeastParts(text, suggestion).edits;
    if (parts.length === 0) return false;
    return here.some(({ edit }) =>
      parts.every((part) =>
        edit.edits.some((no) => no.start === part.start && no.end === part.end && no.text === part.text),
      ),
    );
  }

  /** Takes in a change of the file at `path`, whose text was `before`. What no longer has this text is forgotten. */
  follow(path: string, before: string, edit: Edit): void {
    if (this.#rejected.every((known) => known.path !== path)) return;
    const text = edit.apply(before);
    this.#rejected = this.#rejected.flatMap((known) => {
      if (known.path !== path) return [known];
      if (known.text !== before || meet(known.edit, edit)) return [];
      return [{ path, text, edit: known.edit.rebase(edit, "mine-first") }];
    });
  }

  /** Goes on under a file's new path. */
  rename(path: string, newPath: string): void {
    this.#rejected = this.#rejected
      .filter((known) => known.path !== newPath)
      .map((known) => (known.path === path ? { ...known, path: newPath } : known));
  }

  /** Forgets a file, such as one that is now another. */
  forget(path: string): void {
    this.#rejected = this.#rejected.filter((known) => known.path !== path);
  }

  /** Forgets everything, as after a checkout of another branch. */
  forgetAll(): void {
    this.#rejected = [];
  }
}

/** A rejected suggestion as an edit of the present text of its file. */
interface Rejected {
  readonly path: string;
  readonly text: string;
  readonly edit: Edit;
}

/** The same edit whoever told it: the least changes of words that have its effect. */
function inLeastParts(text: string, edit: Edit): Edit {
  return minimizeEdit(text, edit, { unit: "character" });
}

/** Whether an edit touches a place that the other changes, or stands right at one. */
function meet(one: Edit, other: Edit): boolean {
  return one.edits.some((mine) => other.edits.some((theirs) => mine.start <= theirs.end && theirs.start <= mine.end));
}
