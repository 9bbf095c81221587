import type { Clock } from "../codebase/index.ts";
import {
  type ArbitrationEvent,
  type ArbitrationRules,
  type ArbitrationState,
  arbitrate,
  arbitrationOf,
  dueMs,
  type Eagerness,
  freeAtMs,
  shownOf,
  spreadsTypedWord,
} from "../next/index.ts";
import type { Edit } from "../text/index.ts";

/** What is known when something is asked for a document. */
export interface StagePlace {
  readonly uri: string;
  /** The text that is asked about. */
  readonly text: string;
  readonly cursor: number;
}

/** An edit that wants to be shown as ghost text. */
export interface GhostOffer {
  readonly id: string;
  readonly edit: Edit;
}

/** A next edit that wants to be shown. */
export interface StageOffer {
  readonly id: string;
  /** An edit of the asked document; nothing where it is elsewhere, or nothing but a place. */
  readonly edit: Edit | undefined;
  /** The edit of another document, where it is one. */
  readonly elsewhere?: Edit | undefined;
  readonly eagerness: Eagerness;
}

/** Who comes in front of whom, see `arbitrate` of `emend/next`. */
export type StageVerdict =
  | { readonly kind: "shown" }
  /** The person sees the other. */
  | { readonly kind: "held-back" }
  /** The text has changed, or the one who asked has gone. */
  | { readonly kind: "over" };

/**
 * Who is shown in which document, ghost text or a next edit, where one client asks for both: by the rule of `emend/next`, of what a server sees of it.
 *
 * Ghost text counts as seen where the cursor is still where it was asked for, by what was typed since, and so does a next edit that was given as ghost text. Any other
 * counts as seen only when the client says so: some take it away at the next key, and do not tell.
 */
export class OfferStages {
  readonly #clock: Clock;
  readonly #stages = new Map<string, Stage>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A document was changed. */
  typed(uri: string, before: string, edit: Edit): void {
    const last = edit.edits.at(-1);
    if (last === undefined) return;
    // Who types the first key of a document is typing, too.
    const stage = this.#stages.get(uri) ?? this.#open(uri, before, last.start);
    if (stage.state.text !== before) this.#reset(stage, edit.apply(before));
    else {
      const grown = edit.edits.reduce((sum, { start, end, text }) => sum + text.length - (end - start), 0);
      const cursor = last.end + grown;
      if (stage.ghostCursor !== undefined) stage.ghostCursor = cursor;
      this.#step(stage, { kind: "typed", edit, cursor, atMs: this.#clock.now() });
    }
    this.#wake(stage);
  }

  closed(uri: string): void {
    const stage = this.#stages.get(uri);
    this.#stages.delete(uri);
    if (stage !== undefined) this.#wake(stage);
  }

  /** Whether ghost text that came for a place may be shown there; nothing came where there is no `offer`. */
  ghostText(place: StagePlace, offer: GhostOffer | undefined): StageVerdict {
    const stage = this.#at(place);
    const atMs = this.#clock.now();
    stage.asksGhostText = true;
    const { stage: seen } = stage.state;
    // Another ghost text takes the place of the one before; a next edit that nobody sees is in nobody's way.
    if (seen !== undefined && stage.seenId !== seen.id) this.#clear(stage);
    if (offer === undefined) this.#step(stage, { kind: "ghost-text-none", atMs });
    else this.#step(stage, { kind: "ghost-text-came", offer, atMs });
    const isShown = offer !== undefined && shownOf(stage.state)?.id === offer.id;
    if (isShown) stage.ghostCursor = place.cursor;
    this.#wake(stage);
    return { kind: isShown || offer === undefined ? "shown" : "held-back" };
  }

  /** How many milliseconds ghost text that is asked for now has the first say, while it has not said that there is none. */
  headStartMs(place: StagePlace): number {
    const { headStartEndsMs } = this.#at(place).state;
    return Number.isFinite(headStartEndsMs) ? Math.max(0, headStartEndsMs - this.#clock.now()) : defaultHeadStartMs;
  }

  /** The next edit that is seen as ghost text at a place, by what was typed since; `undefined` where none is. */
  nextEditSeen(place: StagePlace): string | undefined {
    const stage = this.#at(place);
    const seen = shownOf(stage.state);
    const isSeen = seen?.as === "ghost-text" && seen.id === stage.seenId && stage.ghostCursor === place.cursor;
    return isSeen ? seen.id : undefined;
  }

  /** The next edit that was seen is none any more: it is in nobody's way. */
  nextEditGone(uri: string, id: string): void {
    const stage = this.#stages.get(uri);
    if (stage?.seenId !== id) return;
    this.#clear(stage);
    this.#wake(stage);
  }

  /** Whether a next edit may be given as ghost text, for which there is no other by now. */
  nextEditAsGhostText(place: StagePlace, offer: GhostOffer): StageVerdict {
    const stage = this.#at(place);
    const atMs = this.#clock.now();
    stage.asksGhostText = true;
    const { stage: seen } = stage.state;
    if (seen !== undefined && seen.id !== offer.id && stage.seenId !== seen.id) this.#clear(stage);
    this.#step(stage, { kind: "ghost-text-none", atMs });
    this.#step(stage, { kind: "next-edit-came", offer, atMs });
    const shown = shownOf(stage.state);
    const isShown = shown?.id === offer.id && shown.as === "ghost-text";
    if (isShown) {
      stage.seenId = offer.id;
      stage.ghostCursor = place.cursor;
    }
    this.#wake(stage);
    return { kind: isShown ? "shown" : "held-back" };
  }

  /** Waits until a next edit that came by itself may be shown, or it is known that it may not. */
  async nextEdit(place: StagePlace, offer: StageOffer, signal: AbortSignal): Promise<StageVerdict> {
    const stage = this.#at(place);
    const { id, edit, elsewhere, eagerness } = offer;
    stage.rules = { eagerness };
    const { stage: seen } = stage.state;
    const isOver = seen?.as === "next-edit" ? seen.id !== id : stage.ghostCursor !== place.cursor;
    if (seen !== undefined && isOver) this.#clear(stage);
    if (!stage.asksGhostText) this.#step(stage, { kind: "ghost-text-none", atMs: this.#clock.now() });
    if (edit !== undefined) this.#step(stage, { kind: "next-edit-came", offer: { id, edit }, atMs: this.#clock.now() });
    for (;;) {
      if (signal.aborted || this.#stages.get(place.uri) !== stage || stage.state.text !== place.text) {
        return { kind: "over" };
      }
      this.#step(stage, { kind: "waited", atMs: this.#clock.now() });
      const shown = shownOf(stage.state);
      if (shown?.id === id) return { kind: "shown" };
      if (shown !== undefined) return { kind: "held-back" };
      const spreadsWord = elsewhere !== undefined && spreadsTypedWord(stage.state, elsewhere);
      const waitMs = (dueMs(stage.state) ?? freeAtMs(stage.state, spreadsWord)) - this.#clock.now();
      if (!(waitMs > 0)) return { kind: "shown" };
      await this.#change(stage, waitMs, signal);
    }
  }

  /** The client says that the person sees this next edit. */
  seen(uri: string, id: string): void {
    const stage = this.#stages.get(uri);
    if (stage?.state.stage?.id === id) stage.seenId = id;
  }

  /** The person took what was offered, or does not want it. */
  ended(uri: string, how: "accepted" | "rejected"): void {
    const stage = this.#stages.get(uri);
    if (stage === undefined) return;
    if (how === "rejected") this.#step(stage, { kind: "rejected", atMs: this.#clock.now() });
    // The text is what it led to already, or will be told: what comes next does not wait.
    else this.#reset(stage, stage.state.text);
    this.#wake(stage);
  }

  #at({ uri, text, cursor }: StagePlace): Stage {
    const stage = this.#stages.get(uri) ?? this.#open(uri, text, cursor);
    if (stage.state.text !== text) this.#reset(stage, text);
    this.#step(stage, { kind: "cursor-moved", cursor, atMs: this.#clock.now() });
    return stage;
  }

  #open(uri: string, text: string, cursor: number): Stage {
    const stage: Stage = { state: arbitrationOf(text, cursor), rules: {}, asksGhostText: false, waiting: new Set() };
    this.#stages.set(uri, stage);
    return stage;
  }

  #step(stage: Stage, event: ArbitrationEvent): void {
    stage.state = arbitrate(stage.state, event, stage.rules);
  }

  #clear(stage: Stage): void {
    stage.state = { ...stage.state, stage: undefined };
    stage.seenId = undefined;
    stage.ghostCursor = undefined;
  }

  #reset(stage: Stage, text: string): void {
    stage.state = arbitrationOf(text, Math.min(stage.state.cursor, text.length));
    stage.seenId = undefined;
    stage.ghostCursor = undefined;
  }

  #wake(stage: Stage): void {
    for (const wake of stage.waiting) wake();
  }

  /** Resolves when something has happened in a document, or so much time has passed. */
  async #change(stage: Stage, waitMs: number, signal: AbortSignal): Promise<void> {
    let wake!: () => void;
    const change = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const timer = this.#clock.after(waitMs, wake);
    stage.waiting.add(wake);
    signal.addEventListener("abort", wake, { once: true });
    if (signal.aborted) wake();
    await change;
    timer[Symbol.dispose]();
    stage.waiting.delete(wake);
    signal.removeEventListener("abort", wake);
  }
}

/** One document's. */
interface Stage {
  state: ArbitrationState;
  rules: ArbitrationRules;
  /** Whether the client asks for ghost text in this document at all. */
  asksGhostText: boolean;
  /** Where the cursor is while the ghost text on the stage is seen. */
  ghostCursor?: number | undefined;
  /** The next edit that the client says it shows. */
  seenId?: string | undefined;
  readonly waiting: Set<() => void>;
}

/** For whoever has not typed yet; as after a key. */
const defaultHeadStartMs = 100;
