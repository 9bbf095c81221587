/** How long work is done in slices. */
export interface SliceOptions {
  /** Lets timers, signals and I/O run, as `setImmediate` does. */
  readonly yieldThread: () => Promise<void>;
  /** Milliseconds since some fixed moment. */
  readonly now: () => number;
  /**
   * The most milliseconds of all slices together; any number unless set. What others do between
   * them does not count.
   */
  readonly maxMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * After so many milliseconds a slice ends. Others wait that long, and for what can't be
 * interrupted.
 */
const sliceMs = 40;

/** So many steps are done between two looks at the clock. */
const stepsPerLook = 128;

/**
 * Does long synchronous work in slices. The work calls {@link step} where it can be interrupted,
 * keeps what it found out by then, and is called again for the next slice.
 */
export class WorkSlices {
  /** `undefined` where work is not interrupted. */
  #now: (() => number) | undefined;
  #endsAt: number | undefined;
  #steps = 0;

  /**
   * Called between two steps of the work. Throws where the slice ends; the caller leaves its state
   * fit to go on from.
   */
  step(): void {
    if (this.#now === undefined) return;
    this.#steps += 1;
    if (this.#steps % stepsPerLook === 0) this.longStep();
  }

  /** As {@link step}, of a step that itself takes a while. */
  longStep(): void {
    if (this.#now === undefined) return;
    const now = this.#now();
    // What comes before the first look is done again in each slice, and would leave nothing of a
    // short one.
    this.#endsAt ??= now + sliceMs;
    if (now > this.#endsAt) throw interruption;
  }

  /**
   * Calls `work` again and again until it returns, and returns what it does; `undefined` where that
   * takes longer than `maxMs`. Rejects with the reason of the signal.
   */
  async run<T>(work: () => T, { yieldThread, now, maxMs, signal }: SliceOptions): Promise<T | undefined> {
    for (let spentMs = 0; maxMs === undefined || spentMs < maxMs; ) {
      signal?.throwIfAborted();
      const begun = now();
      this.#now = now;
      this.#endsAt = undefined;
      try {
        return work();
      } catch (error) {
        if (error !== interruption) throw error;
      } finally {
        this.#now = undefined;
      }
      spentMs += now() - begun;
      await yieldThread();
    }
    signal?.throwIfAborted();
    return undefined;
  }
}

const interruption = new Error("The slice of work is over; the work goes on in the next one.");
