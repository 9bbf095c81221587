import { Edit, minimalEdit, type TextEdit } from "../text/index.ts";
import { saysSomething } from "./says-something.ts";
import { trySlide } from "./try-slide.ts";

/** How far back an {@link UndoGuard} looks. */
export interface UndoGuardOptions {
  /** The steps of a file that may not be taken back; 10 unless told. Keys that were typed in one place are one step. */
  readonly maxSteps?: number;
  /** The files looked after, those edited last; 20 unless told. */
  readonly maxFiles?: number;
}

/** Why a suggestion is held back: it takes back what was just done. */
export type UndoRefusal =
  /** With it the text would be what it was, `stepsAgo` steps ago: 1 is before the last step. */
  | { readonly kind: "goes-back"; readonly stepsAgo: number }
  /** It takes away words that were just written. */
  | { readonly kind: "deletes-typed"; readonly text: string; readonly stepsAgo: number }
  /** It brings back words that were just deleted or replaced. */
  | { readonly kind: "restores-deleted"; readonly text: string; readonly stepsAgo: number };

/**
 * Holds back suggestions that undo what the person just did, whichever way: those that give back a state of the text, and those of which a part
 * takes away what was typed, or brings back what was deleted, in the same place. Signs and blanks alone do not count as parts: they come and go.
 *
 * Law: with a suggestion that passes, the text is none of those before the last steps.
 * The peer (microsoft/vscode-copilot-chat) guards only insertions; code that comes back after it was deleted is what its users complain of most.
 */
export class UndoGuard {
  readonly #maxSteps: number;
  readonly #maxFiles: number;
  /** By path; the file edited last is the last. */
  readonly #files = new Map<string, FollowedFile>();

  constructor(options: UndoGuardOptions = {}) {
    this.#maxSteps = options.maxSteps ?? 10;
    this.#maxFiles = options.maxFiles ?? 20;
  }

  /** Takes in what a person did to the file at `path`, whose text was `before`. An accepted suggestion is such an edit too. */
  record(path: string, before: string, edit: Edit): void {
    const text = edit.apply(before);
    if (text === before) return;
    const known = this.#files.get(path);
    const steps = known?.text === before ? known.steps : [];
    const last = steps.at(-1);
    // What goes on where the last step ended belongs to it; who takes all of it back does not want it.
    const goesOn = last !== undefined && last.before !== text && touchesNewText(last.edit, edit);
    const done = goesOn ? { before: last.before, edit: last.edit.compose(edit) } : { before, edit };
    const earlier = goesOn ? steps.slice(0, -1) : steps;
    this.#files.delete(path);
    this.#files.set(path, { text, steps: [...earlier, done].slice(-this.#maxSteps) });
    for (const oldest of [...this.#files.keys()].slice(0, -this.#maxFiles)) this.#files.delete(oldest);
  }

  /** Forgets a file, such as one that is now another. */
  forget(path: string): void {
    this.#files.delete(path);
  }

  /** Forgets everything, as after a checkout of another branch. */
  forgetAll(): void {
    this.#files.clear();
  }

  /** Why a suggestion for the file at `path`, whose text is `text`, is held back; `undefined` when it is not. */
  refusalOf(path: string, text: string, suggestion: Edit): UndoRefusal | undefined {
    const known = this.#files.get(path);
    if (known?.text !== text) return undefined;
    const goal = suggestion.apply(text);
    const back = known.steps.findLastIndex(({ before }) => before === goal);
    if (back >= 0) return { kind: "goes-back", stepsAgo: known.steps.length - back };

    let since = Edit.empty;
    for (const [i, { before, edit }] of known.steps.toReversed().entries()) {
      since = edit.compose(since);
      const stepsAgo = i + 1;
      const refusal = partThatUndoes(before, since, text, [...suggestion.edits, ...minimalEdit(text, goal).edits]);
      if (refusal !== undefined) return { ...refusal, stepsAgo };
    }
    return undefined;
  }
}

/** A file as it is now, and what was done to it, the oldest first. */
interface FollowedFile {
  readonly text: string;
  readonly steps: readonly { readonly before: string; readonly edit: Edit }[];
}

/** One of `parts`, edits of `text`, that gives back whole words which stood there in `before`, or takes away such that did not; `since` led from it to `text`. */
function partThatUndoes(
  before: string,
  since: Edit,
  text: string,
  parts: readonly TextEdit[],
): { readonly kind: "deletes-typed" | "restores-deleted"; readonly text: string } | undefined {
  const undo = minimalEdit(before, since.apply(before)).invert(before);
  // What is put in or taken out where it might as well stand elsewhere is looked at where the person did the opposite.
  const placed = parts.flatMap((part) => {
    if (part.start !== part.end && part.text !== "") return [part];
    return [part, ...undo.edits.map(({ start }) => trySlide(text, part, start)).filter((slid) => slid !== undefined)];
  });
  for (const part of placed) {
    const place = undo.mapRange(part, "include");
    const stood = before.slice(place.start, place.end);
    const lost = text.slice(part.start, part.end);
    const isUndone = undo.edits.some(({ start, end }) => start <= part.end && part.start <= end);
    if (!isUndone || isInsideWord(text, part)) continue;
    if (part.text === "" && saysSomething(lost) && stood.trim() === "") return { kind: "deletes-typed", text: lost };
    const isBack = lost.trim() === "" ? stood.includes(part.text.trim()) : stood === part.text;
    if (saysSomething(part.text) && isBack) return { kind: "restores-deleted", text: part.text };
  }
  return undefined;
}

/** Whether an edit goes on in, or right at, the text that another one put in or the place where it took text out. */
function touchesNewText(earlier: Edit, later: Edit): boolean {
  const ranges = earlier.rangesAfter();
  return later.edits.every(({ start, end }) => ranges.some((range) => start <= range.end && range.start <= end));
}

/** Whether an edit begins or ends within a word, such as one that mends a mistyped letter. */
function isInsideWord(text: string, { start, end, text: inserted }: TextEdit): boolean {
  const changed = inserted === "" ? text.slice(start, end) : inserted;
  const joins = (left: string, right: string) => /^[\p{L}\p{N}_$]{2}$/u.test(left.slice(-1) + right.slice(0, 1));
  return joins(text.slice(0, start), changed) || joins(changed, text.slice(end));
}
