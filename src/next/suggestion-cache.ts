import { Edit, type TextEdit, type TextRange } from "../text/index.ts";
import { type RebaseLimits, type RebaseRefusal, rebaseSuggestion } from "./rebase-suggestion.ts";

/** How much a {@link SuggestionCache} keeps. */
export interface SuggestionCacheOptions {
  /** The most answers; 50 unless told, as in `nextEditCache.ts` of microsoft/vscode-copilot-chat. The one not used for longest gives way. */
  readonly maxAnswers?: number;
  readonly limits?: RebaseLimits;
}

/** What was answered for a text: the edits of it in the order of the text, none touching another; none when there was nothing to propose. */
export interface KeptAnswer<T> {
  readonly edits: readonly TextEdit[];
  /** Where in the text the cursor has to be for it, `[start, end]`; anywhere unless told. */
  readonly window?: TextRange;
  /** Whether no more edits are to come. */
  readonly isWhole?: boolean;
  /** What belongs to the answer, such as who gave it. */
  readonly data: T;
}

/** Whether the edit of an answer that comes at this place, from 0, is passed over. */
export type PassOver<T> = (data: T, index: number) => boolean;

/** What the cache knows for a text and a cursor. */
export type CacheAnswer<T> =
  /** The next edit, of the present text. It is the `index`th of its answer; `isRebased` when something else than accepting was done meanwhile. */
  | {
      readonly kind: "edit";
      readonly edit: Edit;
      readonly index: number;
      readonly isRebased: boolean;
      readonly data: T;
    }
  /** It is known that there is nothing to propose. */
  | { readonly kind: "nothing" }
  /** There is an edit, for a cursor that is elsewhere: it shows again when the cursor comes back. */
  | { readonly kind: "hidden" }
  /** Nothing is known; `reason` says why the last answer does not go with what was typed since. */
  | { readonly kind: "missing"; readonly reason?: RebaseRefusal };

/**
 * What was suggested lately, by document and text.
 *
 * An answer is kept with all its edits and follows the typing, so that after each accepted edit the next one is there without asking, and a text that
 * is come back to (a wrong letter taken back) finds its answer again.
 *
 * Laws: no more answers than told; an edit fits the text it was asked for and changes it; accepting edit after edit leads to what the answer led to.
 */
export class SuggestionCache<T> {
  readonly #maxAnswers: number;
  readonly #limits: RebaseLimits;
  /** The one used last is the last. */
  #answers: FollowedAnswer<T>[] = [];

  constructor(options: SuggestionCacheOptions = {}) {
    this.#maxAnswers = options.maxAnswers ?? 50;
    this.#limits = options.limits ?? {};
  }

  /** How many answers are kept. */
  get size(): number {
    return this.#answers.length;
  }

  /**
   * Keeps what was answered for a text of the file at `path`, which was changed by `typed` since it was asked for.
   *
   * What was kept for the same text and window gives way, and the answer follows what was typed in its stead: a stream is kept anew with each edit that comes.
   */
  keep(path: string, text: string, answer: KeptAnswer<T>, typed?: Edit): void {
    const { window } = answer;
    const known = this.#answers.find(
      (one) =>
        one.path === path &&
        one.text === text &&
        one.window?.start === window?.start &&
        one.window?.end === window?.end,
    );
    const since = typed ?? known?.typed ?? Edit.empty;
    const followed = { ...answer, path, text, typed: since, present: since.apply(text) };
    this.#answers = [...this.#answers.filter((one) => one !== known), followed].slice(-this.#maxAnswers);
  }

  /** Takes in a change of the file at `path`, whose text was `before`. */
  follow(path: string, before: string, edit: Edit): void {
    const after = edit.apply(before);
    this.#answers = this.#answers.map((known) => {
      if (known.path !== path || (known.present !== before && known.text !== before)) return known;
      // A text that was come back to unseen is as it was asked for.
      const typed = known.text === before ? edit : known.typed.compose(edit);
      return { ...known, typed: after === known.text ? Edit.empty : typed, present: after };
    });
  }

  /** What is known for a text of the file at `path` with the cursor at an offset of it. An edit that is passed over is as if it were not in its answer. */
  find(path: string, text: string, cursor: number, isPassedOver: PassOver<T> = () => false): CacheAnswer<T> {
    let found: CacheAnswer<T> = { kind: "missing" };
    for (const known of this.#answers.toReversed()) {
      if (known.path !== path) continue;
      const isSame = known.text === text;
      if (!isSame && known.present !== text) continue;
      const state = { ...(isSame ? { ...known, typed: Edit.empty } : known), isPassedOver };
      const answer = nextOf(state, cursor, this.#limits);
      if (answer.kind === "edit" || answer.kind === "nothing") {
        this.#answers = [...this.#answers.filter((other) => other !== known), known];
        return answer;
      }
      if (found.kind === "missing" && (answer.kind === "hidden" || found.reason === undefined)) found = answer;
    }
    return found;
  }

  /** Forgets a file, such as one that was renamed or is now another. */
  forget(path: string): void {
    this.#answers = this.#answers.filter((known) => known.path !== path);
  }

  /** Forgets everything, as after a checkout of another branch. */
  forgetAll(): void {
    this.#answers = [];
  }
}

/**
 * A window without a line at each side, but with the cursor's line: where "nothing to propose" still holds when the cursor moves. What stands at the
 * edge of a window was seen from one side only.
 */
export function reducedWindow(text: string, window: TextRange, cursor: number): TextRange {
  const lineStart = text.lastIndexOf("\n", cursor - 1) + 1;
  const feed = text.indexOf("\n", cursor);
  const lineEnd = feed < 0 ? text.length : feed;
  const second = text.indexOf("\n", window.start) + 1;
  const isLineEnd = text[window.end - 1] === "\n";
  const last = text.lastIndexOf("\n", Math.max(0, window.end - (isLineEnd ? 2 : 1)));
  return {
    start: Math.min(cursor === 0 ? 0 : lineStart, second === 0 ? window.start : second),
    end: Math.max(lineEnd, last < 0 ? window.end : last),
  };
}

/** An answer, what was typed since, and the text that this led to. */
interface FollowedAnswer<T> extends KeptAnswer<T> {
  readonly path: string;
  readonly text: string;
  readonly typed: Edit;
  readonly present: string;
}

function nextOf<T>(
  known: FollowedAnswer<T> & { readonly isPassedOver: PassOver<T> },
  cursor: number,
  limits: RebaseLimits,
): CacheAnswer<T> {
  const { text, typed, edits, window, isWhole = false, data, isPassedOver } = known;
  const place = window === undefined ? undefined : typed.mapRange(window, "include");
  const isInside = place === undefined || (place.start <= cursor && cursor <= place.end);
  // Once anything is typed there may be something to propose.
  const nothing: CacheAnswer<T> = isInside && typed.isEmpty ? { kind: "nothing" } : { kind: "missing" };
  if (edits.length === 0) return nothing;
  const taken: TextEdit[] = [];
  for (const [index, edit] of edits.entries()) {
    if (isPassedOver(data, index)) continue;
    const rebased = rebaseSuggestion(text, Edit.of([...taken, edit]), typed, limits);
    if (rebased.kind === "dropped") return { kind: "missing", reason: rebased.reason };
    if (rebased.kind !== "done") {
      if (!isInside) return { kind: "hidden" };
      return {
        kind: "edit",
        edit: rebased.edit,
        index,
        isRebased: typed.apply(text) !== Edit.of(taken).apply(text),
        data,
      };
    }
    taken.push(edit);
  }
  return isWhole && taken.length === 0 ? nothing : { kind: "missing" };
}
