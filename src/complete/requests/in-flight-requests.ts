import type { Clock } from "../../codebase/index.ts";
import type { Prompt } from "../../context/index.ts";
import type { Place } from "../place.ts";
import { restOfAnswer } from "./answer-cache.ts";
import type { ModelRequest, ModelRequestResult } from "./model-request.ts";

/** A request to a model that is under way, and who wants it. */
export interface InFlightRequest {
  readonly ask: ModelRequest;
  readonly place: Place;
  readonly prompt: Prompt;
  /** Its number; see `ModelRequestLog`. */
  readonly number: number;
  /** The model's name, and its place in the order of requests to models. */
  readonly model: string;
  readonly rank: number;
  /** Whether it is for the place that accepting a suggestion would lead to. */
  readonly isAhead: boolean;
}

/**
 * The requests to models that are under way: about one at a time, and one ahead.
 *
 * A request without a waiting caller continues for a while, since the next key may need it, and is
 * stopped after that time or the next key wants something else.
 */
export class InFlightRequests {
  readonly #clock: Clock;
  readonly #orphanMs: number;
  readonly #pending = new Map<InFlightRequest, { holders: number; orphan?: Disposable | undefined }>();

  constructor(clock: Clock, orphanMs: number) {
    this.#clock = clock;
    this.#orphanMs = orphanMs;
  }

  /** How many are under way. */
  get size(): number {
    return this.#underWay.length;
  }

  /** Follows a request until it is over. Somebody has to {@link hold} it, unless it is ahead. */
  add(pending: InFlightRequest): void {
    if (pending.isAhead) this.stopAhead();
    this.#pending.set(pending, { holders: 0 });
    void pending.ask.answer.then(() => {
      this.#pending.get(pending)?.orphan?.[Symbol.dispose]();
      this.#pending.delete(pending);
    });
  }

  /** Keeps a request going until the answer is disposed of, and a while longer. */
  hold(pending: InFlightRequest): Disposable {
    const state = this.#pending.get(pending);
    if (state === undefined) return { [Symbol.dispose]: () => undefined };
    state.holders++;
    state.orphan?.[Symbol.dispose]();
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        state.holders--;
        if (state.holders > 0 || pending.ask.isOver) return;
        state.orphan = this.#clock.after(this.#orphanMs, () => pending.ask.abort());
      },
    };
  }

  /**
   * The request under way that agrees with what was typed since, the first in the order of models.
   */
  find(place: Pick<Place, "uri" | "prefix" | "suffix">): InFlightRequest | undefined {
    return this.#underWay.filter((pending) => agrees(pending, place)).sort((one, other) => one.rank - other.rank)[0];
  }

  /**
   * Stops the requests for this document that a place has no use for, but for the one ahead where
   * `keepAhead` is set.
   */
  stopMoot(place: Pick<Place, "uri" | "prefix" | "suffix">, keepAhead: boolean): void {
    for (const pending of this.#underWay) {
      if (pending.isAhead ? keepAhead : pending.place.uri !== place.uri) continue;
      if (!agrees(pending, place)) pending.ask.abort();
    }
  }

  /** Stops the request ahead. */
  stopAhead(): void {
    for (const pending of this.#underWay) if (pending.isAhead) pending.ask.abort();
  }

  /** Stops all. */
  stopAll(): void {
    for (const pending of this.#underWay) pending.ask.abort();
  }

  get #underWay(): InFlightRequest[] {
    return [...this.#pending.keys()].filter(({ ask }) => !ask.isOver);
  }
}

/**
 * What was typed since a request was sent, where it may still answer; `undefined` where it cannot.
 */
export function typedSince(
  { place }: Pick<InFlightRequest, "place">,
  { uri, prefix, suffix }: Pick<Place, "uri" | "prefix" | "suffix">,
): { readonly typed: number; readonly closed: number } | undefined {
  const typed = prefix.length - place.prefix.length;
  const closed = suffix.length - place.suffix.length;
  if (uri !== place.uri || typed < 0 || closed < 0 || closed > 4 || (closed > 0 && typed === 0)) return undefined;
  if (!/^[)\]}>"'`]*$/.test(suffix.slice(0, closed)) || !suffix.endsWith(place.suffix)) return undefined;
  return prefix.startsWith(place.prefix) ? { typed, closed } : undefined;
}

function agrees(pending: InFlightRequest, place: Pick<Place, "uri" | "prefix" | "suffix">): boolean {
  const since = typedSince(pending, place);
  if (since === undefined) return false;
  return mayAgree(pending.ask.text, place.prefix.slice(place.prefix.length - since.typed));
}

/** Whether an answer that begins with `text` may still go on from what was typed. */
export function mayAgree(text: string, typed: string): boolean {
  const plain = typed.replace(/\r\n?/g, "\n");
  return plain.startsWith(text) || restOfAnswer(text, typed) !== undefined || /^\s*$/.test(text);
}

/**
 * The answer of a request, or `undefined` as soon as what comes disagrees with what was typed
 * since.
 */
export function answerAgreeing(
  { ask }: Pick<InFlightRequest, "ask">,
  typed: string,
): Promise<ModelRequestResult | undefined> {
  return new Promise((resolve) => {
    const watch = ask.watch(() => {
      if (ask.isOver || mayAgree(ask.text, typed)) return;
      watch[Symbol.dispose]();
      resolve(undefined);
    });
    void ask.answer.then((answer) => {
      watch[Symbol.dispose]();
      resolve(answer);
    });
  });
}
