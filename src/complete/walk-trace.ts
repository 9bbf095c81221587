import type { Clock } from "../codebase/index.ts";
import type { TraceStep } from "./outcome.ts";

/** Writes down the steps of a walk and how long each took. */
export class WalkTrace {
  readonly steps: TraceStep[] = [];
  readonly #clock: Clock;
  #since: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.now();
  }

  /** Notes that a step is done; it took all the time since the one before. */
  note(step: TraceStep["step"], detail: string): void {
    const now = this.#clock.now();
    this.steps.push({ step, tookMs: now - this.#since, detail });
    this.#since = now;
  }
}
