import type { ModelEnd } from "../model/index.ts";
import { EmendError, errorMessage, InvariantError } from "../text/index.ts";
import type { NoSuggestionReason, TraceStep } from "./outcome.ts";
import type { ModelRequestResult } from "./requests/model-request.ts";

/** No suggestion: the reason, and the step of the trace that decided it. */
export interface NoSuggestion {
  readonly kind: "no-suggestion";
  readonly step: TraceStep["step"];
  readonly reason: NoSuggestionReason;
}

/** Creates the empty outcome of a step of the trace. */
export function noSuggestion(step: NoSuggestion["step"], reason: NoSuggestionReason): NoSuggestion {
  return { kind: "no-suggestion", step, reason };
}

/** The reason why a model's answer has no text, by how it ended. */
export function noSuggestionFrom({
  reason,
  changes,
  withheld,
  limit,
}: Pick<Answered, "reason" | "changes" | "withheld" | "limit">): NoSuggestionReason {
  const silent = (why: string): NoSuggestionReason => ({ kind: "model-silent", why });
  if (reason === "silent") return silent(withheld?.why ?? "it is not confident enough");
  if (reason === "content-filter") return silent("the content filter of its provider blocked the answer");
  if (changes.includes("cut-talk")) return silent("its answer contains only reasoning or talk about the text");
  if (changes.includes("cut-other-word")) return silent("its answer does not continue the word at the cursor");
  if (reason !== "length") return silent("its answer was empty");
  return silent(limit === undefined ? emptyAtLimit.tokens : emptyAtLimit[limit]);
}

/** Why an answer that reached a limit has no text. */
const emptyAtLimit: Readonly<Record<NonNullable<ModelEnd["limit"]>, string>> = {
  tokens: "its tokens were used up before any text",
  lines: "its answer begins with a line break, and only the rest of the line is requested here",
  guide: "the grammar ended its answer before any text",
};

/**
 * The reason why a model withheld its answer: the probability, where the model reports one;
 * otherwise as {@link noSuggestionFrom}.
 */
export function lowConfidence(answer: Pick<Answered, "reason" | "changes" | "withheld" | "limit">): NoSuggestionReason {
  const { probability } = answer.withheld ?? {};
  if (probability === undefined) return noSuggestionFrom(answer);
  return { kind: "model-silent", why: `its answer has a probability of only ${Math.round(probability * 100)} %` };
}

type Answered = Extract<ModelRequestResult, { kind: "answered" }>;

/** Adds whose answer it was to a reason that is about an answer. */
export function withModel(nothing: NoSuggestion, model: string): NoSuggestion {
  const { step, reason } = nothing;
  switch (reason.kind) {
    case "model-silent":
    case "empty":
    case "repeats-itself":
    case "repeats-what-follows":
    case "breaks-syntax":
      return noSuggestion(step, { ...reason, model });
    default:
      return nothing;
  }
}

/** A request to a model failed, or gave no answer. */
export type ModelFailure = Extract<NoSuggestionReason, { kind: "model-failed" | "timed-out" }>;

/**
 * Puts the failure of an earlier model before the reason of the last one: its remedy comes first.
 * Returns `last` itself where there was no failure, or where the request was cancelled or
 * superseded.
 */
export function afterFailure(failure: ModelFailure | undefined, last: NoSuggestion): NoSuggestion {
  const { kind } = last.reason;
  if (failure === undefined || kind === "cancelled" || kind === "superseded") return last;
  return noSuggestion(last.step, { ...failure, next: last.reason });
}

/**
 * The reason of a failed request to the model of this name. Throws the error where it is an
 * `InvariantError`, a fault of Emend.
 */
export function failureOf(
  answer: Extract<ModelRequestResult, { kind: "failed" | "timed-out" }>,
  model: string,
): ModelFailure {
  if (answer.kind === "timed-out") {
    const { afterMs } = answer;
    return { kind: "timed-out", waitedFor: "model", afterMs, limit: "complete.timeoutMs", model };
  }
  const { error } = answer;
  if (error instanceof InvariantError) throw error;
  return error instanceof EmendError
    ? { kind: "model-failed", code: error.code, message: error.message }
    : { kind: "model-failed", code: "unknown", message: errorMessage(error) };
}
