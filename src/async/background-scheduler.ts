import type { Clock } from "./clock.ts";

/** What a {@link BackgroundScheduler} waits with. */
export interface BackgroundSchedulerOptions {
  readonly clock: Clock;
  /** Lets other tasks run; `setImmediate` of `node:timers/promises` outside of tests. */
  readonly yieldThread: () => Promise<void>;
}

/** Milliseconds of work after which other tasks run. */
const sliceMs = 4;

/** About how many characters are learnt in a millisecond, on a machine that is not new. */
const charactersPerMs = 5_000;

/**
 * A piece of work that takes longer than a slice waits for a pause in typing of this many times its
 * length.
 */
const pauseFactor = 4;

/** The longest pause in typing that is waited for, and the longest wait in all, in milliseconds. */
const maxPauseMs = 1_000;
const maxWaitMs = 3_000;

/**
 * Shares the one thread between background work and the person who types: background work awaits
 * {@link waitForTurn} before each piece. A piece cannot be interrupted, so a long one waits for a
 * pause in typing that it is likely to fit into.
 */
export class BackgroundScheduler {
  readonly #clock: Clock;
  readonly #yieldThread: () => Promise<void>;
  #sliceStartMs = Number.NEGATIVE_INFINITY;
  #touchedMs = Number.NEGATIVE_INFINITY;

  constructor({ clock, yieldThread }: BackgroundSchedulerOptions) {
    this.#clock = clock;
    this.#yieldThread = yieldThread;
  }

  /** Notes that the person has typed or waits for an answer. */
  touch(): void {
    this.#touchedMs = this.#clock.now();
  }

  /** Resolves when a piece of work on `characters` characters may start. */
  async waitForTurn(characters: number): Promise<void> {
    const expectedMs = characters / charactersPerMs;
    const isLong = expectedMs > sliceMs;
    if (isLong) await this.#pause(Math.min(maxPauseMs, expectedMs * pauseFactor));
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
