import type { Clock } from "../../async/index.ts";
import { isSubsequence } from "../../text/index.ts";
import type { Suggestion } from "../outcome.ts";
import type { Place } from "../place.ts";
import type { AcceptanceModel, AcceptanceModelState, RecentAnswer, TriggerFeatures } from "./acceptance-model.ts";
import { SuggestionStore } from "./suggestion-store.ts";

/** A suggestion that was handed out, with the text it makes. */
export interface ActiveSuggestion {
  readonly suggestion: Suggestion;
  readonly uri: string;
  readonly path: string;
  /** The language's id. */
  readonly language: string;
  /**
   * The document in front of what the suggestion writes, what it writes, and the document behind
   * it.
   */
  readonly before: string;
  readonly text: string;
  readonly after: string;
  /** The number of the request that it answers; see `ModelRequestLog`. */
  readonly ask?: number | undefined;
}

/** What is left of an offer. */
export interface SuggestionRest {
  /**
   * The text that is still to be typed, with the line endings of the document; empty where all of
   * it is there.
   */
  readonly text: string;
  /** How many UTF-16 units behind the cursor it replaces. */
  readonly covered: number;
}

/**
 * What is left of a suggestion at a place where the person has typed exactly its beginning so far;
 * `undefined` where the document was changed in another way, or it is another document.
 *
 * Closers that the editor added to what was typed are covered, if the suggestion has them too. Law:
 * accepting the rest makes the document that accepting the suggestion would have made.
 */
export function restOfSuggestion(
  { uri, before, text, after }: Pick<ActiveSuggestion, "uri" | "before" | "text" | "after">,
  place: Pick<Place, "uri" | "prefix" | "suffix">,
): SuggestionRest | undefined {
  const { prefix, suffix } = place;
  const typed = prefix.length - before.length;
  const covered = suffix.length - after.length;
  if (place.uri !== uri || typed < 0 || typed > text.length || covered < 0) return undefined;
  if (!suffix.endsWith(after) || !prefix.startsWith(before) || !prefix.endsWith(text.slice(0, typed))) return undefined;
  const rest = text.slice(typed);
  const replaced = suffix.slice(0, covered);
  return /[\r\n]/.test(replaced) || !isSubsequence(replaced, rest) ? undefined : { text: rest, covered };
}

/** What the person did, as plain data for the host to keep. It holds no text. */
export interface Observations {
  /**
   * What the acceptance model has learnt; an `AcceptanceModel` created with it continues from
   * there.
   */
  readonly acceptance: AcceptanceModelState;
  /**
   * How many suggestions were seen, and what became of them. The rest of those seen still stand.
   */
  readonly seen: number;
  readonly accepted: number;
  readonly partlyAccepted: number;
  readonly dismissed: number;
  /** Those that the person typed past. */
  readonly typedOver: number;
}

/** An offer, and the signals of its place. */
interface LoggedSuggestion {
  readonly offer: ActiveSuggestion;
  readonly signals: Omit<TriggerFeatures, "recent">;
  /** What was done lately when it was offered. */
  readonly recent: readonly RecentAnswer[];
  readonly offeredAt: number;
}

/** How many offers a host may still speak of, */
const maxOffers = 8;
/** and the most UTF-16 units of their documents together, of more than one offer. */
const maxOfferCharacters = 2_000_000;

/** The weight of a suggestion that was typed over: it was neither accepted nor dismissed. */
const typedOverWeight = 0.3;

/** How many answers count as lately. */
const maxRecent = 10;

/**
 * Keeps the eight suggestions that were used last, and learns from what the person does with them.
 * Reports about others are ignored.
 */
export class SuggestionLog {
  readonly #clock: Clock;
  readonly #acceptance: AcceptanceModel;
  readonly #seenAfterMs: number;
  readonly #offers = new SuggestionStore<LoggedSuggestion>({
    ...{ max: maxOffers, maxCharacters: maxOfferCharacters },
    charactersOf: ({ offer: { before, after } }) => before.length + after.length,
  });
  readonly #recent: { readonly accepted: boolean; readonly at: number }[] = [];
  readonly #counts = { seen: 0, accepted: 0, partlyAccepted: 0, dismissed: 0, typedOver: 0 };

  /**
   * `acceptance` is trained by what the person does. A suggestion that the host never reports as
   * shown counts as seen after `seenAfterMs` milliseconds.
   */
  constructor(clock: Clock, acceptance: AcceptanceModel, seenAfterMs: number) {
    this.#clock = clock;
    this.#acceptance = acceptance;
    this.#seenAfterMs = seenAfterMs;
  }

  /**
   * Whether the person accepted the last suggestions, at most ten, the newest first. Those that
   * were typed over are left out.
   */
  get recent(): RecentAnswer[] {
    const now = this.#clock.now();
    return this.#recent.map(({ accepted, at }) => ({ accepted, agoMs: now - at }));
  }

  /** The counts of what became of suggestions so far, and the state of the acceptance model. */
  get observations(): Observations {
    return { acceptance: this.#acceptance.state, ...this.#counts };
  }

  /**
   * Remembers a suggestion by its id, with the signals of its place; the one beyond eight that was
   * not used for longest is forgotten, and in long documents earlier.
   */
  add(offer: ActiveSuggestion, signals: Omit<TriggerFeatures, "recent">): void {
    const { recent } = this;
    this.#offers.keep(offer.suggestion.id, { offer, signals, recent, offeredAt: this.#clock.now() });
  }

  /** Replaces a remembered suggestion by what is left of it, which has the same id. */
  update(offer: ActiveSuggestion): void {
    const logged = this.#offers.get(offer.suggestion.id);
    if (logged !== undefined) this.#offers.keep(offer.suggestion.id, { ...logged, offer });
  }

  /** The suggestion with this id, while it is remembered. */
  offer(id: string): ActiveSuggestion | undefined {
    return this.#offers.get(id)?.offer;
  }

  /**
   * Records that a suggestion was seen. Returns `false` for one that is unknown or was recorded
   * before.
   */
  shown(id: string): boolean {
    const isNew = this.#offers.move(id, "shown") === "pending";
    if (isNew) this.#counts.seen++;
    return isNew;
  }

  /**
   * Learns that a suggestion was accepted. Only the first of `accepted`, `dismissed` and
   * `typedOver` counts for a suggestion, which then counts as seen.
   */
  accepted(id: string, how: "wholly" | "partly"): void {
    if (this.#settle(id, how === "wholly" ? "accepted" : "partly-accepted"))
      this.#counts[how === "wholly" ? "accepted" : "partlyAccepted"]++;
  }

  /** Learns that a suggestion was dismissed; see {@link accepted}. */
  dismissed(id: string): void {
    if (this.#settle(id, "dismissed")) this.#counts.dismissed++;
  }

  /**
   * Learns that the person typed something else, if the suggestion was reported as shown or was
   * there long enough to be read; see {@link accepted}.
   */
  typedOver(id: string): void {
    const logged = this.#offers.get(id);
    if (logged === undefined) return;
    const isUnread = this.#clock.now() - logged.offeredAt < this.#seenAfterMs;
    if (this.#offers.stateOf(id) === "pending" && isUnread) return;
    if (this.#settle(id, "ignored")) this.#counts.typedOver++;
  }

  #settle(id: string, state: "accepted" | "partly-accepted" | "dismissed" | "ignored"): boolean {
    const before = this.#offers.move(id, state);
    if (before !== "pending" && before !== "shown") return false;
    if (before === "pending") this.#counts.seen++;
    const { signals, recent } = this.#offers.get(id)!;
    const accepted = state === "accepted" || state === "partly-accepted";
    this.#acceptance.learn({ ...signals, recent }, accepted, state === "ignored" ? typedOverWeight : 1);
    if (state === "ignored") return true;
    this.#recent.unshift({ accepted, at: this.#clock.now() });
    this.#recent.length = Math.min(this.#recent.length, maxRecent);
    return true;
  }
}
