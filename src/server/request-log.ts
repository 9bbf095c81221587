import type { Position } from "vscode-languageserver";
import type { GhostTextOutcome } from "../complete/index.ts";
import type { NextEditOutcome, NextEditSuggestion } from "../next/index.ts";
import type { ExplanationSubject } from "./protocol/explanation.ts";
import { Latencies } from "./session/index.ts";
import type { ServerNoNextEditReason, ServerNoSuggestionReason } from "./suggestions/server-no-suggestion.ts";

/** An answered request, for explanations. */
export interface ExplainedRequest<Outcome, Reason> {
  readonly uri: string;
  readonly position: Position;
  readonly path?: string;
  /** Absent where no engine was called. */
  readonly outcome?: Outcome;
  /** Absent when there was a suggestion. */
  readonly reason?: Reason;
}

/** An answered request for ghost text. */
export interface ExplainedOutcome extends ExplainedRequest<GhostTextOutcome, ServerNoSuggestionReason> {
  /** The next edit that was suggested, where there was no other ghost text. */
  readonly nextEdit?: NextEditSuggestion;
}

/** An answered request for a next edit. */
export type ExplainedNextEdit = ExplainedRequest<NextEditOutcome, ServerNoNextEditReason>;

/** The last request of each kind, and statistics of the last {@link maxRequests}. */
export class RequestLog {
  readonly #figures = { ghostText: new RequestFigures(), nextEdits: new RequestFigures() };
  #ghostText: ExplainedOutcome | undefined;
  #nextEdit: ExplainedNextEdit | undefined;
  #later: ExplanationSubject | undefined;

  /** Records an answered request for ghost text. */
  takeGhostText(explained: ExplainedOutcome): void {
    this.#ghostText = explained;
    this.#later = "ghost-text";
    const { outcome, nextEdit, reason } = explained;
    const suggested = outcome?.kind === "offered" && reason === undefined ? outcome.suggestions[0].origin : undefined;
    const origin = nextEdit === undefined ? suggested : "next-edit";
    this.#figures.ghostText.add({ tookMs: tookMs(outcome), origin, reasonKind: reason?.kind });
  }

  /** Records an answered request for a next edit. */
  takeNextEdit(explained: ExplainedNextEdit): void {
    this.#nextEdit = explained;
    this.#later = "next-edit";
    const { outcome, reason } = explained;
    const offered = outcome?.kind === "offered" && reason === undefined ? outcome.suggestion : undefined;
    const origin = offered?.isReused === true ? "typed-as-suggested" : offered?.origin;
    this.#figures.nextEdits.add({ tookMs: tookMs(outcome), origin, reasonKind: reason?.kind });
  }

  get ghostText(): ExplainedOutcome | undefined {
    return this.#ghostText;
  }

  get nextEdit(): ExplainedNextEdit | undefined {
    return this.#nextEdit;
  }

  /** The kind of the last request; `undefined` before the first. */
  get later(): ExplanationSubject | undefined {
    return this.#later;
  }

  /** Statistics of the last requests of each kind. */
  get figures(): { readonly ghostText: RequestFiguresStatus; readonly nextEdits: RequestFiguresStatus } {
    return { ghostText: this.#figures.ghostText.status, nextEdits: this.#figures.nextEdits.status };
  }
}

/** The duration of the trace in milliseconds; 0 where no engine was called. */
function tookMs(outcome: { readonly trace: readonly { readonly tookMs: number }[] } | undefined): number {
  return (outcome?.trace ?? []).reduce((sum, step) => sum + step.tookMs, 0);
}

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
