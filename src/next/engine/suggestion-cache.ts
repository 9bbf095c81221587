import { Edit, type TextEdit, type TextRange } from "../../text/index.ts";
import { type RebaseRefusal, rebaseSuggestion } from "./rebase-suggestion.ts";

/**
 * An answer for a text: its edits in the order of the text, which do not touch each other. None
 * where there was nothing to propose.
 */
export interface CachedAnswer<T> {
  readonly edits: readonly TextEdit[];
  /** The range in the text where the cursor must be, `[start, end]`; default anywhere. */
  readonly window?: TextRange;
  /** Whether the answer is complete: no more edits come. Default `false`. */
  readonly isWhole?: boolean;
  /** Data of the caller, such as the answer's origin. */
  readonly data: T;
}

/** An answer, what was typed since its request, and the text that this produced. */
export interface FollowedAnswer<T> extends CachedAnswer<T> {
  readonly path: string;
  readonly text: string;
  readonly typed: Edit;
  readonly present: string;
}

/** Whether the edit at an index of an answer, from 0, is skipped. */
export type PassOver<T> = (data: T, index: number) => boolean;

/** The result of looking up a text and a cursor. */
export type CacheAnswer<T> =
  /**
   * The next edit of the present text, at `index` in its answer. `isRebased`: something other than
   * accepting edits was done since.
   */
  | {
      readonly kind: "edit";
      readonly edit: Edit;
      readonly index: number;
      readonly isRebased: boolean;
      readonly data: T;
    }
  /** The answer was that there is nothing to propose. */
  | { readonly kind: "nothing" }
  /** An edit is cached for another position of the cursor. */
  | { readonly kind: "hidden" }
  /** Nothing is cached; `reason` is why the last answer conflicts with what was typed since. */
  | { readonly kind: "missing"; readonly reason?: RebaseRefusal };

/**
 * A cache of recent answers by document and text.
 *
 * An answer is kept with all its edits and rebased over typed text. So after each accepted edit the
 * next one is available without a request, and a text that is restored (a typing error deleted)
 * finds its answer again.
 *
 * Laws: it holds at most `maxAnswers` answers; a returned edit applies to the present text and
 * changes it; accepting edit after edit produces the text of the answer.
 */
export class SuggestionCache<T> {
  readonly #maxAnswers: number;
  /** The most recently used answer is the last. */
  #answers: FollowedAnswer<T>[] = [];

  /**
   * The default is that of `nextEditCache.ts` of microsoft/vscode-copilot-chat. The least recently
   * used answer is evicted.
   */
  constructor(maxAnswers = 50) {
    this.#maxAnswers = maxAnswers;
  }

  /** The number of cached answers. */
  get size(): number {
    return this.#answers.length;
  }

  /**
   * Caches an answer for a text of the file at `path`, which was changed by `typed` since the
   * request.
   *
   * It replaces the answer for the same text and window, with that one's `typed` where none is
   * passed: a streamed answer is cached again with each further edit.
   */
  keep(path: string, text: string, answer: CachedAnswer<T>, typed?: Edit): void {
    const { window } = answer;
    const cached = this.#answers.find(
      (one) =>
        one.path === path &&
        one.text === text &&
        one.window?.start === window?.start &&
        one.window?.end === window?.end,
    );
    const since = typed ?? cached?.typed ?? Edit.empty;
    const followed = { ...answer, path, text, typed: since, present: since.apply(text) };
    this.#answers = [...this.#answers.filter((one) => one !== cached), followed].slice(-this.#maxAnswers);
  }

  /** Rebases the answers of the file at `path`, whose text was `before`, over a change. */
  follow(path: string, before: string, edit: Edit): void {
    const after = edit.apply(before);
    this.#answers = this.#answers.map((cached) => {
      if (cached.path !== path || (cached.present !== before && cached.text !== before)) return cached;
      // A text that was restored outside the engine's view is as it was when requested.
      const typed = cached.text === before ? edit : cached.typed.compose(edit);
      return { ...cached, typed: after === cached.text ? Edit.empty : typed, present: after };
    });
  }

  /**
   * Looks up a text of the file at `path`, with the cursor at an offset of it. Edits for which
   * `isPassedOver` returns `true` are ignored.
   */
  find(path: string, text: string, cursor: number, isPassedOver?: PassOver<T>): CacheAnswer<T> {
    let found: CacheAnswer<T> = { kind: "missing" };
    for (const cached of this.#answers.toReversed()) {
      const answer = nextEditOf(cached, { path, text, cursor }, { isPassedOver });
      if (answer.kind === "edit" || answer.kind === "nothing") {
        this.#answers = [...this.#answers.filter((other) => other !== cached), cached];
        return answer;
      }
      if (found.kind === "missing" && (answer.kind === "hidden" || found.reason === undefined)) found = answer;
    }
    return found;
  }

  /** Drops the answers of a file, such as one that was renamed or replaced. */
  forget(path: string): void {
    this.#answers = this.#answers.filter((cached) => cached.path !== path);
  }

  /** Drops all answers, as after a checkout of another branch. */
  forgetAll(): void {
    this.#answers = [];
  }
}

/**
 * Returns a window without its first and last line, but with the cursor's line, as a range of
 * offsets: where "nothing to propose" holds when the cursor moves. Lines at the edge of a window
 * had context on one side only.
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

/**
 * Returns the next edit of an answer for a text of the file at `path`, with the cursor at an offset
 * of it. Edits for which `isPassedOver` returns `true` are ignored.
 */
export function nextEditOf<T>(
  answer: FollowedAnswer<T>,
  { path, text: present, cursor }: { readonly path: string; readonly text: string; readonly cursor: number },
  { isPassedOver = () => false }: { readonly isPassedOver?: PassOver<T> | undefined } = {},
): CacheAnswer<T> {
  const { text, edits, window, isWhole = false, data } = answer;
  if (answer.path !== path || (text !== present && answer.present !== present)) return { kind: "missing" };
  const typed = text === present ? Edit.empty : answer.typed;
  const place = window === undefined ? undefined : typed.mapRange(window, "include");
  const isInside = place === undefined || (place.start <= cursor && cursor <= place.end);
  // After any typing there may be something to propose.
  const nothing: CacheAnswer<T> = isInside && typed.isEmpty ? { kind: "nothing" } : { kind: "missing" };
  if (edits.length === 0) return nothing;
  const taken: TextEdit[] = [];
  for (const [index, edit] of edits.entries()) {
    if (isPassedOver(data, index)) continue;
    const rebased = rebaseSuggestion(text, Edit.of([...taken, edit]), typed);
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
