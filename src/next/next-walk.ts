import type { Clock } from "../codebase/index.ts";
import type { Proposal } from "./next-edit-source.ts";
import type { HeldProposal, NextEditOutcome, NextEditSuggestion, NextSilence, NextTraceStep } from "./outcome.ts";
import type { ShownScene } from "./shown-scene.ts";

/** One request on its way through the engine, and what is written down of it. */
export class NextWalk {
  /** What a model was shown, once one was asked. */
  shown: ShownScene | undefined;
  readonly #clock: Clock;
  readonly #trace: NextTraceStep[] = [];
  readonly #held: HeldProposal[] = [];
  #since: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.now();
  }

  /** Notes that a step is done; it took all the time since the one before. */
  note(step: NextTraceStep["step"], detail: string): void {
    const now = this.#clock.now();
    this.#trace.push({ step, tookMs: now - this.#since, detail });
    this.#since = now;
  }

  /** Notes that a proposal is withheld. */
  hold(held: HeldProposal): void {
    this.#held.push({ ...held, proposal: told(held.proposal) });
  }

  /** How many proposals were withheld so far. */
  get heldCount(): number {
    return this.#held.length;
  }

  /** Ends with a suggestion. */
  offered(suggestion: NextEditSuggestion): Extract<NextEditOutcome, { kind: "offered" }> {
    this.note("offer", suggestion.reason);
    return {
      kind: "offered",
      suggestion: { ...suggestion, others: suggestion.others.map(told) },
      ...this.#explained(),
    };
  }

  /** Ends at a step with nothing. */
  silent(step: NextTraceStep["step"], reason: NextSilence): NextEditOutcome {
    this.note(step, reason.kind);
    return { kind: "silent", reason, ...this.#explained() };
  }

  #explained(): Pick<NextEditOutcome, "trace" | "held" | "shown"> {
    return { trace: this.#trace, held: this.#held, ...(this.shown && { shown: this.shown }) };
  }
}

/** A proposal for whoever reads what became of it: the trees that judged it are the engine's. */
function told({ judged: _, ...proposal }: Proposal): Proposal {
  return proposal;
}
