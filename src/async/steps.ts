/**
 * Long work that is a generator: it yields where other work can run, and returns its result. The
 * caller decides when it continues, and may stop.
 */
export type Steps<T> = Generator<void, T>;

/** Runs all steps without a pause, and returns the result. Throws what a step throws. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Runs the steps with a `rest` between two, such as a turn of the event loop, and resolves to the
 * result. Where a step throws or `rest` rejects, the `finally` blocks of the work run and it
 * rejects with that.
 */
export async function runStepsInTurns<T>(steps: Steps<T>, rest: () => Promise<void>): Promise<T> {
  try {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await rest();
    }
  } finally {
    // Does nothing where the work has ended.
    steps.return(undefined as T);
  }
}
