/**
 * Hands jobs to workers, in this process or in others, and tells what becomes of them. Jobs, progress and results are plain data.
 *
 * Laws: each job that is offered is over once. One worker at a time has it, but for one who was silent for so long that it is thought
 * gone. Where a worker stops or is gone, another begins the job again: what a job did must be such that doing it again goes on behind it.
 */
export interface JobQueue<Job extends QueuedJob, Progress, Result> extends AsyncDisposable {
  /**
   * Offers jobs, and tells what becomes of them until all are over. Events of one job come in their order.
   *
   * Whoever leaves early, or aborts the signal, wants none of them any more: those that nobody took are taken back, and who is at work on the others
   * is told to stop. Rejects with the signal's own reason.
   */
  offer(jobs: readonly Job[], options: { readonly signal?: AbortSignal | undefined }): JobEvents<Progress, Result>;
  /**
   * Carries jobs out until the signal is aborted; those that are under way then are put back, once `carryOut` has stopped.
   * A job whose `carryOut` rejects by itself has failed, and is not tried again.
   */
  work(carryOut: CarryOut<Job, Progress, Result>, options: WorkOptions): Promise<void>;
}

/** A piece of work. */
export interface QueuedJob {
  /** Letters, digits, `-` and `_`; no other job of the queue has it. One that is offered again, after it was left, goes on as it is. */
  readonly id: string;
}

/** Does a job. `signal` is aborted when the job is not wanted any more, was given to another, or the worker is to stop. */
export type CarryOut<Job, Progress, Result> = (
  job: Job,
  options: { readonly tell: (progress: Progress) => void; readonly signal: AbortSignal },
) => Promise<Result>;

/** How a worker works. */
export interface WorkOptions {
  /** How those who offer jobs see it. */
  readonly name: string;
  /** How many jobs it has at once. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Is told of troubles that pass, such as a store that does not answer for a while. */
  readonly onTrouble?: (message: string) => void;
}

/** What is told of jobs. */
export type JobEvents<Progress, Result> = AsyncGenerator<JobEvent<Progress, Result>, void>;

/** What becomes of a job. */
export type JobEvent<Progress, Result> =
  /** Again for each worker that begins it. */
  | { readonly kind: "job-started"; readonly id: string; readonly worker: string }
  | { readonly kind: "job-progressed"; readonly id: string; readonly progress: Progress }
  /** Its worker stopped or is gone; another is waited for. */
  | { readonly kind: "job-put-back"; readonly id: string }
  | { readonly kind: "job-over"; readonly id: string; readonly outcome: JobOutcome<Result> }
  /** Something is in the way that may pass, such as a store that does not answer, or that no worker is there. */
  | { readonly kind: "trouble"; readonly message: string };

/** How a job ended. */
export type JobOutcome<Result> =
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "failed"; readonly message: string };
