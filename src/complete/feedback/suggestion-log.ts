import type { Clock } from "../../codebase/index.ts";
import type { AcceptanceModel, AcceptanceModelState } from "./acceptance-model.ts";
import type { ActiveSuggestion } from "./active-suggestion.ts";
import type { RecentAnswer, TriggerFeatures } from "./trigger-features.ts";

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

/** An offer, the signals of its place, and what is known of it. */
interface LoggedSuggestion {
  offer: ActiveSuggestion;
  readonly signals: Omit<TriggerFeatures, "recent">;
  /** What was done lately when it was offered. */
  readonly recent: readonly RecentAnswer[];
  readonly offeredAt: number;
  isShown: boolean;
  /** Whether the person has answered it. */
  isSettled: boolean;
}

/** How many offers a host may still speak of. */
const maxOffers = 8;

/** The weight of a suggestion that was typed over: it was neither accepted nor dismissed. */
const typedOverWeight = 0.3;

/** How many answers count as lately. */
const maxRecent = 10;

/** Keeps what was offered lately and learns from what the person does with it. */
export class SuggestionLog {
  readonly #clock: Clock;
  readonly #acceptance: AcceptanceModel;
  readonly #seenAfterMs: number;
  readonly #offers = new Map<string, LoggedSuggestion>();
  readonly #recent: { readonly accepted: boolean; readonly at: number }[] = [];
  readonly #counts = { seen: 0, accepted: 0, partlyAccepted: 0, dismissed: 0, typedOver: 0 };

  /**
   * `seenAfterMs`: after how many milliseconds an offer counts as seen that the host never reports
   * as shown.
   */
  constructor(clock: Clock, acceptance: AcceptanceModel, seenAfterMs: number) {
    this.#clock = clock;
    this.#acceptance = acceptance;
    this.#seenAfterMs = seenAfterMs;
  }

  /** What the person did lately, the newest first. */
  get recent(): RecentAnswer[] {
    const now = this.#clock.now();
    return this.#recent.map(({ accepted, at }) => ({ accepted, agoMs: now - at }));
  }

  /** What was seen of the person so far. */
  get observations(): Observations {
    return { acceptance: this.#acceptance.state, ...this.#counts };
  }

  /** Remembers an offer. */
  add(offer: ActiveSuggestion, signals: Omit<TriggerFeatures, "recent">): void {
    this.#offers.set(offer.suggestion.id, {
      offer,
      signals,
      recent: this.recent,
      offeredAt: this.#clock.now(),
      isShown: false,
      isSettled: false,
    });
    if (this.#offers.size > maxOffers) this.#offers.delete(this.#offers.keys().next().value!);
  }

  /** Notes what is left of an offer, which keeps its id. */
  update(offer: ActiveSuggestion): void {
    const logged = this.#offers.get(offer.suggestion.id);
    if (logged !== undefined) logged.offer = offer;
  }

  /** The offer with this id, while it is remembered. */
  offer(id: string): ActiveSuggestion | undefined {
    return this.#offers.get(id)?.offer;
  }

  /** Tells that an offer is seen; whether that is news. */
  shown(id: string): boolean {
    const logged = this.#offers.get(id);
    if (logged === undefined || logged.isShown) return false;
    logged.isShown = true;
    this.#counts.seen++;
    return true;
  }

  /** Learns that an offer was taken, wholly or in part. */
  accepted(id: string, how: "wholly" | "partly"): void {
    if (this.#settle(id, { accepted: true, weight: 1 }))
      this.#counts[how === "wholly" ? "accepted" : "partlyAccepted"]++;
  }

  /** Learns that an offer was sent away. */
  dismissed(id: string): void {
    if (this.#settle(id, { accepted: false, weight: 1 })) this.#counts.dismissed++;
  }

  /**
   * Learns that the person typed something else than was offered, if it was there long enough to be
   * read.
   */
  typedOver(id: string): void {
    const logged = this.#offers.get(id);
    if (logged === undefined || logged.isSettled) return;
    if (!logged.isShown && this.#clock.now() - logged.offeredAt < this.#seenAfterMs) return;
    if (this.#settle(id, { accepted: false, weight: typedOverWeight })) this.#counts.typedOver++;
  }

  #settle(id: string, { accepted, weight }: { readonly accepted: boolean; readonly weight: number }): boolean {
    const logged = this.#offers.get(id);
    if (logged === undefined || logged.isSettled) return false;
    if (!logged.isShown) this.shown(id);
    logged.isSettled = true;
    this.#acceptance.learn({ ...logged.signals, recent: logged.recent }, accepted, weight);
    if (weight < 1) return true;
    this.#recent.unshift({ accepted, at: this.#clock.now() });
    this.#recent.length = Math.min(this.#recent.length, maxRecent);
    return true;
  }
}
