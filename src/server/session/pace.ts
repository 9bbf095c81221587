import type { Clock } from "../../codebase/index.ts";

/** How much of the thread work in the background may take. */
export interface PaceOptions {
  readonly clock: Clock;
  /** Lets whoever waits have its turn; `setImmediate` of `node:timers/promises` outside of tests. */
  readonly yieldThread: () => Promise<void>;
}

/** Others have their turn after so much work. */
const sliceMs = 4;

/** About how many characters are learnt in a millisecond, on a machine that is not new. */
const charactersPerMs = 5_000;

/** A piece of work that takes longer than a slice waits until nobody has typed for so many times as long. */
const patience = 4;

/** But not for longer than this after the last key, and not for longer than this in all. */
const maxPauseMs = 1_000;
const maxWaitMs = 3_000;

/**
 * Shares the one thread between learning and the person who types: work in the background asks before each piece, and
 * waits there for its turn. No piece can be interrupted, so a long one waits for a pause that it is likely to fit into.
 */
export class Pace {
  readonly #clock: Clock;
  readonly #yieldThread: () => Promise<void>;
  #sliceStartMs = Number.NEGATIVE_INFINITY;
  #touchedMs = Number.NEGATIVE_INFINITY;

  constructor({ clock, yieldThread }: PaceOptions) {
    this.#clock = clock;
    this.#yieldThread = yieldThread;
  }

  /** The person has typed, or waits for an answer. */
  touch(): void {
    this.#touchedMs = this.#clock.now();
  }

  /** Resolves when it is the turn of a piece of work on so many characters. */
  async turn(characters: number): Promise<void> {
    const expectedMs = characters / charactersPerMs;
    const isLong = expectedMs > sliceMs;
    if (isLong) await this.#pause(Math.min(maxPauseMs, expectedMs * patience));
    if (this.#clock.now() - this.#sliceStartMs < sliceMs && !isLong) return;
    await this.#yieldThread();
    this.#sliceStartMs = this.#clock.now();
  }

  async #pause(pauseMs: number): Promise<void> {
    const latestMs = this.#clock.now() + maxWaitMs;
    for (;;) {
      const now = this.#clock.now();
      const waitMs = Math.min(this.#touchedMs + pauseMs, latestMs) - now;
      if (!(waitMs > 0)) return;
      await new Promise<void>((resolve) => void this.#clock.after(waitMs, resolve));
    }
  }
}
