import { setTimeout as wait } from "node:timers/promises";
import type { Job as BullJob, Queue, QueueEvents } from "bullmq";
import type { Redis } from "ioredis";
import { EmendError } from "../../../text/index.ts";
import { EventQueue } from "../../event-queue.ts";
import { followSignal, rejectionBy } from "../../fleet/follow-signal.ts";
import type {
  CarryOut,
  JobEvent,
  JobEvents,
  JobOutcome,
  JobQueue,
  QueuedJob,
  WorkOptions,
} from "../../fleet/job-queue.ts";

/** How a queue in Redis is used. */
export interface BullJobQueueOptions {
  /** The connection belongs to whoever opened it. */
  readonly redis: Redis;
  /** All keys begin with it. */
  readonly prefix: string;
  /** After so many milliseconds without a word a worker is thought gone, and its jobs are given to others; a minute unless told. */
  readonly silentMs?: number;
}

/** How often a job may lose its worker: one that kills each would go around for ever. */
const maxStalledCount = 5;
/** What is over is remembered for so long, in seconds: a day. */
const remembered = { age: 24 * 60 * 60 };
/** How often it is looked whether jobs are still wanted, whether they are over, and whether there are workers. */
const pace = { wantedMs: 500, overMs: 5_000, workersMs: 2_000 };
const queueName = "plans";

/** What is kept of a job in BullMQ beside its data: its progress, in an envelope. */
type Progress<Value> = { readonly worker: string } | { readonly told: Value };

/**
 * A queue in Redis, by BullMQ, for workers in any process on any machine that reaches it.
 *
 * A worker renews the lock of each of its jobs; where it does not, a check that all workers do now and then puts the job back. Source:
 * https://docs.bullmq.io/guide/workers/stalled-jobs.
 */
export class BullJobQueue<Job extends QueuedJob, Told, Result> implements JobQueue<Job, Told, Result> {
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

  /** Opens the queue. Rejects where that Redis is too old. */
  static async open<Job extends QueuedJob, Told, Result>(
    options: BullJobQueueOptions,
  ): Promise<BullJobQueue<Job, Told, Result>> {
    // It takes longer to load than most commands to run.
    const queue = new BullJobQueue<Job, Told, Result>(await import("bullmq"), options);
    await queue.#queue.waitUntilReady();
    return queue;
  }

  async *offer(
    jobs: readonly Job[],
    { signal }: { readonly signal?: AbortSignal | undefined },
  ): JobEvents<Told, Result> {
    signal?.throwIfAborted();
    const open = new Set(jobs.map(({ id }) => id));
    if (open.size === 0) return;
    // Before anything is heard: what becomes of those of before is nobody's concern.
    for (const { id } of jobs) await this.#makeRoom(id, signal);
    signal?.throwIfAborted();
    const events = new EventQueue<JobEvent<Told, Result>>();
    const offering = new Offering<Told, Result>(open, (event) => events.push(event));
    const left = new AbortController();
    const unlink = signal === undefined ? undefined : followSignal(signal, left);
    const listener = await this.#listen(offering);
    const checks = this.#checkNowAndThen(offering, events);
    try {
      // One that is there already stays as it is: at work, or done.
      await this.#queue.addBulk(
        jobs.map((job) => ({
          name: "plan",
          data: job,
          opts: { jobId: job.id, removeOnComplete: remembered, removeOnFail: remembered },
        })),
      );
      yield* events.until(Promise.race([offering.over, rejectionBy(left.signal)]));
      signal?.throwIfAborted();
    } finally {
      unlink?.();
      for (const check of checks) clearInterval(check);
      await this.#forget(jobs, open);
      await listener.close();
    }
  }

  async work(carryOut: CarryOut<Job, Told, Result>, options: WorkOptions): Promise<void> {
    const { name, concurrency, signal, onTrouble = ignored } = options;
    if (signal.aborted) return;
    const { Worker, WaitingError } = this.#bull;
    const held = new Map<string, AbortController>();
    const putBack = async (job: BullJob, token: string | undefined) => {
      await job.moveToWait(token);
      return new WaitingError();
    };
    const process = async (job: BullJob, token?: string): Promise<Result> => {
      // One that was fetched while the worker was told to stop.
      if (signal.aborted) throw await putBack(job, token);
      const id = job.id!;
      // Aborted when the job is no more ours or nobody wants it; the run, when the worker is to stop, too.
      const stop = new AbortController();
      const run = new AbortController();
      const unlink = [signal, stop.signal].map((one) => followSignal(one, run));
      held.set(id, stop);
      // Told one after the other: Redis has them in the order in which they came.
      let telling = job.updateProgress({ worker: name } satisfies Progress<Told>);
      const tell = (told: Told) => {
        telling = telling.then(() => job.updateProgress({ told } satisfies Progress<Told>)).catch(ignored);
      };
      try {
        await telling;
        return await carryOut(job.data as Job, { tell, signal: run.signal });
      } catch (error) {
        if (!signal.aborted || stop.signal.aborted) throw error;
        await telling;
        throw await putBack(job, token);
      } finally {
        held.delete(id);
        for (const one of unlink) one();
        await telling;
      }
    };
    const worker = new Worker(queueName, process, {
      ...{ connection: this.#redis, prefix: this.#prefix, name, concurrency, autorun: false, maxStalledCount },
      ...{ lockDuration: this.#silentMs, stalledInterval: Math.ceil(this.#silentMs / 2) },
      ...{ removeOnComplete: remembered, removeOnFail: remembered },
    });
    worker.on("error", (error) => {
      // The connection says itself that it is gone; a lock that is lost is told below.
      if (!/ECONN|Connection is closed|lock for job/.test(error.message)) onTrouble(error.message);
    });
    worker.on("lockRenewalFailed", (ids) => {
      for (const id of ids)
        held.get(id)?.abort(new EmendError("plan-taken-over", "The job was given to another worker."));
    });
    const wanted = setInterval(() => void this.#stopUnwanted(held), pace.wantedMs);
    let closing: Promise<void> | undefined;
    // Before it puts anything back: it would be the first to take it again.
    const close = () => {
      closing ??= worker.close();
    };
    signal.addEventListener("abort", close, { once: true });
    try {
      await worker.run();
    } finally {
      close();
      await closing;
      clearInterval(wanted);
      signal.removeEventListener("abort", close);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#queue.close().catch(ignored);
  }

  /** Hears of all that happens to the jobs from now on. */
  async #listen(offering: Offering<Told, Result>): Promise<QueueEvents> {
    const [last] = await this.#redis.xrevrange(this.#queue.toKey("events"), "+", "-", "COUNT", 1);
    const listener = new this.#bull.QueueEvents(queueName, {
      ...{ connection: this.#redis, prefix: this.#prefix, lastEventId: last?.[0] ?? "0-0" },
    });
    listener.on("error", ignored);
    listener.on("progress", ({ jobId, data }) => offering.progressed(jobId, data as Progress<Told>));
    listener.on("waiting", ({ jobId, prev }) => {
      if (prev === "active") offering.putBack(jobId);
    });
    listener.on("completed", ({ jobId, returnvalue }) =>
      // The type says that it is text; it is what the job gave.
      offering.end(jobId, { kind: "done", result: returnvalue as unknown as Result }),
    );
    listener.on("failed", ({ jobId, failedReason }) => offering.end(jobId, failure(failedReason)));
    await listener.waitUntilReady();
    return listener;
  }

  /** The stream of events is cut at its end, and somebody may have emptied the queue: what became of jobs is also looked up. */
  #checkNowAndThen(
    offering: Offering<Told, Result>,
    events: EventQueue<JobEvent<Told, Result>>,
  ): readonly NodeJS.Timeout[] {
    const checkOver = async () => {
      for (const id of offering.open) {
        const job = await this.#queue.getJob(id);
        if (job === undefined) offering.end(id, failure("The queue does not know it any more."));
        else if (job.finishedOn === undefined) continue;
        else if (job.failedReason) offering.end(id, failure(job.failedReason));
        else offering.end(id, { kind: "done", result: job.returnvalue as Result });
      }
    };
    let isLonely = false;
    const checkWorkers = async () => {
      const count = await this.#queue.getWorkersCount();
      if (count === 0 && !isLonely)
        events.push({ kind: "trouble", message: "No worker is there. Start one: emend worker" });
      isLonely = count === 0;
    };
    return [
      setInterval(() => void checkOver().catch(ignored), pace.overMs),
      setInterval(() => void checkWorkers().catch(ignored), pace.workersMs),
    ];
  }

  /** Removes what is left of a job that somebody offered before and left, or that failed: it is to be done anew. */
  async #makeRoom(id: string, signal: AbortSignal | undefined): Promise<void> {
    const mark = this.#unwantedKey(id);
    while (signal?.aborted !== true) {
      const job = await this.#queue.getJob(id);
      const isUnwanted = (await this.#redis.exists(mark)) > 0;
      if (job === undefined || (!isUnwanted && !job.failedReason)) break;
      // Whoever is at work on it is about to stop: until then it cannot be removed.
      if ((await this.#queue.remove(id)) > 0) break;
      await wait(pace.wantedMs);
    }
    await this.#redis.del(mark);
  }

  /** Takes jobs out of the queue, and has those who are at work on the `open` ones stop. */
  async #forget(jobs: readonly Job[], open: ReadonlySet<string>): Promise<void> {
    // Nobody waits for a Redis that is away: what is kept there goes by itself.
    if (this.#redis.status !== "ready") return;
    for (const { id } of jobs) {
      if (open.has(id)) await this.#redis.set(this.#unwantedKey(id), "1", "EX", remembered.age);
      await this.#queue.remove(id).catch(ignored);
    }
  }

  async #stopUnwanted(held: ReadonlyMap<string, AbortController>): Promise<void> {
    const ids = [...held.keys()];
    if (ids.length === 0 || this.#redis.status !== "ready") return;
    const marks = await this.#redis.mget(ids.map((id) => this.#unwantedKey(id))).catch(() => []);
    for (const [index, mark] of marks.entries())
      if (mark !== null) held.get(ids[index]!)?.abort(new EmendError("not-wanted", "Nobody wants this job any more."));
  }

  #unwantedKey(id: string): string {
    return this.#queue.toKey(`${id}:unwanted`);
  }
}

/** What is told of jobs that are offered, each of which is over once. */
class Offering<Told, Result> {
  /** Those that are not over. */
  readonly open: Set<string>;
  readonly over: Promise<void>;
  readonly #started = new Set<string>();
  readonly #onEvent: (event: JobEvent<Told, Result>) => void;
  #resolve!: () => void;

  constructor(open: Set<string>, onEvent: (event: JobEvent<Told, Result>) => void) {
    this.open = open;
    this.#onEvent = onEvent;
    this.over = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  progressed(id: string, progress: Progress<Told>): void {
    if ("worker" in progress) {
      this.#started.add(id);
      this.#tell({ kind: "job-started", id, worker: progress.worker });
    } else this.#tell({ kind: "job-progressed", id, progress: progress.told });
  }

  /** A worker that is told to stop may fetch a job once more, and put it back without having begun it. */
  putBack(id: string): void {
    if (this.#started.delete(id)) this.#tell({ kind: "job-put-back", id });
  }

  end(id: string, outcome: JobOutcome<Result>): void {
    this.#tell({ kind: "job-over", id, outcome });
    if (this.open.delete(id) && this.open.size === 0) this.#resolve();
  }

  #tell(event: Extract<JobEvent<Told, Result>, { readonly id: string }>): void {
    if (this.open.has(event.id)) this.#onEvent(event);
  }
}

function failure(reason: string): JobOutcome<never> {
  const message = /stalled more than allowable limit/.test(reason)
    ? `Its worker went away, and so did ${maxStalledCount} others that went on with it.`
    : reason;
  return { kind: "failed", message };
}

function ignored(): undefined {
  return undefined;
}
