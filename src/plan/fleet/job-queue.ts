import type { AbortOptions } from "../../async/index.ts";
/**
 * Distributes jobs to workers, in this process or in others, and reports their progress. Jobs,
 * progress and results are plain data.
 *
 * Laws: each offered job ends exactly once. A job has one worker at a time, except that a worker
 * which was silent for too long may still be running. When a worker stops or disappears, another
 * one starts the job again, so running a job again must continue where it was.
 */
export interface JobQueue<Job extends QueuedJob, Progress, Result> extends AsyncDisposable {
  /**
   * Offers jobs and yields their events until all have ended. The events of one job are in order.
   *
   * Leaving the loop early, or aborting the signal, cancels the jobs: waiting ones are removed, and
   * the workers of the others are stopped by their signal. Rejects with the signal's reason.
   */
  offer(jobs: readonly Job[], options: AbortOptions): JobEvents<Progress, Result>;
  /**
   * Carries out jobs until the signal is aborted; running jobs are then put back once `carryOut`
   * has stopped. A job whose `carryOut` rejects has failed and is not tried again.
   */
  work(carryOut: CarryOut<Job, Progress, Result>, options: WorkOptions): Promise<void>;
}

/** A job. */
export interface QueuedJob {
  /**
   * Letters, digits, `-` and `_`; unique in the queue. A job that was abandoned and is offered
   * again under its id continues.
   */
  readonly id: string;
}

/**
 * Carries out a job. `signal` is aborted when the job is cancelled, was given to another worker, or
 * the worker has to stop.
 */
export type CarryOut<Job, Progress, Result> = (
  job: Job,
  options: { readonly report: (progress: Progress) => void; readonly signal: AbortSignal },
) => Promise<Result>;

/** The options of a worker. */
export interface WorkOptions {
  /** The worker's name in events. */
  readonly name: string;
  /** The most jobs that it runs at the same time. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Called with a message about a temporary problem, such as a store that does not answer. */
  readonly onTrouble?: (message: string) => void;
}

/** The events of offered jobs. */
export type JobEvents<Progress, Result> = AsyncGenerator<JobEvent<Progress, Result>, void>;

/** An event of an offered job. */
export type JobEvent<Progress, Result> =
  /** Sent again for each worker that starts the job. */
  | { readonly kind: "job-started"; readonly id: string; readonly worker: string }
  | { readonly kind: "job-progressed"; readonly id: string; readonly progress: Progress }
  /** The worker stopped or disappeared; the job waits for another one. */
  | { readonly kind: "job-put-back"; readonly id: string }
  | { readonly kind: "job-over"; readonly id: string; readonly outcome: JobOutcome<Result> }
  /** A temporary problem, such as a store that does not answer, or that there is no worker. */
  | { readonly kind: "trouble"; readonly message: string };

/** How a job ended. */
export type JobOutcome<Result> =
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "failed"; readonly message: string };
