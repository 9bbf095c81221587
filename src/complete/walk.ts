import type { Clock } from "../codebase/index.ts";
import type { Prompt } from "../context/index.ts";
import type { GhostTextOutcome, SilenceReason, Suggestion, TraceStep } from "./outcome.ts";
import { printSilence } from "./print-silence.ts";
import type { GhostTextRequest } from "./request.ts";
import type { RequestLife } from "./request-life.ts";
import type { WelcomeScore } from "./welcome-model.ts";

/** One request on its way through the engine, and what is written down of it. */
export class Walk {
  readonly request: GhostTextRequest;
  readonly life: RequestLife;
  /** What a model is shown for it, once that is made. */
  prompt: Prompt | undefined;
  /** How welcome its answer would be, once that was asked. */
  welcome: WelcomeScore | undefined;
  readonly #clock: Clock;
  readonly #trace: TraceStep[] = [];
  #since: number;

  constructor(request: GhostTextRequest, life: RequestLife, clock: Clock) {
    this.request = request;
    this.life = life;
    this.#clock = clock;
    this.#since = clock.now();
  }

  /** Notes that a step is done; it took all the time since the one before. */
  note(step: TraceStep["step"], detail: string): void {
    const now = this.#clock.now();
    this.#trace.push({ step, tookMs: now - this.#since, detail });
    this.#since = now;
  }

  /** Ends with suggestions. */
  offered(suggestions: readonly [Suggestion, ...Suggestion[]]): Extract<GhostTextOutcome, { kind: "offered" }> {
    return { kind: "offered", suggestions, ...this.#explained() };
  }

  /** Ends at a step with nothing. */
  silent(step: TraceStep["step"], reason: SilenceReason): GhostTextOutcome {
    this.note(step, printSilence(reason));
    return { kind: "silent", reason, ...this.#explained() };
  }

  #explained(): Pick<GhostTextOutcome, "trace" | "prompt" | "welcome"> {
    return {
      trace: this.#trace,
      ...(this.prompt && { prompt: this.prompt }),
      ...(this.welcome && { welcome: this.welcome }),
    };
  }
}
