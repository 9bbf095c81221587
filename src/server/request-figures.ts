import { Latencies } from "./session/index.ts";

/** How a request was answered. */
export interface AnsweredRequest {
  readonly tookMs: number;
  /** Where what was offered came from; absent where nothing was. */
  readonly origin: string | undefined;
  /** Why nothing was offered. */
  readonly silence: string | undefined;
}

/** How the last requests were answered, as plain data. Requests that were taken back are left out. */
export interface RequestFiguresStatus {
  /** How many there were, at most {@link maxRequests}. */
  readonly count: number;
  /** Milliseconds from the request to its answer, with the pause in which another key may come; absent where there was none. */
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  /** The share of them that was offered something, from 0 to 1; absent where there was none. */
  readonly offeredShare?: number;
  /** How many were offered what came from where: `model`, `cache`, `typed-as-suggested`, … */
  readonly byOrigin: Readonly<Record<string, number>>;
  /** How many were offered nothing, by the kind of reason. */
  readonly bySilence: Readonly<Record<string, number>>;
}

/** How many requests are remembered. */
export const maxRequests = 200;

/** The last requests of one kind. */
export class RequestFigures {
  readonly #latencies = new Latencies(maxRequests);
  readonly #last: AnsweredRequest[] = [];

  /** Takes in one that was answered. */
  add(request: AnsweredRequest): void {
    if (request.silence === "cancelled" || request.silence === "superseded") return;
    this.#last.push(request);
    if (this.#last.length > maxRequests) this.#last.shift();
    this.#latencies.add(request.tookMs);
  }

  get status(): RequestFiguresStatus {
    const count = this.#last.length;
    const origins = this.#last.flatMap(({ origin }) => origin ?? []);
    const silences = this.#last.flatMap(({ origin, silence }) => (origin === undefined ? (silence ?? []) : []));
    return {
      count,
      ...(count > 0 && {
        ...{ p50Ms: this.#latencies.percentile(0.5)!, p95Ms: this.#latencies.percentile(0.95)! },
        offeredShare: origins.length / count,
      }),
      ...{ byOrigin: countOf(origins), bySilence: countOf(silences) },
    };
  }
}

function countOf(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
