import type { Edit } from "../text/index.ts";
import { type RebaseLimits, rebaseSuggestion } from "./rebase-suggestion.ts";
import { tryWordTyped, wordsPutIn } from "./word-typed.ts";

/** How eager next edits are to be seen: after how long without a key. */
export type Eagerness = "quiet" | "normal" | "eager";

/** When what is shown. Milliseconds. */
export interface ArbitrationRules {
  /** `normal` unless told. */
  readonly eagerness?: Eagerness;
  /** How long after a key ghost text has the first say, while it has not said that there is none; 100 unless told, the least wait of next edits in the peer. */
  readonly headStartMs?: number;
  /** How long after a rejection no next edit is shown; 5,000 unless told, as in microsoft/vscode-copilot-chat. */
  readonly afterRejectionMs?: number;
  readonly limits?: RebaseLimits;
}

/**
 * How long a person must have paused before a next edit is shown. The peer has 1,500 and 700 for low and medium, counted from the request to a model; from
 * the key on, 200 is its wait for what it knows already.
 */
export const pauseMs: Readonly<Record<Eagerness, number>> = { quiet: 1_500, normal: 200, eager: 0 };

/**
 * How long a person must have paused within a word before an edit is shown that writes this word elsewhere: a name that is being typed is not yet the name,
 * and a rename to `coun` is of no use to who goes on to `count`. Another key than one of the word, or a cursor that is moved, ends it at once. Our own choice: names are
 * thought of between words, seldom within one.
 */
export const wordPauseMs: Readonly<Record<Eagerness, number>> = { quiet: 2_000, normal: 1_000, eager: 500 };

/** Something to offer: an edit of the present text. */
export interface Offer {
  readonly id: string;
  readonly edit: Edit;
}

/** What a person sees. Ghost text only adds on the cursor's line, behind the cursor. */
export interface ShownOffer extends Offer {
  readonly as: "ghost-text" | "next-edit";
}

/** What happens, and when on the clock of the state. Offers are of the state's present text; those of another are not offers and do not come here. */
export type ArbitrationEvent = { readonly atMs: number } & (
  | { readonly kind: "typed"; readonly edit: Edit; readonly cursor: number }
  | { readonly kind: "cursor-moved"; readonly cursor: number }
  | { readonly kind: "ghost-text-came"; readonly offer: Offer }
  /** There will be no ghost text for the present text. */
  | { readonly kind: "ghost-text-none" }
  | { readonly kind: "next-edit-came"; readonly offer: Offer }
  /** What is shown was taken over: the text and the cursor are what it led to. */
  | { readonly kind: "accepted"; readonly cursor: number }
  | { readonly kind: "rejected" }
  /** Time has passed; see {@link dueMs}. */
  | { readonly kind: "waited" }
);

/** Who is shown and who waits. A value: each event gives another one. */
export interface ArbitrationState {
  readonly text: string;
  readonly cursor: number;
  /** What is on the stage. It may be hidden while the cursor is elsewhere; {@link shownOf} says what is seen. */
  readonly stage: ShownOffer | undefined;
  /** A next edit whose time has not come, or that stands behind what is shown. */
  readonly waiting: WaitingOffer | undefined;
  /** When ghost text no longer has the first say. */
  readonly headStartEndsMs: number;
  /** When the person has paused long enough for a next edit. */
  readonly pauseEndsMs: number;
  /** The word that the last key changed, while the cursor stays at it. */
  readonly typedWord: string | undefined;
  /** When the person has paused long enough for that word to be what it is going to be. */
  readonly wordPauseEndsMs: number;
  /** Until when nothing is shown since something was rejected. */
  readonly rejectionEndsMs: number;
}

/** An offer that waits, and whether it writes elsewhere the word that was being typed when it came. */
export interface WaitingOffer extends Offer {
  readonly spreadsWord: boolean;
}

/** The beginning: a text, a cursor, nothing to show. */
export function arbitrationOf(text: string, cursor: number): ArbitrationState {
  const never = Number.NEGATIVE_INFINITY;
  return {
    ...{ text, cursor, stage: undefined, waiting: undefined },
    ...{ headStartEndsMs: never, pauseEndsMs: never, rejectionEndsMs: never },
    ...{ typedWord: undefined, wordPauseEndsMs: never },
  };
}

/**
 * One rule for who is shown, ghost text or a next edit:
 * - who is shown stays, as long as what is typed agrees with it; nobody else takes the place meanwhile;
 * - when nobody is, ghost text is shown as it comes, and a next edit when ghost text had its head start or said that there is none, the person paused, and
 *   nothing was rejected lately; right after an accepted offer, at once;
 * - a next edit that writes elsewhere the word which is being typed waits for the longer {@link wordPauseMs}, or until the word is left;
 * - a next edit that only adds behind the cursor on its line is shown as ghost text, without the pause;
 * - ghost text is hidden while the cursor is elsewhere, and then others may be shown.
 *
 * Law: while a person types exactly what is shown, nothing else is shown, whatever comes, until it is typed.
 */
export function arbitrate(
  state: ArbitrationState,
  event: ArbitrationEvent,
  rules: ArbitrationRules = {},
): ArbitrationState {
  return step(afterEvent(state, event, rules), event.atMs);
}

/** What a person sees. */
export function shownOf({ text, cursor, stage }: ArbitrationState): ShownOffer | undefined {
  if (stage?.as === "ghost-text" && !onlyAddsBehind(text, cursor, stage.edit)) return undefined;
  return stage;
}

/** When a waiting next edit may be shown, if nothing happens: the time for an event `waited`. `undefined` when none waits, or something is shown. */
export function dueMs(state: ArbitrationState): number | undefined {
  const { text, cursor, waiting, headStartEndsMs, rejectionEndsMs } = state;
  if (waiting === undefined || shownOf(state) !== undefined) return undefined;
  if (onlyAddsBehind(text, cursor, waiting.edit)) return Math.max(headStartEndsMs, rejectionEndsMs);
  return freeAtMs(state, waiting.spreadsWord);
}

/** When a next edit may be shown that does more than add at the cursor, or is in another file, if nothing happens. */
export function freeAtMs(state: ArbitrationState, spreadsWord: boolean): number {
  const { headStartEndsMs, pauseEndsMs, wordPauseEndsMs, rejectionEndsMs } = state;
  return Math.max(headStartEndsMs, pauseEndsMs, rejectionEndsMs, spreadsWord ? wordPauseEndsMs : pauseEndsMs);
}

/** Whether an edit, of this text or another one, puts in the word that is being typed. */
export function spreadsTypedWord({ typedWord }: ArbitrationState, edit: Edit): boolean {
  return typedWord !== undefined && wordsPutIn(edit).has(typedWord);
}

/** Whether an edit only inserts, on the cursor's line and not before the cursor; line breaks only at the line's end. So it can be shown as ghost text. */
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
      const { eagerness = "normal", headStartMs = 100, limits } = rules;
      const text = event.edit.apply(state.text);
      const typedWord = tryWordTyped(text, event.cursor, event.edit);
      return {
        ...{ ...state, text, typedWord },
        wordPauseEndsMs: typedWord === undefined ? Number.NEGATIVE_INFINITY : atMs + wordPauseMs[eagerness],
        cursor: event.cursor,
        stage: carried(state, state.stage, event.edit, limits),
        waiting: carried(state, state.waiting, event.edit, limits),
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
        waiting: carried(state, state.waiting, shown.edit, rules.limits),
      };
    }
    case "rejected": {
      const { afterRejectionMs = 5_000 } = rules;
      return { ...state, stage: undefined, waiting: undefined, rejectionEndsMs: atMs + afterRejectionMs };
    }
    case "waited":
      return state;
  }
}

/** Shows the next edit that waits, if nothing is shown and its time has come. */
function step(state: ArbitrationState, nowMs: number): ArbitrationState {
  const due = dueMs(state);
  if (state.waiting === undefined || due === undefined || nowMs < due) return state;
  const as = onlyAddsBehind(state.text, state.cursor, state.waiting.edit) ? "ghost-text" : "next-edit";
  const { id, edit } = state.waiting;
  return { ...state, stage: { id, edit, as }, waiting: undefined };
}

/** An offer over what was typed, if it is still one. */
function carried<T extends Offer>(
  { text }: ArbitrationState,
  offer: T | undefined,
  typed: Edit,
  limits: RebaseLimits | undefined,
): T | undefined {
  if (offer === undefined) return undefined;
  const rebased = rebaseSuggestion(text, offer.edit, typed, limits);
  return rebased.kind === "kept" ? { ...offer, edit: rebased.edit } : undefined;
}
