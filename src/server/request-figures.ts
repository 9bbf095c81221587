import { Latencies } from "./session/index.ts";

/** How a request was answered. */
export interface AnsweredRequest {
  readonly tookMs: number;
  /** The origin of the suggestion; absent where there was none. */
  readonly origin: string | undefined;
  /** The kind of reason why there was no suggestion. */
  readonly reasonKind: string | undefined;
}

/**
 * Statistics of the last requests of one kind, as plain data. Cancelled and superseded requests are
 * left out.
 */
export interface RequestFiguresStatus {
  /** The number of requests, at most {@link maxRequests}. */
  readonly count: number;
  /**
   * Milliseconds from the request to its answer, the debounce included; absent where there was no
   * request.
   */
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  /** The share of requests with a suggestion, from 0 to 1; absent where there was no request. */
  readonly suggestionShare?: number;
  /** The number of suggestions by origin: `model`, `cache`, `typed-as-suggested`, … */
  readonly byOrigin: Readonly<Record<string, number>>;
  /** The number of requests without a suggestion, by the kind of reason. */
  readonly byReason: Readonly<Record<string, number>>;
}

/** How many requests are remembered. */
export const maxRequests = 200;

/** Statistics of the last requests of one kind. */
export class RequestFigures {
  readonly #latencies = new Latencies(maxRequests);
  readonly #last: AnsweredRequest[] = [];

  /** Adds an answered request. */
  add(request: AnsweredRequest): void {
    if (request.reasonKind === "cancelled" || request.reasonKind === "superseded") return;
    this.#last.push(request);
    if (this.#last.length > maxRequests) this.#last.shift();
    this.#latencies.add(request.tookMs);
  }

  get status(): RequestFiguresStatus {
    const count = this.#last.length;
    const origins = this.#last.flatMap(({ origin }) => origin ?? []);
    const reasonKinds = this.#last.flatMap(({ origin, reasonKind }) =>
      origin === undefined ? (reasonKind ?? []) : [],
    );
    return {
      count,
      ...(count > 0 && {
        ...{ p50Ms: this.#latencies.percentile(0.5)!, p95Ms: this.#latencies.percentile(0.95)! },
        suggestionShare: origins.length / count,
      }),
      ...{ byOrigin: countOf(origins), byReason: countOf(reasonKinds) },
    };
  }
}

function countOf(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
