import type { Clock } from "../async/index.ts";

/** One step of the trace of a request. */
export interface TracedStep<Step extends string> {
  readonly step: Step;
  /** How long it took, in milliseconds. */
  readonly tookMs: number;
  /** In a few words, for a person. */
  readonly detail: string;
}

/** Records the steps of one request. The first step begins with the constructor. */
export class Trace<Step extends string> {
  /** The steps so far. */
  readonly steps: TracedStep<Step>[] = [];
  readonly #clock: Clock;
  #since: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.now();
  }

  /**
   * Records that a step is done, now or at a time of the clock in milliseconds. It took all the
   * time since the previous one.
   */
  note(step: Step, detail: string, atMs: number = this.#clock.now()): void {
    this.steps.push({ step, tookMs: atMs - this.#since, detail });
    this.#since = atMs;
  }

  /** The time of the last step, in milliseconds of the clock. */
  get since(): number {
    return this.#since;
  }
}

/** Prints the steps of a trace for people, each in one line that ends with `\n`. */
export function printTrace(trace: readonly TracedStep<string>[]): string {
  const width = Math.max(8, ...trace.map(({ step }) => step.length + 1));
  return trace
    .map(({ step, tookMs, detail }) => `${step.padEnd(width)}${`${tookMs.toFixed(1)} ms`.padStart(10)}  ${detail}\n`)
    .join("");
}

/**
 * What people are told of each kind of reason why there is no suggestion, in one line: a text, or a
 * function that makes it.
 */
export type ReasonTexts<Reason extends { readonly kind: string }> = {
  readonly [Kind in Reason["kind"]]: string | ((reason: Extract<Reason, { readonly kind: Kind }>) => string);
};

/** Describes a reason in one line for people. */
export function describeReason<Reason extends { readonly kind: string }>(
  reason: Reason,
  texts: ReasonTexts<Reason>,
): string {
  const text: string | ((reason: never) => string) = texts[reason.kind as Reason["kind"]];
  return typeof text === "string" ? text : text(reason as never);
}

/** Formats a number of characters, with its noun: `1,200 characters`. */
export function printCharacters(count: number): string {
  return `${count.toLocaleString("en")} character${count === 1 ? "" : "s"}`;
}
