import { Edit, minimizeEdit, type TextEdit } from "../text/index.ts";
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
  /** With it the text would be what it was, `stepsAgo` steps ago: 1 is before the last step, or on its way what was replaced there. */
  | { readonly kind: "goes-back"; readonly stepsAgo: number }
  /** It takes away words that were just written. */
  | { readonly kind: "deletes-typed"; readonly text: string; readonly stepsAgo: number }
  /** It brings back words that were just deleted or replaced. */
  | { readonly kind: "restores-deleted"; readonly text: string; readonly stepsAgo: number };

/**
 * Holds back suggestions that undo what the person just did, whichever way: those that give back a state of the text, and those of which a part
 * takes away what was typed, or brings back what was deleted, in the same place. Signs and blanks alone do not count as parts: they come and go.
 *
 * A step that replaced what it had just put in has left that behind too, which is not offered again either.
 *
 * Laws: with a suggestion that passes, the text is none of those before the last steps, nor one that was left on the way. Memory is bounded by what was done,
 * whatever the length of the texts, but for the file asked about last.
 * The peer (microsoft/vscode-copilot-chat) guards only insertions; code that comes back after it was deleted is what its users complain of most.
 */
export class UndoGuard {
  readonly #maxSteps: number;
  readonly #maxFiles: number;
  /** By path; the file edited last is the last. */
  readonly #files = new Map<string, FollowedFile>();
  /** What was worked out for the file that was asked about last. */
  #states: { readonly file: FollowedFile; readonly states: readonly PastState[] } | undefined;

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
    const back = edit.invert(before);
    // What goes on where the last step ended belongs to it; who takes all of it back does not want it.
    const goesOn = last !== undefined && touchesNewText(last.edit, edit) && last.back.apply(before) !== text;
    const done = goesOn ? this.#goneOn(last, edit, back) : { edit, back, left: [], isTaking: onlyTakes(edit) };
    const earlier = goesOn ? steps.slice(0, -1) : steps;
    this.#files.delete(path);
    this.#files.set(path, { text, steps: [...earlier, done].slice(-this.#maxSteps) });
    for (const oldest of [...this.#files.keys()].slice(0, -this.#maxFiles)) this.#files.delete(oldest);
    this.#states = undefined;
  }

  /** A step with one more edit, `back` its inverse. What is only added to is passed through; a state of which something is taken away is left, at its fullest. */
  #goneOn(step: Step, edit: Edit, back: Edit): Step {
    const takes = edit.edits.some(({ start, end }) => start < end);
    const left = step.left.map((toState) => back.compose(toState));
    if (takes && !step.isTaking) left.push(back);
    return {
      edit: step.edit.compose(edit),
      back: back.compose(step.back),
      left: left.slice(-this.#maxSteps),
      isTaking: onlyTakes(edit),
    };
  }

  /** Forgets a file, such as one that is now another. */
  forget(path: string): void {
    this.#files.delete(path);
  }

  /** Forgets everything, as after a checkout of another branch. */
  forgetAll(): void {
    this.#files.clear();
    this.#states = undefined;
  }

  /** Why a suggestion for the file at `path`, whose text is `text`, is held back; `undefined` when it is not. */
  refusalOf(path: string, text: string, suggestion: Edit): UndoRefusal | undefined {
    const known = this.#files.get(path);
    if (known?.text !== text) return undefined;
    const goal = suggestion.apply(text);
    const states = this.#statesOf(known);
    const back = states.find(({ before }) => before === goal);
    if (back !== undefined) return { kind: "goes-back", stepsAgo: back.stepsAgo };

    const parts = [...suggestion.edits, ...minimizeEdit(text, suggestion).edits];
    for (const { before, undo, stepsAgo } of states) {
      const refusal = partThatUndoes(before, undo, text, parts);
      if (refusal !== undefined) return { ...refusal, stepsAgo };
    }
    return undefined;
  }

  /** The states before the last steps, and those left on the way, the last first. They are made once for all suggestions for a text, and of one file only. */
  #statesOf(file: FollowedFile): readonly PastState[] {
    if (this.#states?.file === file) return this.#states.states;
    const states: PastState[] = [];
    const take = (toState: Edit, stepsAgo: number) => {
      const before = toState.apply(file.text);
      states.push({ before, undo: inLeastParts(before, toState.invert(file.text)).invert(before), stepsAgo });
    };
    let toStepEnd = Edit.empty;
    for (const [i, { back, left }] of file.steps.toReversed().entries()) {
      for (const toState of left.toReversed()) take(toStepEnd.compose(toState), i + 1);
      toStepEnd = toStepEnd.compose(back);
      take(toStepEnd, i + 1);
    }
    this.#states = { file, states };
    return states;
  }
}

/** A file as it is now, and what was done to it, the oldest first. No other text than the present one is kept. */
interface FollowedFile {
  readonly text: string;
  readonly steps: readonly Step[];
}

/** Edits that went on in one place. */
interface Step {
  /** What they come to, and what takes it back. */
  readonly edit: Edit;
  readonly back: Edit;
  /** The states on the way of which something was taken away again, the oldest first: each as the edit that leads there from where the step ended. */
  readonly left: readonly Edit[];
  /** Whether the last of them only took away: what it left was on its way out already. */
  readonly isTaking: boolean;
}

/** A text as it was, and the least edit that makes it of the present one. */
interface PastState {
  readonly before: string;
  readonly undo: Edit;
  readonly stepsAgo: number;
}

/** One of `parts`, edits of `text`, that gives back whole words which stood there in `before`, or takes away such that did not; `undo` leads back to it. */
function partThatUndoes(
  before: string,
  undo: Edit,
  text: string,
  parts: readonly TextEdit[],
): { readonly kind: "deletes-typed" | "restores-deleted"; readonly text: string } | undefined {
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

/** The same edit as the least changes of words. What stands far from another is looked at by itself, as all that lies between may be long. */
function inLeastParts(text: string, edit: Edit): Edit {
  const groups: TextEdit[][] = [];
  for (const part of edit.edits) {
    const last = groups.at(-1)?.at(-1)?.end;
    const feed = last === undefined ? -1 : text.indexOf("\n", last);
    // No two groups share a line.
    if (last !== undefined && (part.start - last < farAway || feed < 0 || feed >= part.start))
      groups.at(-1)!.push(part);
    else groups.push([part]);
  }
  return Edit.of(groups.flatMap((parts) => minimizeEdit(text, Edit.of(parts)).edits));
}

/** Longer than what is typed and moved about in one place, in UTF-16 units. */
const farAway = 4_000;

function onlyTakes({ edits }: Edit): boolean {
  return edits.every(({ text }) => text === "");
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
