import type { Clock } from "../async/index.ts";
import type { Prompt } from "../context/index.ts";
import type { AnswerToken } from "../model/index.ts";
import { describeNoSuggestion } from "./explain-outcome.ts";
import type { AcceptanceScore } from "./feedback/acceptance-model.ts";
import type { GhostTextOutcome, NoSuggestionReason, RefusedText, Suggestion, TraceStep } from "./outcome.ts";
import type { GhostTextRequest } from "./request.ts";
import type { RequestLife } from "./requests/request-life.ts";
import { Trace } from "./trace.ts";

/** The most rejected texts that are reported of one request. */
const maxRefused = 20;

/**
 * One request on its way through the engine, and the trace of it.
 */
export class RequestTrace extends Trace<TraceStep["step"]> {
  readonly request: GhostTextRequest;
  readonly life: RequestLife;
  /** Whether ghost text is on at its place, once that is known. */
  isAllowed = false;
  /** What a model is shown for it, once that is made. */
  prompt: Prompt | undefined;
  /** The explanation of the answer, where the model gives one. */
  evidence: readonly AnswerToken[] | undefined;
  /** The estimated acceptance of its answer, once computed. */
  acceptance: AcceptanceScore | undefined;
  readonly #refused: (RefusedText & { readonly model: string })[] = [];
  readonly #failures: { readonly model: string; readonly reason: NoSuggestionReason }[] = [];

  constructor(request: GhostTextRequest, life: RequestLife, clock: Clock) {
    super(clock);
    this.request = request;
    this.life = life;
  }

  /**
   * Adds the step `first-token` at a time of the clock in milliseconds; nothing where the text came
   * before the last step, or `atMs` is `undefined`.
   */
  noteFirstToken(atMs: number | undefined): void {
    if (atMs !== undefined && atMs > this.since) this.note("first-token", "the answer begins", atMs);
  }

  /** Records that a model's text, or a part of it, is not suggested; only the first 20 are kept. */
  refuse(model: string, refused: RefusedText): void {
    if (this.#refused.length < maxRefused) this.#refused.push({ ...refused, model });
  }

  /** Adds a step for a model that failed or has nothing to offer, and records the reason. */
  fail(step: TraceStep["step"], model: string, reason: NoSuggestionReason): void {
    this.note(step, `${model}: ${describeNoSuggestion(reason)}`);
    this.#failures.push({ model, reason });
  }

  /** Returns the outcome with these suggestions and the trace. */
  offered(suggestions: readonly [Suggestion, ...Suggestion[]]): Extract<GhostTextOutcome, { kind: "offered" }> {
    const failures = this.#failures.length > 0 && { failures: this.#failures };
    return { kind: "offered", suggestions, ...failures, ...this.#explained() };
  }

  /** Adds the last step, and returns the outcome without a suggestion. */
  silent(step: TraceStep["step"], reason: NoSuggestionReason): GhostTextOutcome {
    this.note(step, describeNoSuggestion(reason));
    return { kind: "no-suggestion", reason, ...this.#explained() };
  }

  #explained(): Pick<GhostTextOutcome, "trace" | "prompt" | "evidence" | "refused" | "acceptance"> {
    return {
      trace: this.steps,
      ...(this.evidence && { evidence: this.evidence }),
      ...(this.#refused.length > 0 && { refused: this.#refused }),
      ...(this.prompt && { prompt: this.prompt }),
      ...(this.acceptance && { acceptance: this.acceptance }),
    };
  }
}
