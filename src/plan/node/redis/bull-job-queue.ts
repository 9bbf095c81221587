import { setTimeout as wait } from "node:timers/promises";
import type { Job as BullJob, Queue, QueueEvents } from "bullmq";
import type { Redis } from "ioredis";
import { type AbortOptions, EventQueue, LinkedController, onAbort, raceAbort } from "../../../async/index.ts";
import { EmendError } from "../../../text/index.ts";
import type {
  CarryOut,
  JobEvent,
  JobEvents,
  JobOutcome,
  JobQueue,
  QueuedJob,
  WorkOptions,
} from "../../fleet/job-queue.ts";
import { loadRedisPackages } from "./redis-connection.ts";

/** The options of {@link BullJobQueue}. */
export interface BullJobQueueOptions {
  /** The connection; the caller owns it. */
  readonly redis: Redis;
  /** The prefix of all keys. */
  readonly prefix: string;
  /**
   * A worker that is silent for this time, in milliseconds, counts as gone, and its jobs are given
   * to others; default: one minute.
   */
  readonly silentMs?: number;
}

/**
 * How often a job may lose its worker. A job that kills its workers would otherwise be restarted
 * for ever.
 */
const maxStalledCount = 5;
/** How long ended jobs are kept, in seconds: a day. */
const retention = { age: 24 * 60 * 60 };
/** The intervals at which cancelled jobs, ended jobs and missing workers are looked for. */
const intervals = { wantedMs: 500, overMs: 5_000, workersMs: 2_000 };
const queueName = "plans";

/** The progress data of a BullMQ job: the worker's name, or a progress value of the job. */
type Progress<Value> = { readonly worker: string } | { readonly value: Value };

/**
 * A {@link JobQueue} in Redis, by BullMQ, for workers in any process on any machine that reaches
 * it.
 *
 * A worker renews the lock of each of its jobs. When it does not, a regular check by all workers
 * puts the job back. Source: https://docs.bullmq.io/guide/workers/stalled-jobs.
 */
export class BullJobQueue<Job extends QueuedJob, ProgressValue, Result>
  implements JobQueue<Job, ProgressValue, Result>
{
  readonly #redis: Redis;
  readonly #prefix: string;
  readonly #silentMs: number;
  readonly #queue: Queue;
  readonly #bull: typeof import("bullmq");

  private constructor(bull: typeof import("bullmq"), { redis, prefix, silentMs = 60_000 }: BullJobQueueOptions) {
    this.#bull = bull;
    this.#redis = redis;
    this.#prefix = prefix;
    this.#silentMs = silentMs;
    this.#queue = new bull.Queue(queueName, { connection: redis, prefix });
    this.#queue.on("error", ignored);
  }

  /** Opens the queue. Rejects when the version of Redis is too old. */
  static async open<Job extends QueuedJob, ProgressValue, Result>(
    options: BullJobQueueOptions,
  ): Promise<BullJobQueue<Job, ProgressValue, Result>> {
    const { bullmq } = await loadRedisPackages();
    const queue = new BullJobQueue<Job, ProgressValue, Result>(bullmq, options);
    await queue.#queue.waitUntilReady();
    return queue;
  }

  async *offer(jobs: readonly Job[], { signal }: AbortOptions): JobEvents<ProgressValue, Result> {
    signal?.throwIfAborted();
    const open = new Set(jobs.map(({ id }) => id));
    if (open.size === 0) return;
    // Old jobs are removed before the queue is observed, so that their events are not seen.
    for (const { id } of jobs) await this.#makeRoom(id, signal);
    signal?.throwIfAborted();
    const events = new EventQueue<JobEvent<ProgressValue, Result>>();
    const offering = new Offering<ProgressValue, Result>(open, (event) => events.push(event));
    const left = new LinkedController(signal);
    const listener = await this.#listen(offering);
    const checks = this.#checkRegularly(offering, events);
    try {
      // A job that exists already stays as it is: running or done.
      await this.#queue.addBulk(
        jobs.map((job) => ({
          name: "plan",
          data: job,
          opts: { jobId: job.id, removeOnComplete: retention, removeOnFail: retention },
        })),
      );
      yield* events.until(raceAbort(offering.over, left.signal));
      signal?.throwIfAborted();
    } finally {
      left[Symbol.dispose]();
      for (const check of checks) clearInterval(check);
      await this.#forget(jobs, open);
      await listener.close();
    }
  }

  async work(carryOut: CarryOut<Job, ProgressValue, Result>, options: WorkOptions): Promise<void> {
    const { name, concurrency, signal, onTrouble = ignored } = options;
    if (signal.aborted) return;
    const { Worker, WaitingError } = this.#bull;
    const held = new Map<string, AbortController>();
    const putBack = async (job: BullJob, token: string | undefined) => {
      await job.moveToWait(token);
      return new WaitingError();
    };
    const process = async (job: BullJob, token?: string): Promise<Result> => {
      // The job was fetched while the worker was being stopped.
      if (signal.aborted) throw await putBack(job, token);
      const id = job.id!;
      // `stop` is aborted when the job belongs to another worker or is cancelled; `run` also when
      // the worker has to stop.
      const stop = new AbortController();
      const run = new LinkedController(signal, stop.signal);
      held.set(id, stop);
      // Updates are sent one after the other, because Redis stores them in the order of arrival.
      let reporting = job.updateProgress({ worker: name } satisfies Progress<ProgressValue>);
      const report = (value: ProgressValue) => {
        reporting = reporting
          .then(() => job.updateProgress({ value } satisfies Progress<ProgressValue>))
          .catch(ignored);
      };
      try {
        await reporting;
        return await carryOut(job.data as Job, { report: report, signal: run.signal });
      } catch (error) {
        if (!signal.aborted || stop.signal.aborted) throw error;
        await reporting;
        throw await putBack(job, token);
      } finally {
        held.delete(id);
        run[Symbol.dispose]();
        await reporting;
      }
    };
    const worker = new Worker(queueName, process, {
      ...{ connection: this.#redis, prefix: this.#prefix, name, concurrency, autorun: false, maxStalledCount },
      ...{ lockDuration: this.#silentMs, stalledInterval: Math.ceil(this.#silentMs / 2) },
      ...{ removeOnComplete: retention, removeOnFail: retention },
    });
    worker.on("error", (error) => {
      // The connection reports that it is gone; a lost lock is handled below.
      if (!/ECONN|Connection is closed|lock for job/.test(error.message)) onTrouble(error.message);
    });
    worker.on("lockRenewalFailed", (ids) => {
      for (const id of ids)
        held.get(id)?.abort(new EmendError("plan-taken-over", "The job was given to another worker."));
    });
    const wanted = setInterval(() => void this.#stopUnwanted(held), intervals.wantedMs);
    let closing: Promise<void> | undefined;
    // Close before a job is put back: this worker would be the first to take it again.
    const close = () => {
      closing ??= worker.close();
    };
    const listener = onAbort(signal, close);
    try {
      await worker.run();
    } finally {
      close();
      await closing;
      clearInterval(wanted);
      listener[Symbol.dispose]();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#queue.close().catch(ignored);
  }

  /** Listens to all later events of the jobs. */
  async #listen(offering: Offering<ProgressValue, Result>): Promise<QueueEvents> {
    const [last] = await this.#redis.xrevrange(this.#queue.toKey("events"), "+", "-", "COUNT", 1);
    const listener = new this.#bull.QueueEvents(queueName, {
      ...{ connection: this.#redis, prefix: this.#prefix, lastEventId: last?.[0] ?? "0-0" },
    });
    listener.on("error", ignored);
    listener.on("progress", ({ jobId, data }) => offering.progressed(jobId, data as Progress<ProgressValue>));
    listener.on("waiting", ({ jobId, prev }) => {
      if (prev === "active") offering.putBack(jobId);
    });
    listener.on("completed", ({ jobId, returnvalue }) =>
      // The type is a string, but the value is the job's result.
      offering.end(jobId, { kind: "done", result: returnvalue as unknown as Result }),
    );
    listener.on("failed", ({ jobId, failedReason }) => offering.end(jobId, failure(failedReason)));
    await listener.waitUntilReady();
    return listener;
  }

  /**
   * Looks up the state of the jobs regularly: the stream of events is limited in length, and the
   * queue may have been emptied.
   */
  #checkRegularly(
    offering: Offering<ProgressValue, Result>,
    events: EventQueue<JobEvent<ProgressValue, Result>>,
  ): readonly NodeJS.Timeout[] {
    const checkOver = async () => {
      for (const id of offering.open) {
        const job = await this.#queue.getJob(id);
        if (job === undefined) offering.end(id, failure("The job is no longer in the queue."));
        else if (job.finishedOn === undefined) continue;
        else if (job.failedReason) offering.end(id, failure(job.failedReason));
        else offering.end(id, { kind: "done", result: job.returnvalue as Result });
      }
    };
    let hasNoWorker = false;
    const checkWorkers = async () => {
      const count = await this.#queue.getWorkersCount();
      if (count === 0 && !hasNoWorker)
        events.push({ kind: "trouble", message: "There is no worker. Start one: emend worker" });
      hasNoWorker = count === 0;
    };
    return [
      setInterval(() => void checkOver().catch(ignored), intervals.overMs),
      setInterval(() => void checkWorkers().catch(ignored), intervals.workersMs),
    ];
  }

  /**
   * Removes what is left of a job that was cancelled earlier or that failed, so that it starts
   * again.
   */
  async #makeRoom(id: string, signal: AbortSignal | undefined): Promise<void> {
    const mark = this.#unwantedKey(id);
    while (signal?.aborted !== true) {
      const job = await this.#queue.getJob(id);
      const isUnwanted = (await this.#redis.exists(mark)) > 0;
      if (job === undefined || (!isUnwanted && !job.failedReason)) break;
      // Its worker is about to stop; until then the job cannot be removed.
      if ((await this.#queue.remove(id)) > 0) break;
      await wait(intervals.wantedMs);
    }
    await this.#redis.del(mark);
  }

  /** Removes jobs from the queue and cancels the `open` ones that are running. */
  async #forget(jobs: readonly Job[], open: ReadonlySet<string>): Promise<void> {
    // Do not wait for a Redis that is away: its entries expire.
    if (this.#redis.status !== "ready") return;
    for (const { id } of jobs) {
      if (open.has(id)) await this.#redis.set(this.#unwantedKey(id), "1", "EX", retention.age);
      await this.#queue.remove(id).catch(ignored);
    }
  }

  async #stopUnwanted(held: ReadonlyMap<string, AbortController>): Promise<void> {
    const ids = [...held.keys()];
    if (ids.length === 0 || this.#redis.status !== "ready") return;
    const marks = await this.#redis.mget(ids.map((id) => this.#unwantedKey(id))).catch(() => []);
    for (const [index, mark] of marks.entries())
      if (mark !== null) held.get(ids[index]!)?.abort(new EmendError("not-wanted", "The job was cancelled."));
  }

  #unwantedKey(id: string): string {
    return this.#queue.toKey(`${id}:unwanted`);
  }
}

/** The events of offered jobs, each of which ends once. */
class Offering<ProgressValue, Result> {
  /** The jobs that have not ended. */
  readonly open: Set<string>;
  readonly over: Promise<void>;
  readonly #started = new Set<string>();
  readonly #onEvent: (event: JobEvent<ProgressValue, Result>) => void;
  #resolve!: () => void;

  constructor(open: Set<string>, onEvent: (event: JobEvent<ProgressValue, Result>) => void) {
    this.open = open;
    this.#onEvent = onEvent;
    this.over = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  progressed(id: string, progress: Progress<ProgressValue>): void {
    if ("worker" in progress) {
      this.#started.add(id);
      this.#emit({ kind: "job-started", id, worker: progress.worker });
    } else this.#emit({ kind: "job-progressed", id, progress: progress.value });
  }

  /**
   * Reports that a job was put back. A worker that is stopping may fetch a job and put it back
   * without starting it, which is not reported.
   */
  putBack(id: string): void {
    if (this.#started.delete(id)) this.#emit({ kind: "job-put-back", id });
  }

  end(id: string, outcome: JobOutcome<Result>): void {
    this.#emit({ kind: "job-over", id, outcome });
    if (this.open.delete(id) && this.open.size === 0) this.#resolve();
  }

  #emit(event: Extract<JobEvent<ProgressValue, Result>, { readonly id: string }>): void {
    if (this.open.has(event.id)) this.#onEvent(event);
  }
}

function failure(reason: string): JobOutcome<never> {
  const message = /stalled more than allowable limit/.test(reason)
    ? `Its worker disappeared, and so did ${maxStalledCount} others that continued it.`
    : reason;
  return { kind: "failed", message };
}

function ignored(): undefined {
  return undefined;
}
