import { type Clock, onAbort } from "../../async/index.ts";
import {
  type ArbitrationEvent,
  type ArbitrationRules,
  type ArbitrationState,
  arbitrate,
  arbitrationOf,
  dueMs,
  freeAtMs,
  shownOf,
  spreadsTypedWord,
} from "../../next/index.ts";
import type { Edit } from "../../text/index.ts";

/** The document, text and cursor of a request. */
export interface ArbiterRequest {
  readonly uri: string;
  /** The text at the time of the request. */
  readonly text: string;
  readonly cursor: number;
}

/** An edit that is to be shown as ghost text. */
export interface GhostTextCandidate {
  readonly id: string;
  readonly edit: Edit;
}

/** A next edit that is to be shown. */
export interface NextEditCandidate {
  readonly id: string;
  /**
   * The edit of the document of the request; `undefined` where it is elsewhere, or only a location.
   */
  readonly edit: Edit | undefined;
  /** The edit of another document, where it is one. */
  readonly elsewhere?: Edit | undefined;
  readonly rules: ArbitrationRules;
}

/** Whether a candidate may be shown; see `arbitrate` of `emend/next`. */
export type ArbiterDecision =
  | { readonly kind: "shown" }
  /** The other kind of suggestion is visible. */
  | { readonly kind: "held-back" }
  /** The text has changed, or the request was cancelled. */
  | { readonly kind: "over" };

/**
 * Decides for each document whether ghost text or a next edit is shown, where a client requests
 * both. The rule is `arbitrate` of `emend/next`, applied to what a server can see.
 *
 * Ghost text counts as visible while the cursor follows what was typed since the request, and so
 * does a next edit that was returned as ghost text. Another next edit counts as visible only after
 * the client's notification: some clients hide it at the next key without a notification.
 */
export class SuggestionArbiter {
  readonly #clock: Clock;
  readonly #entries = new Map<string, DocumentState>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records an edit of a document. */
  typed(uri: string, before: string, edit: Edit): void {
    const last = edit.edits.at(-1);
    if (last === undefined) return;
    // The first key in a document counts as typing, too.
    const entry = this.#entries.get(uri) ?? this.#open(uri, before, last.start);
    if (entry.state.text !== before) this.#reset(entry, edit.apply(before));
    else {
      const grown = edit.edits.reduce((sum, { start, end, text }) => sum + text.length - (end - start), 0);
      const cursor = last.end + grown;
      if (entry.ghostCursor !== undefined) entry.ghostCursor = cursor;
      this.#step(entry, { kind: "typed", edit, cursor, atMs: this.#clock.now() });
    }
    this.#wake(entry);
  }

  closed(uri: string): void {
    const entry = this.#entries.get(uri);
    this.#entries.delete(uri);
    if (entry !== undefined) this.#wake(entry);
  }

  /**
   * Whether ghost text may be shown: `shown` or `held-back`. `offer` is `undefined` where the
   * request found none; the answer is `shown` then.
   */
  ghostText(place: ArbiterRequest, offer: GhostTextCandidate | undefined): ArbiterDecision {
    const entry = this.#at(place);
    const atMs = this.#clock.now();
    entry.requestsGhostText = true;
    const { stage: seen } = entry.state;
    // New ghost text replaces the one before; a next edit that is not visible does not block it.
    if (seen !== undefined && entry.seenId !== seen.id) this.#clear(entry);
    if (offer === undefined) this.#step(entry, { kind: "ghost-text-none", atMs });
    else this.#step(entry, { kind: "ghost-text-came", offer, atMs });
    const isShown = offer !== undefined && shownOf(entry.state)?.id === offer.id;
    if (isShown) entry.ghostCursor = place.cursor;
    this.#wake(entry);
    return { kind: isShown || offer === undefined ? "shown" : "held-back" };
  }

  /**
   * The milliseconds for which ghost text, requested now, has precedence, until it is known that
   * there is none.
   */
  headStartMs(place: ArbiterRequest): number {
    const { headStartEndsMs } = this.#at(place).state;
    return Number.isFinite(headStartEndsMs) ? Math.max(0, headStartEndsMs - this.#clock.now()) : defaultHeadStartMs;
  }

  /**
   * The id of the next edit that is visible as ghost text at a place, after what was typed since;
   * `undefined` where there is none.
   */
  nextEditSeen(place: ArbiterRequest): string | undefined {
    const entry = this.#at(place);
    const seen = shownOf(entry.state);
    const isSeen = seen?.as === "ghost-text" && seen.id === entry.seenId && entry.ghostCursor === place.cursor;
    return isSeen ? seen.id : undefined;
  }

  /** Notes that a visible suggestion is not suggested any more, or was dismissed. */
  gone(uri: string, id: string): void {
    const entry = this.#entries.get(uri);
    if (entry === undefined || (entry.seenId !== id && entry.state.stage?.id !== id)) return;
    this.#clear(entry);
    this.#wake(entry);
  }

  /** Whether a next edit may be shown as ghost text, where there is no other. */
  nextEditAsGhostText(place: ArbiterRequest, offer: GhostTextCandidate): ArbiterDecision {
    const entry = this.#at(place);
    const atMs = this.#clock.now();
    entry.requestsGhostText = true;
    const { stage: seen } = entry.state;
    if (seen !== undefined && seen.id !== offer.id && entry.seenId !== seen.id) this.#clear(entry);
    this.#step(entry, { kind: "ghost-text-none", atMs });
    this.#step(entry, { kind: "next-edit-came", offer, atMs });
    const shown = shownOf(entry.state);
    const isShown = shown?.id === offer.id && shown.as === "ghost-text";
    if (isShown) {
      entry.seenId = offer.id;
      entry.ghostCursor = place.cursor;
    }
    this.#wake(entry);
    return { kind: isShown ? "shown" : "held-back" };
  }

  /**
   * Waits until an automatic next edit may be shown, or is decided against. Resolves with `over`
   * when the text has changed or `signal` is aborted.
   */
  async nextEdit(place: ArbiterRequest, offer: NextEditCandidate, signal: AbortSignal): Promise<ArbiterDecision> {
    const entry = this.#at(place);
    const { id, edit, elsewhere, rules } = offer;
    entry.rules = rules;
    const { stage: seen } = entry.state;
    const isReplaced = seen?.as === "next-edit" ? seen.id !== id : entry.ghostCursor !== place.cursor;
    if (seen !== undefined && isReplaced) this.#clear(entry);
    if (!entry.requestsGhostText) this.#step(entry, { kind: "ghost-text-none", atMs: this.#clock.now() });
    if (edit !== undefined) this.#step(entry, { kind: "next-edit-came", offer: { id, edit }, atMs: this.#clock.now() });
    for (;;) {
      if (signal.aborted || this.#entries.get(place.uri) !== entry || entry.state.text !== place.text) {
        return { kind: "over" };
      }
      // One time for both: between two readings of the clock the wait might end without the step.
      const atMs = this.#clock.now();
      this.#step(entry, { kind: "waited", atMs });
      const shown = shownOf(entry.state);
      if (shown?.id === id) return { kind: "shown" };
      if (shown !== undefined) return { kind: "held-back" };
      const spreadsWord = elsewhere !== undefined && spreadsTypedWord(entry.state, elsewhere);
      const waitMs = (dueMs(entry.state) ?? freeAtMs(entry.state, spreadsWord)) - atMs;
      if (!(waitMs > 0)) return { kind: "shown" };
      await this.#change(entry, waitMs, signal);
    }
  }

  /** The client shows this next edit. */
  seen(uri: string, id: string): void {
    const entry = this.#entries.get(uri);
    if (entry?.state.stage?.id === id) entry.seenId = id;
  }

  /** The active suggestion was accepted or rejected. */
  ended(uri: string, how: "accepted" | "rejected"): void {
    const entry = this.#entries.get(uri);
    if (entry === undefined) return;
    if (how === "rejected") this.#step(entry, { kind: "rejected", atMs: this.#clock.now() });
    // The text contains the accepted edit, or will soon; so the next suggestion need not wait.
    else this.#reset(entry, entry.state.text);
    this.#wake(entry);
  }

  #at({ uri, text, cursor }: ArbiterRequest): DocumentState {
    const entry = this.#entries.get(uri) ?? this.#open(uri, text, cursor);
    if (entry.state.text !== text) this.#reset(entry, text);
    this.#step(entry, { kind: "cursor-moved", cursor, atMs: this.#clock.now() });
    return entry;
  }

  #open(uri: string, text: string, cursor: number): DocumentState {
    const entry: DocumentState = {
      state: arbitrationOf(text, cursor),
      rules: {},
      requestsGhostText: false,
      waiting: new Set(),
    };
    this.#entries.set(uri, entry);
    return entry;
  }

  #step(entry: DocumentState, event: ArbitrationEvent): void {
    entry.state = arbitrate(entry.state, event, entry.rules);
  }

  #clear(entry: DocumentState): void {
    entry.state = { ...entry.state, stage: undefined };
    entry.seenId = undefined;
    entry.ghostCursor = undefined;
  }

  #reset(entry: DocumentState, text: string): void {
    entry.state = arbitrationOf(text, Math.min(entry.state.cursor, text.length));
    entry.seenId = undefined;
    entry.ghostCursor = undefined;
  }

  #wake(entry: DocumentState): void {
    for (const wake of entry.waiting) wake();
  }

  /** Resolves after an event in the document, or after `waitMs` milliseconds. */
  async #change(entry: DocumentState, waitMs: number, signal: AbortSignal): Promise<void> {
    let wake!: () => void;
    const change = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const timer = this.#clock.after(waitMs, wake);
    entry.waiting.add(wake);
    const listener = onAbort(signal, wake);
    await change;
    timer[Symbol.dispose]();
    entry.waiting.delete(wake);
    listener[Symbol.dispose]();
  }
}

/** The arbiter's state for one document. */
interface DocumentState {
  state: ArbitrationState;
  rules: ArbitrationRules;
  /** Whether the client requests ghost text in this document at all. */
  requestsGhostText: boolean;
  /** The offset of the cursor while the active ghost text is visible. */
  ghostCursor?: number | undefined;
  /** The next edit that the client shows. */
  seenId?: string | undefined;
  readonly waiting: Set<() => void>;
}

/** The head start in milliseconds where nothing was typed yet; the same as after a key. */
const defaultHeadStartMs = 100;
