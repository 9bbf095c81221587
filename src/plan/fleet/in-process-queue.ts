import { type AbortOptions, EventQueue, LinkedController, onAbort, raceAbort } from "../../async/index.ts";
import { errorMessage, invariant } from "../../text/index.ts";
import type { CarryOut, JobEvent, JobEvents, JobOutcome, JobQueue, QueuedJob, WorkOptions } from "./job-queue.ts";

/**
 * A {@link JobQueue} whose jobs are offered and carried out in this process, in the order in which
 * they were offered.
 */
export class InProcessQueue<Job extends QueuedJob, Progress, Result> implements JobQueue<Job, Progress, Result> {
  #waiting: readonly Offered<Job, Progress, Result>[] = [];
  /** Resolve the promises of workers that wait for a change. */
  #wake: (() => void)[] = [];

  /**
   * Offers jobs and yields their events until all have ended. Leaving the loop early cancels them.
   * Rejects with the signal's reason on abort.
   */
  async *offer(jobs: readonly Job[], { signal }: AbortOptions): JobEvents<Progress, Result> {
    signal?.throwIfAborted();
    const events = new EventQueue<JobEvent<Progress, Result>>();
    const offered = jobs.map((job) => new Offered<Job, Progress, Result>(job, (event) => events.push(event)));
    const left = new LinkedController(signal);
    this.#setWaiting([...this.#waiting, ...offered]);
    try {
      const all = Promise.all(offered.map(({ over }) => over));
      yield* events.until(raceAbort(all, left.signal));
      signal?.throwIfAborted();
    } finally {
      left[Symbol.dispose]();
      this.#setWaiting(this.#waiting.filter((one) => !offered.includes(one)));
      for (const one of offered) one.stop.abort(signal?.reason);
    }
  }

  /**
   * Carries out jobs until the signal is aborted, and resolves when the running ones have stopped.
   * A job whose `carryOut` rejects is reported as failed. Rejects with an `InvariantError` where
   * `concurrency` is less than 1.
   */
  async work(carryOut: CarryOut<Job, Progress, Result>, { name, concurrency, signal }: WorkOptions): Promise<void> {
    invariant(concurrency >= 1, () => `A worker that has ${concurrency} jobs at once does nothing.`);
    const running = new Set<Promise<void>>();
    const listener = onAbort(signal, () => this.#wakeAll());
    try {
      while (!signal.aborted) {
        const [next, ...rest] = this.#waiting;
        if (next === undefined || running.size >= concurrency) {
          await this.#changed();
          continue;
        }
        this.#waiting = rest;
        const run = this.#carryOut(next, carryOut, { name, signal }).finally(() => {
          running.delete(run);
          this.#wakeAll();
        });
        running.add(run);
      }
      await Promise.all(running);
    } finally {
      listener[Symbol.dispose]();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #carryOut(
    offered: Offered<Job, Progress, Result>,
    carryOut: CarryOut<Job, Progress, Result>,
    { name, signal }: Pick<WorkOptions, "name" | "signal">,
  ): Promise<void> {
    const { job, emit, stop } = offered;
    const { id } = job;
    emit({ kind: "job-started", id, worker: name });
    const run = new LinkedController(signal, stop.signal);
    try {
      const progressed = (progress: Progress) => emit({ kind: "job-progressed", id, progress });
      const result = await carryOut(job, { report: progressed, signal: run.signal });
      offered.end({ kind: "done", result });
    } catch (error) {
      if (!signal.aborted || stop.signal.aborted) {
        offered.end({ kind: "failed", message: errorMessage(error) });
        return;
      }
      emit({ kind: "job-put-back", id });
      this.#setWaiting([offered, ...this.#waiting]);
    } finally {
      run[Symbol.dispose]();
    }
  }

  #setWaiting(waiting: readonly Offered<Job, Progress, Result>[]): void {
    this.#waiting = waiting;
    this.#wakeAll();
  }

  /** Resolves when the queue or the running jobs have changed. */
  #changed(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  #wakeAll(): void {
    const wake = this.#wake;
    this.#wake = [];
    for (const one of wake) one();
  }
}

/** An offered job and the listener for its events. */
class Offered<Job extends QueuedJob, Progress, Result> {
  readonly job: Job;
  readonly emit: (event: JobEvent<Progress, Result>) => void;
  /** Aborted when the job is no longer wanted. */
  readonly stop = new AbortController();
  readonly over: Promise<void>;
  #resolve!: () => void;

  constructor(job: Job, emit: (event: JobEvent<Progress, Result>) => void) {
    this.job = job;
    this.emit = emit;
    this.over = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  end(outcome: JobOutcome<Result>): void {
    this.emit({ kind: "job-over", id: this.job.id, outcome });
    this.#resolve();
  }
}
