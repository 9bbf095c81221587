import type { ModelEnd } from "../model/index.ts";
import { EmendError, InvariantError } from "../text/index.ts";
import type { NoSuggestionReason, TraceStep } from "./outcome.ts";
import type { ModelRequestResult } from "./requests/model-request.ts";

/** That nothing is offered, why, and at which step of the walk that was found out. */
export interface NoSuggestion {
  readonly kind: "silent";
  readonly step: TraceStep["step"];
  readonly reason: NoSuggestionReason;
}

/** Nothing, for this reason, at this step. */
export function noSuggestion(step: NoSuggestion["step"], reason: NoSuggestionReason): NoSuggestion {
  return { kind: "silent", step, reason };
}

/** Why an answer without a text has none. */
export function noSuggestionFrom({
  reason,
  changes,
  held,
  limit,
}: Pick<Answered, "reason" | "changes" | "held" | "limit">): NoSuggestionReason {
  const of = (why: string): NoSuggestionReason => ({ kind: "model-silent", why });
  if (reason === "silent") return of(held?.why ?? "it is not sure enough");
  if (reason === "content-filter") return of("its provider held the answer back");
  if (changes.includes("cut-talk")) return of("it only thought aloud or talked about the text");
  if (changes.includes("cut-other-word")) return of("it does not go on from the word at the cursor");
  if (reason !== "length") return of("its answer was empty");
  return of(limit === undefined ? reached.tokens : reached[limit]);
}

/** Why nothing came before an answer had reached its limit. */
const reached: Readonly<Record<NonNullable<ModelEnd["limit"]>, string>> = {
  tokens: "its tokens were used up before any text came",
  lines: "its answer begins with a line break, and only the rest of the line is wanted here",
  guide: "the grammar ended its answer before any text came",
};

/** Why the answer of a model is not shown: its probability, where that is known. */
export function lowConfidence(answer: Pick<Answered, "reason" | "changes" | "held" | "limit">): NoSuggestionReason {
  const { probability } = answer.held ?? {};
  if (probability === undefined) return noSuggestionFrom(answer);
  return { kind: "model-silent", why: `of this it is only ${Math.round(probability * 100)} % sure` };
}

type Answered = Extract<ModelRequestResult, { kind: "answered" }>;

/** A request to a model failed, or gave no answer. */
export type ModelFailure = Extract<NoSuggestionReason, { kind: "model-failed" | "timed-out" }>;

/**
 * No suggestion of a model behind the failure of an earlier one: the remedy is that of the failure.
 */
export function afterFailure(failure: ModelFailure | undefined, last: NoSuggestion): NoSuggestion {
  const { kind } = last.reason;
  if (failure === undefined || kind === "cancelled" || kind === "superseded") return last;
  return noSuggestion(last.step, { ...failure, next: last.reason });
}

/**
 * Why a request to a model came to nothing. Throws where that is because Emend broke a rule of its
 * own.
 */
export function failureOf(answer: Extract<ModelRequestResult, { kind: "failed" | "timed-out" }>): ModelFailure {
  if (answer.kind === "timed-out") return { kind: "timed-out", waitedFor: "model", afterMs: answer.afterMs };
  const { error } = answer;
  if (error instanceof InvariantError) throw error;
  return error instanceof EmendError
    ? { kind: "model-failed", code: error.code, message: error.message }
    : { kind: "model-failed", code: "unknown", message: error instanceof Error ? error.message : String(error) };
}
