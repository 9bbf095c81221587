import type { Clock } from "../../async/index.ts";
import type { Prompt } from "../../context/index.ts";
import type { Place } from "../place.ts";
import { restOfAnswer } from "./answer-cache.ts";
import type { ModelRequest, ModelRequestResult } from "./model-request.ts";

/** A request to a model that is under way, and who wants it. */
export interface InFlightRequest {
  readonly request: ModelRequest;
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

  /** A request without a waiting caller is stopped after `orphanMs` milliseconds. */
  constructor(clock: Clock, orphanMs: number) {
    this.#clock = clock;
    this.#orphanMs = orphanMs;
  }

  /** How many are under way. */
  get size(): number {
    return this.#underWay.length;
  }

  /**
   * Follows a request until it is over. A caller has to {@link hold} it, or it is never stopped as
   * one without a waiting caller. One ahead replaces the one before, which is stopped.
   */
  add(pending: InFlightRequest): void {
    if (pending.isAhead) this.stopAhead();
    this.#pending.set(pending, { holders: 0 });
    void pending.request.answer.then(() => {
      this.#pending.get(pending)?.orphan?.[Symbol.dispose]();
      this.#pending.delete(pending);
    });
  }

  /**
   * Keeps a request going until the result is disposed of, and `orphanMs` milliseconds longer. Does
   * nothing for one that is over.
   */
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
        if (state.holders > 0 || pending.request.isOver) return;
        state.orphan = this.#clock.after(this.#orphanMs, () => pending.request.abort());
      },
    };
  }

  /**
   * The request under way that may still answer at a place, as what was typed since agrees with the
   * text that came; of several that of the first model. `undefined` where there is none.
   */
  find(place: Pick<Place, "uri" | "prefix" | "suffix">): InFlightRequest | undefined {
    return this.#underWay.filter((pending) => agrees(pending, place)).sort((one, other) => one.rank - other.rank)[0];
  }

  /**
   * Stops the requests for the document of a place that can no longer answer there, and the one
   * ahead, of whatever document, unless it can or `keepAhead` is set.
   */
  stopMoot(place: Pick<Place, "uri" | "prefix" | "suffix">, keepAhead: boolean): void {
    for (const pending of this.#underWay) {
      if (pending.isAhead ? keepAhead : pending.place.uri !== place.uri) continue;
      if (!agrees(pending, place)) pending.request.abort();
    }
  }

  /** Resolves once none is under way. */
  async settled(): Promise<void> {
    while (this.size > 0) await Promise.all(this.#underWay.map(({ request }) => request.answer));
  }

  /** Stops the request ahead. */
  stopAhead(): void {
    for (const pending of this.#underWay) if (pending.isAhead) pending.request.abort();
  }

  /** Stops all. */
  stopAll(): void {
    for (const pending of this.#underWay) pending.request.abort();
  }

  get #underWay(): InFlightRequest[] {
    return [...this.#pending.keys()].filter(({ request }) => !request.isOver);
  }
}

/**
 * How many UTF-16 units were typed since a request was sent, and how many of closers came behind
 * them. `undefined` where it can no longer answer: the document is another one or was changed
 * elsewhere, or more than four closers came, or some without a key.
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
  return mayAgree(pending.request.text, place.prefix.slice(place.prefix.length - since.typed));
}

/**
 * Whether an answer that begins with `text` may still continue what was typed. True for a blank
 * `text`.
 */
export function mayAgree(text: string, typed: string): boolean {
  const plain = typed.replace(/\r\n?/g, "\n");
  return plain.startsWith(text) || restOfAnswer(text, typed) !== undefined || /^\s*$/.test(text);
}

/**
 * The result of a request, also that of one that failed, timed out or was aborted; `undefined` as
 * soon as what comes disagrees with `typed`, the text typed since. Never rejects.
 */
export function answerAgreeing(
  { request }: Pick<InFlightRequest, "request">,
  typed: string,
): Promise<ModelRequestResult | undefined> {
  return new Promise((resolve) => {
    const watch = request.watch(() => {
      if (request.isOver || mayAgree(request.text, typed)) return;
      watch[Symbol.dispose]();
      resolve(undefined);
    });
    void request.answer.then((answer) => {
      watch[Symbol.dispose]();
      resolve(answer);
    });
  });
}
