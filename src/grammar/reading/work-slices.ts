/** How work in slices is scheduled, and how long it may take. */
export interface SliceOptions {
  /** Lets timers, signals and I/O run, as `setImmediate` does. */
  readonly yieldThread: () => Promise<void>;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  /**
   * The most milliseconds of all slices together, without the time between them; no limit by
   * default.
   */
  readonly maxMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The length of a slice, in milliseconds. Other work waits that long, plus the longest step that
 * can't be interrupted.
 */
const sliceMs = 40;

/** The number of steps between two reads of the clock. */
const stepsPerClockRead = 128;

/**
 * Runs long synchronous work in slices. The work calls {@link step} at points where it can be
 * interrupted, keeps its results so far, and is called again for the next slice.
 */
export class WorkSlices {
  /** The clock during {@link run}; outside of it work is not interrupted. */
  #now: (() => number) | undefined;
  #sliceEnd: number | undefined;
  /** Steps since the last read of the clock. */
  #steps = 0;

  /**
   * Called between two steps of the work. Throws at the end of a slice; before that, the caller
   * must bring its state into a form from which it can continue. Does nothing outside of
   * {@link run}.
   */
  step(): void {
    this.count(1);
    this.rest();
  }

  /**
   * Counts steps at a point where the work can't be interrupted; the next {@link step} or
   * {@link rest} can.
   */
  count(steps: number): void {
    if (this.#now !== undefined) this.#steps += steps;
  }

  /** As {@link step}, where nothing was done since the last one. */
  rest(): void {
    if (this.#steps >= stepsPerClockRead) this.longStep();
  }

  /**
   * As {@link step}, for a step that takes long: it always reads the clock. Throws at the end of a
   * slice.
   */
  longStep(): void {
    if (this.#now === undefined) return;
    this.#steps = 0;
    const now = this.#now();
    // Work before the first read of the clock is repeated in each slice; counted, it could fill a
    // short slice.
    this.#sliceEnd ??= now + sliceMs;
    if (now > this.#sliceEnd) throw interruption;
  }

  /**
   * Calls `work` until it returns, and resolves to its result; to `undefined` where the slices have
   * taken `maxMs`. Rejects with the signal's reason, and with what `work` throws.
   */
  async run<T>(work: () => T, { yieldThread, now, maxMs, signal }: SliceOptions): Promise<T | undefined> {
    for (let spentMs = 0; maxMs === undefined || spentMs < maxMs; ) {
      signal?.throwIfAborted();
      const startedAt = now();
      this.#now = now;
      this.#sliceEnd = undefined;
      try {
        return work();
      } catch (error) {
        if (error !== interruption) throw error;
      } finally {
        this.#now = undefined;
      }
      spentMs += now() - startedAt;
      await yieldThread();
    }
    signal?.throwIfAborted();
    return undefined;
  }
}

const interruption = new Error("The slice of work is over; the work goes on in the next one.");
