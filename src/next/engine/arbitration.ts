import { Edit } from "../../text/index.ts";
import { rebaseSuggestion, trySlide } from "./rebase-suggestion.ts";

/**
 * How soon next edits are shown: how long the user must have paused typing; see {@link pauseMs}.
 */
export type Eagerness = "quiet" | "normal" | "eager";

/** What decides, besides the events, when ghost text and next edits are shown. */
export interface ArbitrationRules {
  /** Default `normal`. */
  readonly eagerness?: Eagerness;
  /** How long after a rejection no next edit is shown, in milliseconds. Default 5,000. */
  readonly afterRejectionMs?: number;
}

/**
 * How long after a key only ghost text is shown, unless `ghost-text-none` came, in milliseconds:
 * the least delay of next edits in microsoft/vscode-copilot-chat.
 */
const headStartMs = 100;

/**
 * How long the user must have paused typing before a next edit is shown, in milliseconds.
 *
 * microsoft/vscode-copilot-chat has 1,500 and 700 for low and medium eagerness, counted from the
 * request to the model. Counted from the key, 200 is its delay for cached suggestions.
 */
const pauseMs: Readonly<Record<Eagerness, number>> = { quiet: 1_500, normal: 200, eager: 0 };

/**
 * How long the user must have paused within a word before an edit is shown that inserts this word
 * elsewhere, in milliseconds.
 *
 * A name that is being typed is incomplete: a rename to `coun` is useless while the user types
 * `count`. A key outside the word or a moved cursor ends this delay at once. The values are our
 * own: users pause between words more often than within one.
 */
const wordPauseMs: Readonly<Record<Eagerness, number>> = { quiet: 2_000, normal: 1_000, eager: 500 };

/** A suggestion for the arbiter: an edit of the present text. */
export interface Offer {
  readonly id: string;
  readonly edit: Edit;
}

/**
 * The suggestion on the screen. Ghost text only inserts on the cursor's line, behind the cursor.
 */
export interface ShownOffer extends Offer {
  readonly as: "ghost-text" | "next-edit";
}

/**
 * An event and its time, in milliseconds on the clock of the state. Each offer is an edit of the
 * state's present text; the caller drops offers for other texts.
 */
export type ArbitrationEvent = { readonly atMs: number } & (
  | { readonly kind: "typed"; readonly edit: Edit; readonly cursor: number }
  | { readonly kind: "cursor-moved"; readonly cursor: number }
  | { readonly kind: "ghost-text-came"; readonly offer: Offer }
  /** No ghost text is available for the present text. */
  | { readonly kind: "ghost-text-none" }
  | { readonly kind: "next-edit-came"; readonly offer: Offer }
  /** The shown suggestion was accepted; `cursor` is the offset in the text it produced. */
  | { readonly kind: "accepted"; readonly cursor: number }
  | { readonly kind: "rejected" }
  /** Time passed and nothing else happened; see {@link dueMs}. */
  | { readonly kind: "waited" }
);

/**
 * The suggestion that is shown and the one that waits. Immutable: each event returns a new state.
 */
export interface ArbitrationState {
  readonly text: string;
  readonly cursor: number;
  /**
   * The active suggestion. It may be hidden while the cursor is elsewhere; {@link shownOf} returns
   * what is visible.
   */
  readonly stage: ShownOffer | undefined;
  /** A next edit whose delay has not passed, or that waits until the active suggestion is gone. */
  readonly waiting: WaitingOffer | undefined;
  /** When the head start of ghost text ends, in milliseconds. */
  readonly headStartEndsMs: number;
  /** When the pause after the last key is long enough for a next edit, in milliseconds. */
  readonly pauseEndsMs: number;
  /** The word that the last key changed, while the cursor stays at it; otherwise `undefined`. */
  readonly typedWord: string | undefined;
  /** When the pause is long enough to regard {@link typedWord} as complete, in milliseconds. */
  readonly wordPauseEndsMs: number;
  /** Until when no next edit is shown after a rejection, in milliseconds. */
  readonly rejectionEndsMs: number;
}

/**
 * A waiting suggestion, and whether it inserts elsewhere the word that was being typed when it
 * came.
 */
export interface WaitingOffer extends Offer {
  readonly spreadsWord: boolean;
}

/** Returns the initial state: a text, a cursor offset, and no suggestion. */
export function arbitrationOf(text: string, cursor: number): ArbitrationState {
  const never = Number.NEGATIVE_INFINITY;
  return {
    ...{ text, cursor, stage: undefined, waiting: undefined },
    ...{ headStartEndsMs: never, pauseEndsMs: never, rejectionEndsMs: never },
    ...{ typedWord: undefined, wordPauseEndsMs: never },
  };
}

/**
 * Returns the state after an event. The rules decide between ghost text and next edits:
 * - the active suggestion stays as long as the typed text agrees with it, and nothing replaces it;
 * - without one, ghost text is shown as it comes. A next edit is shown after the head start of
 *   ghost text (or after `ghost-text-none`), after the pause, and some time after a rejection;
 *   after an accepted suggestion, at once;
 * - a next edit that inserts elsewhere the word that is being typed waits longer, a second by
 *   default, or until the cursor leaves the word;
 * - a next edit that only inserts behind the cursor on its line is shown as ghost text, without the
 *   pause;
 * - ghost text is hidden while the cursor is elsewhere; then another suggestion may be shown.
 *
 * Law: while the user types exactly what is shown, nothing else is shown, whatever events come,
 * until all of it is typed.
 */
export function arbitrate(
  state: ArbitrationState,
  event: ArbitrationEvent,
  rules: ArbitrationRules = {},
): ArbitrationState {
  return step(afterEvent(state, event, rules), event.atMs);
}

/**
 * Returns the visible suggestion; `undefined` where there is none or the cursor has left its ghost
 * text.
 */
export function shownOf({ text, cursor, stage }: ArbitrationState): ShownOffer | undefined {
  if (stage?.as === "ghost-text" && !onlyAddsBehind(text, cursor, stage.edit)) return undefined;
  return stage;
}

/**
 * Returns when the waiting next edit may be shown, in milliseconds: the time for an event `waited`.
 * `undefined` where none waits or a suggestion is visible.
 */
export function dueMs(state: ArbitrationState): number | undefined {
  const { text, cursor, waiting, headStartEndsMs, rejectionEndsMs } = state;
  if (waiting === undefined || shownOf(state) !== undefined) return undefined;
  if (onlyAddsBehind(text, cursor, waiting.edit)) return Math.max(headStartEndsMs, rejectionEndsMs);
  return freeAtMs(state, waiting.spreadsWord);
}

/**
 * Returns when a next edit may be shown that does more than insert at the cursor, or is in another
 * file, in milliseconds; negative infinity where nothing delays it. `spreadsWord`: whether it
 * inserts the word that is being typed.
 */
export function freeAtMs(state: ArbitrationState, spreadsWord: boolean): number {
  const { headStartEndsMs, pauseEndsMs, wordPauseEndsMs, rejectionEndsMs } = state;
  return Math.max(headStartEndsMs, pauseEndsMs, rejectionEndsMs, spreadsWord ? wordPauseEndsMs : pauseEndsMs);
}

/**
 * Whether an edit, of this file or another one, inserts the word that is being typed; `false` where
 * none is.
 */
export function spreadsTypedWord({ typedWord }: ArbitrationState, edit: Edit): boolean {
  return typedWord !== undefined && insertedWords(edit).has(typedWord);
}

/**
 * Whether an edit only inserts, on the cursor's line and not before the cursor, with line breaks at
 * the line's end only. Such an edit can be shown as ghost text; an empty edit cannot.
 */
export function onlyAddsBehind(text: string, cursor: number, edit: Edit): boolean {
  const feed = text.indexOf("\n", cursor);
  const end = feed < 0 ? text.length : feed;
  const lineEnd = text[end - 1] === "\r" && end > cursor ? end - 1 : end;
  return (
    !edit.isEmpty &&
    edit.edits.every((part) => {
      const isOnLine = part.start === part.end && cursor <= part.start && part.start <= lineEnd;
      return isOnLine && (part.start === lineEnd || !/[\r\n]/.test(part.text));
    })
  );
}

function afterEvent(state: ArbitrationState, event: ArbitrationEvent, rules: ArbitrationRules): ArbitrationState {
  const { atMs } = event;
  switch (event.kind) {
    case "typed": {
      const { eagerness = "normal" } = rules;
      const text = event.edit.apply(state.text);
      const typedWord = tryWordTyped(text, event.cursor, event.edit);
      return {
        ...{ ...state, text, typedWord },
        wordPauseEndsMs: typedWord === undefined ? Number.NEGATIVE_INFINITY : atMs + wordPauseMs[eagerness],
        cursor: event.cursor,
        stage: rebaseOffer(state, state.stage, event.edit),
        waiting: rebaseOffer(state, state.waiting, event.edit),
        headStartEndsMs: atMs + headStartMs,
        pauseEndsMs: atMs + pauseMs[eagerness],
      };
    }
    case "cursor-moved": {
      if (event.cursor === state.cursor) return state;
      return { ...state, cursor: event.cursor, typedWord: undefined, wordPauseEndsMs: Number.NEGATIVE_INFINITY };
    }
    case "ghost-text-came": {
      const edit = event.offer.edit.normalize(state.text);
      const isFree = shownOf(state) === undefined && onlyAddsBehind(state.text, state.cursor, edit);
      return isFree ? { ...state, stage: { id: event.offer.id, edit, as: "ghost-text" } } : state;
    }
    case "ghost-text-none":
      return { ...state, headStartEndsMs: Number.NEGATIVE_INFINITY };
    case "next-edit-came": {
      const edit = event.offer.edit.normalize(state.text);
      return edit.isEmpty || state.stage?.id === event.offer.id
        ? state
        : {
            ...state,
            waiting: { id: event.offer.id, edit, spreadsWord: spreadsTypedWord(state, event.offer.edit) },
          };
    }
    case "accepted": {
      const shown = shownOf(state);
      if (shown === undefined) return state;
      return {
        ...arbitrationOf(shown.edit.apply(state.text), event.cursor),
        waiting: rebaseOffer(state, state.waiting, shown.edit),
      };
    }
    case "rejected": {
      // The default is that of microsoft/vscode-copilot-chat.
      const { afterRejectionMs = 5_000 } = rules;
      return { ...state, stage: undefined, waiting: undefined, rejectionEndsMs: atMs + afterRejectionMs };
    }
    case "waited":
      return state;
  }
}

/**
 * Makes the waiting next edit the active suggestion, if none is visible and its delay has passed.
 */
function step(state: ArbitrationState, nowMs: number): ArbitrationState {
  const due = dueMs(state);
  if (state.waiting === undefined || due === undefined || nowMs < due) return state;
  const as = onlyAddsBehind(state.text, state.cursor, state.waiting.edit) ? "ghost-text" : "next-edit";
  const { id, edit } = state.waiting;
  return { ...state, stage: { id, edit, as }, waiting: undefined };
}

/** The offer rebased over the typed edit; `undefined` where it is done or conflicts with it. */
function rebaseOffer<T extends Offer>({ text }: ArbitrationState, offer: T | undefined, typed: Edit): T | undefined {
  if (offer === undefined) return undefined;
  const rebased = rebaseSuggestion(text, offer.edit, typed);
  return rebased.kind === "kept" ? { ...offer, edit: rebased.edit } : undefined;
}

/**
 * Returns the whole word that an edit has just changed at the cursor, in `text`, which is the text
 * after the edit. `undefined` where the edit does not end at the cursor, or no word ends or
 * continues there.
 */
export function tryWordTyped(text: string, cursor: number, edit: Edit): string | undefined {
  if (edit.rangesAfter().every(({ end }) => end !== cursor)) return undefined;
  const front = /(?<![\p{L}\p{M}\p{N}_$])[\p{L}\p{M}\p{N}_$]+$/u.exec(
    text.slice(Math.max(0, cursor - maxLength), cursor),
  )?.[0];
  const back = /^[\p{L}\p{M}\p{N}_$]*/u.exec(text.slice(cursor, cursor + maxLength))![0];
  return front === undefined ? undefined : front + back;
}

/** Returns the words of the text that an edit inserts. */
export function insertedWords({ edits }: Edit): ReadonlySet<string> {
  return new Set(edits.flatMap(({ text }) => text.match(/[\p{L}\p{M}\p{N}_$]+/gu) ?? []));
}

/** The longest part of a word that is read to either side, in UTF-16 units. */
const maxLength = 200;

/**
 * Returns an edit of the same effect that only inserts behind the cursor on its line, so that it
 * can be shown as ghost text; `undefined` where the edit does anything else.
 *
 * Parts that change nothing are removed. An insertion may slide to the cursor or the line's end:
 * lines inserted in front of the next line are lines behind this one.
 */
export function tryBehindCursor(text: string, cursor: number, edit: Edit): Edit | undefined {
  const plain = edit.normalize(text);
  if (onlyAddsBehind(text, cursor, plain)) return plain;
  const [only, ...others] = plain.edits;
  if (only === undefined || others.length > 0 || only.start !== only.end) return undefined;
  const feed = text.indexOf("\n", cursor);
  const lineEnd = feed < 0 ? text.length : text[feed - 1] === "\r" && feed > cursor ? feed - 1 : feed;
  for (const at of [cursor, lineEnd]) {
    if (Math.abs(at - only.start) > only.text.length) continue;
    const slid = trySlide(text, only, at);
    const there = slid && Edit.of([slid]);
    if (there !== undefined && onlyAddsBehind(text, cursor, there)) return there;
  }
  return undefined;
}
