import { LRUCache } from "lru-cache";
import { hasWords } from "../../answers/index.ts";
import { Edit, minimizeEdit, type TextEdit } from "../../text/index.ts";
import { trySlide } from "../engine/rebase-suggestion.ts";

/** Limits of an {@link UndoGuard}. */
export interface UndoGuardOptions {
  /**
   * The steps of a file that a suggestion may not undo; default 10. Keys typed in one place are one
   * step.
   */
  readonly maxSteps?: number;
  /** The most files that are remembered, those edited or checked last; default 20. */
  readonly maxFiles?: number;
}

/** Why a suggestion is filtered out: it undoes a recent edit. */
export type UndoRefusal =
  /**
   * It restores the text of `stepsAgo` steps ago: 1 is the text before the last step, or a text
   * within that step.
   */
  | { readonly kind: "goes-back"; readonly stepsAgo: number }
  /** It deletes words that were just typed. */
  | { readonly kind: "deletes-typed"; readonly text: string; readonly stepsAgo: number }
  /** It restores words that were just deleted or replaced. */
  | { readonly kind: "restores-deleted"; readonly text: string; readonly stepsAgo: number };

/**
 * Filters out suggestions that undo what the user just did: those that restore an earlier text, and
 * those of which a part deletes what was typed, or restores what was deleted, in the same place.
 * Parts of only punctuation and white space do not count.
 *
 * A step that replaced its own inserted text has an intermediate text, which is not restored
 * either.
 *
 * Laws: with a suggestion that passes, the text equals none of those before the last steps, nor an
 * intermediate one. Memory grows with the edits, not with the texts, except for the file checked
 * last. microsoft/vscode-copilot-chat guards only insertions; its users complain most of code that
 * comes back after it was deleted.
 */
export class UndoGuard {
  readonly #maxSteps: number;
  /** By path. */
  readonly #files: LRUCache<string, FollowedFile>;
  /** The earlier texts of the file checked last. */
  #states: { readonly file: FollowedFile; readonly states: readonly PastState[] } | undefined;

  constructor(options: UndoGuardOptions = {}) {
    this.#maxSteps = options.maxSteps ?? 10;
    this.#files = new LRUCache({ max: options.maxFiles ?? 20 });
  }

  /**
   * Records an edit of the file at `path`, whose text was `before`, accepted suggestions included.
   */
  record(path: string, before: string, edit: Edit): void {
    const text = edit.apply(before);
    if (text === before) return;
    const known = this.#files.get(path);
    const steps = known?.text === before ? known.steps : [];
    const last = steps.at(-1);
    const back = edit.invert(before);
    // An edit that continues at the last step joins it; undoing the whole step does not.
    const isUndo = last !== undefined && last.back.apply(before) === text;
    const continuesLast = last !== undefined && touchesNewText(last.edit, edit) && !isUndo;
    const done = continuesLast
      ? this.#continued(last, edit, back)
      : { edit, back, left: [], isTaking: onlyTakes(edit), isUndone: false };
    const earlier = continuesLast ? steps.slice(0, -1) : steps;
    const all = continuesLast ? [...earlier, done] : withUndone([...earlier, done], text);
    const taken = takenAwayAfter(before, edit, { taken: known?.text === before ? known.taken : [], isUndo });
    this.#files.set(path, {
      text,
      steps: all.slice(-this.#maxSteps),
      taken: taken.slice(-this.#maxSteps),
    });
    this.#states = undefined;
  }

  /**
   * The step joined with one more edit, whose inverse is `back`. A text is remembered as
   * intermediate where deleting begins, at its fullest.
   */
  #continued(step: Step, edit: Edit, back: Edit): Step {
    const takes = edit.edits.some(({ start, end }) => start < end);
    const left = step.left.map((toState) => back.compose(toState));
    if (takes && !step.isTaking) left.push(back);
    return {
      edit: step.edit.compose(edit),
      back: back.compose(step.back),
      left: left.slice(-this.#maxSteps),
      isTaking: onlyTakes(edit),
      isUndone: false,
    };
  }

  /** Drops what is recorded of a file, such as one that was replaced. */
  forget(path: string): void {
    this.#files.delete(path);
  }

  /** Drops all records, as after a checkout of another branch. */
  forgetAll(): void {
    this.#files.clear();
    this.#states = undefined;
  }

  /**
   * Whether, on the line of `offset` in the file at `path`, text was deleted or its insertion
   * undone, and nothing was typed on that line since. Line breaks and indentation do not count as
   * typed: a line opened where one was deleted counts as that line. `text` is the present text;
   * `false` for another one.
   */
  hasTakenAway(path: string, text: string, offset: number): boolean {
    const known = this.#files.get(path);
    if (known?.text !== text) return false;
    return known.taken.some((at) => areInOnePlace(text, at, offset));
  }

  /**
   * Returns why a suggestion for the file at `path`, whose text is `text`, is filtered out;
   * `undefined` where it passes, also where no edit that led to this text is recorded. With
   * `mayRedo`, as for a request that the user invoked, a suggestion may do again what was undone.
   */
  refusalOf(
    path: string,
    text: string,
    suggestion: Edit,
    { mayRedo = false }: { readonly mayRedo?: boolean | undefined } = {},
  ): UndoRefusal | undefined {
    const known = this.#files.get(path);
    if (known?.text !== text) return undefined;
    const goal = suggestion.apply(text);
    const states = this.#statesOf(known).filter(({ isUndone }) => !(mayRedo && isUndone));
    const back = states.find(({ before }) => before === goal);
    if (back !== undefined) return { kind: "goes-back", stepsAgo: back.stepsAgo };

    const parts = [...suggestion.edits, ...minimizeEdit(text, suggestion).edits];
    for (const { before, undo, stepsAgo } of states) {
      const refusal = partThatUndoes(before, undo, text, parts);
      if (refusal !== undefined) return { ...refusal, stepsAgo };
    }
    return undefined;
  }

  /**
   * The texts before the last steps and the intermediate ones, the latest first. They are computed
   * once for all suggestions for a text, for one file at a time.
   */
  #statesOf(file: FollowedFile): readonly PastState[] {
    if (this.#states?.file === file) return this.#states.states;
    const states: PastState[] = [];
    const take = (toState: Edit, stepsAgo: number, isUndone: boolean) => {
      const before = toState.apply(file.text);
      const undo = inLeastParts(before, toState.invert(file.text)).invert(before);
      states.push({ before, undo, stepsAgo, isUndone });
    };
    let toStepEnd = Edit.empty;
    for (const [i, { back, left, isUndone }] of file.steps.toReversed().entries()) {
      for (const toState of left.toReversed()) take(toStepEnd.compose(toState), i + 1, false);
      toStepEnd = toStepEnd.compose(back);
      take(toStepEnd, i + 1, isUndone);
    }
    this.#states = { file, states };
    return states;
  }
}

/** A file's present text and its steps, the oldest first. No other text is stored. */
interface FollowedFile {
  readonly text: string;
  readonly steps: readonly Step[];
  /** Offsets where text was deleted on lines where nothing was typed since, the latest last. */
  readonly taken: readonly number[];
}

/**
 * Steps that lead to `text`, with the last ones marked where they only left an earlier text and
 * returned to it, in one step or in several.
 */
function withUndone(steps: readonly Step[], text: string): readonly Step[] {
  let past = text;
  for (let index = steps.length - 1; index >= 0; index--) {
    past = steps[index]!.back.apply(past);
    if (index < steps.length - 1 && past === text)
      return steps.map((step, at) => (at > index ? { ...step, isUndone: true } : step));
  }
  return steps;
}

/** Consecutive edits in one place. */
interface Step {
  /** The edits joined into one. */
  readonly edit: Edit;
  /** The inverse of {@link edit}. */
  readonly back: Edit;
  /**
   * The intermediate texts from which something was deleted again, the oldest first: each as the
   * edit that produces it from the text after the step.
   */
  readonly left: readonly Edit[];
  /**
   * Whether the last edit only deleted: then the text before it is no intermediate text of its own.
   */
  readonly isTaking: boolean;
  /** Whether the user returned from the text before it to an earlier one. */
  readonly isUndone: boolean;
}

/** An earlier text, and the smallest edit that produces it from the present one. */
interface PastState {
  readonly before: string;
  readonly undo: Edit;
  readonly stepsAgo: number;
  /** Whether the user returned from it to an earlier one. */
  readonly isUndone: boolean;
}

/**
 * Returns the first of `parts`, edits of `text`, that restores whole words of `before` or deletes
 * words that were not in it; `undefined` where there is none. `undo` produces `before`.
 */
function partThatUndoes(
  before: string,
  undo: Edit,
  text: string,
  parts: readonly TextEdit[],
): { readonly kind: "deletes-typed" | "restores-deleted"; readonly text: string } | undefined {
  // An insertion or deletion that may slide is also checked where the user did the opposite.
  const placed = parts.flatMap((part) => {
    if (part.start !== part.end && part.text !== "") return [part];
    return [part, ...undo.edits.map(({ start }) => trySlide(text, part, start)).filter((slid) => slid !== undefined)];
  });
  for (const part of placed) {
    const place = undo.mapRange(part, "include");
    const textBefore = before.slice(place.start, place.end);
    const lost = text.slice(part.start, part.end);
    const isUndone = undo.edits.some(({ start, end }) => start <= part.end && part.start <= end);
    if (!isUndone || isInsideWord(text, part)) continue;
    if (part.text === "" && hasWords(lost) && textBefore.trim() === "") return { kind: "deletes-typed", text: lost };
    const isBack = lost.trim() === "" ? agree(textBefore.trim(), part.text.trim()) : textBefore === part.text;
    if (hasWords(part.text) && isBack) return { kind: "restores-deleted", text: part.text };
  }
  return undefined;
}

/** Whether the earlier text contains all restored text, or the restored text begins with it. */
function agree(textBefore: string, text: string): boolean {
  return textBefore.includes(text) || (hasWords(textBefore) && text.startsWith(textBefore));
}

/**
 * The smallest edit of the same effect. Distant parts are minimized separately, as the text between
 * them may be long.
 */
function inLeastParts(text: string, edit: Edit): Edit {
  const groups: TextEdit[][] = [];
  for (const part of edit.edits) {
    const last = groups.at(-1)?.at(-1)?.end;
    const feed = last === undefined ? -1 : text.indexOf("\n", last);
    // Two groups never share a line.
    if (last !== undefined && (part.start - last < farAway || feed < 0 || feed >= part.start))
      groups.at(-1)!.push(part);
    else groups.push([part]);
  }
  return Edit.of(groups.flatMap((parts) => minimizeEdit(text, Edit.of(parts)).edits));
}

/** A distance greater than edits in one place have, in UTF-16 units. */
const farAway = 4_000;

/**
 * The offsets of deletions after `edit` was made in `before`: its own, and earlier ones on lines
 * that it leaves unchanged.
 */
function takenAwayAfter(
  before: string,
  edit: Edit,
  { taken, isUndo }: { readonly taken: readonly number[]; readonly isUndo: boolean },
): readonly number[] {
  const least = edit.normalize(before);
  const takes = isUndo || onlyTakes(least);
  const written = least.edits.filter(({ text }) => text.trim() !== "");
  const isLeft = (at: number) =>
    takes || written.every(({ start, end }) => lineBreak.test(before.slice(Math.min(start, at), Math.max(end, at))));
  const kept = taken.filter(isLeft).map((at) => edit.mapOffset(at, "before"));
  return takes ? [...kept, ...least.rangesAfter().map(({ end }) => end)] : kept;
}

const lineBreak = /[\r\n]/;

/** Whether two offsets are on one line, or nothing but white space is between them. */
function areInOnePlace(text: string, one: number, other: number): boolean {
  const between = text.slice(Math.min(one, other), Math.max(one, other));
  return !lineBreak.test(between) || between.trim() === "";
}

function onlyTakes({ edits }: Edit): boolean {
  return edits.every(({ text }) => text === "");
}

/**
 * Whether an edit is within, or right at, text that an earlier one inserted or the place of its
 * deletion.
 */
function touchesNewText(earlier: Edit, later: Edit): boolean {
  const ranges = earlier.rangesAfter();
  return later.edits.every(({ start, end }) => ranges.some((range) => start <= range.end && range.start <= end));
}

/** Whether an edit begins or ends within a word, such as the correction of a mistyped letter. */
function isInsideWord(text: string, { start, end, text: inserted }: TextEdit): boolean {
  const changed = inserted === "" ? text.slice(start, end) : inserted;
  const joins = (left: string, right: string) => /^[\p{L}\p{N}_$]{2}$/u.test(left.slice(-1) + right.slice(0, 1));
  return joins(text.slice(0, start), changed) || joins(changed, text.slice(end));
}
