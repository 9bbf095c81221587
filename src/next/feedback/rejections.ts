import { type Edit, minimizeEdit } from "../../text/index.ts";

/**
 * Rejected suggestions, which are not suggested again.
 *
 * They are rebased over typed text. One is forgotten when its location is edited: it may be right
 * then. Only explicit rejections belong here, not suggestions that were typed over;
 * microsoft/vscode-copilot-chat counts a rejection only when the suggestion was visible for a
 * second.
 *
 * Laws: bounded; while only other places are edited, a rejected suggestion stays rejected, at its
 * new offset.
 */
export class Rejections {
  readonly #max: number;
  /** The oldest first. */
  #rejected: readonly Rejected[] = [];

  /** The default is that of microsoft/vscode-copilot-chat. The oldest rejection is dropped. */
  constructor(maxRejections = 20) {
    this.#max = maxRejections;
  }

  /** The number of rejected suggestions. */
  get size(): number {
    return this.#rejected.length;
  }

  /** Records the rejection of a suggestion for the file at `path`, whose text is `text`. */
  reject(path: string, text: string, suggestion: Edit): void {
    const edit = inLeastParts(text, suggestion);
    if (edit.isEmpty || this.isRejected(path, text, suggestion)) return;
    this.#rejected = [...this.#rejected, { path, text, edit }].slice(-this.#max);
  }

  /** Whether a suggestion equals a rejected one, or is a part of one. */
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

  /**
   * Rebases the rejections over a change of the file at `path`, whose text was `before`. Those for
   * another text of the file, or at the edited place, are forgotten.
   */
  follow(path: string, before: string, edit: Edit): void {
    if (this.#rejected.every((known) => known.path !== path)) return;
    const text = edit.apply(before);
    this.#rejected = this.#rejected.flatMap((known) => {
      if (known.path !== path) return [known];
      if (known.text !== before || meet(known.edit, edit)) return [];
      return [{ path, text, edit: known.edit.rebase(edit, "mine-first") }];
    });
  }

  /** Moves a file's rejections to its new path. */
  rename(path: string, newPath: string): void {
    this.#rejected = this.#rejected
      .filter((known) => known.path !== newPath)
      .map((known) => (known.path === path ? { ...known, path: newPath } : known));
  }

  /** Drops the rejections of a file, such as one that was replaced. */
  forget(path: string): void {
    this.#rejected = this.#rejected.filter((known) => known.path !== path);
  }

  /** Drops all rejections, as after a checkout of another branch. */
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

/** The smallest edit with the same effect, so that equal changes compare equal. */
function inLeastParts(text: string, edit: Edit): Edit {
  return minimizeEdit(text, edit, { unit: "character" });
}

/** Whether an edit overlaps or touches a range that the other changes. */
function meet(one: Edit, other: Edit): boolean {
  return one.edits.some((mine) => other.edits.some((theirs) => mine.start <= theirs.end && theirs.start <= mine.end));
}
