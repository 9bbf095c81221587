import { EmendError, InvariantError } from "../text/index.ts";
import type { AskAnswer } from "./ask.ts";
import type { SilenceReason, TraceStep } from "./outcome.ts";

/** That nothing is offered, why, and at which step of the walk that was found out. */
export interface Silence {
  readonly kind: "silent";
  readonly step: TraceStep["step"];
  readonly reason: SilenceReason;
}

/** Nothing, for this reason, at this step. */
export function silence(step: Silence["step"], reason: SilenceReason): Silence {
  return { kind: "silent", step, reason };
}

/** Why an answer without a text has none. */
export function silenceOf({ reason, changes, held }: Pick<Answered, "reason" | "changes" | "held">): SilenceReason {
  const of = (why: string): SilenceReason => ({ kind: "model-silent", why });
  if (reason === "silent") return of(held?.why ?? "it is not sure enough");
  if (reason === "content-filter") return of("its provider held the answer back");
  if (changes.includes("cut-talk")) return of("it only thought aloud or talked about the text");
  if (changes.includes("cut-other-word")) return of("it does not go on from the word at the cursor");
  return of(reason === "length" ? "its tokens were used up before any text came" : "its answer was empty");
}

/** Why what a model would have said is not: how sure it is, where it can tell. */
export function doubtOf(answer: Pick<Answered, "reason" | "changes" | "held">): SilenceReason {
  const { probability } = answer.held ?? {};
  if (probability === undefined) return silenceOf(answer);
  return { kind: "model-silent", why: `of this it is only ${Math.round(probability * 100)} % sure` };
}

type Answered = Extract<AskAnswer, { kind: "answered" }>;

/** That a model could not be asked, or gave no answer. */
export type ModelFailure = Extract<SilenceReason, { kind: "model-failed" | "timed-out" }>;

/** The silence of a model behind the failure of one that was asked before it: what can be done is done about that. */
export function behindFailure(failure: ModelFailure | undefined, last: Silence): Silence {
  const { kind } = last.reason;
  if (failure === undefined || kind === "cancelled" || kind === "superseded") return last;
  return silence(last.step, { ...failure, next: last.reason });
}

/** Why a request to a model came to nothing. Throws where that is because Emend broke a rule of its own. */
export function failureOf(answer: Extract<AskAnswer, { kind: "failed" | "timed-out" }>): ModelFailure {
  if (answer.kind === "timed-out") return { kind: "timed-out", waitedFor: "model", afterMs: answer.afterMs };
  const { error } = answer;
  if (error instanceof InvariantError) throw error;
  return error instanceof EmendError
    ? { kind: "model-failed", code: error.code, message: error.message }
    : { kind: "model-failed", code: "unknown", message: error instanceof Error ? error.message : String(error) };
}
