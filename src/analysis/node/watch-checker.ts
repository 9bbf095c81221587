import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import { EmendError } from "../../text/index.ts";

/** The limits of a type checker's process. */
export interface CheckerLimits {
  /** The most resident memory, in megabytes. */
  readonly maxMemoryMb: number;
  /** The longest time without output while a request is waiting, in milliseconds. */
  readonly stallMs: number;
}

/** The default limits; the setting `types.maxMemoryMb` replaces the first. */
export const defaultCheckerLimits: CheckerLimits = { maxMemoryMb: 2_048, stallMs: 30_000 };

/** The limit that a type checker exceeded. */
export type CheckerExcess =
  | { readonly kind: "memory"; readonly maxMemoryMb: number }
  | { readonly kind: "stalled"; readonly stallMs: number };

/** The name of a checker in messages, and what the codes of its errors begin with. */
export interface CheckerName {
  readonly name: string;
  readonly code: string;
}

/** The error of requests to a checker whose process was ended at a limit. */
export function excessError({ name, code }: CheckerName, excess: CheckerExcess): EmendError {
  const limit =
    excess.kind === "memory"
      ? `needed more than ${excess.maxMemoryMb.toLocaleString("en-US")} MB of memory (types.maxMemoryMb)`
      : `was busy for more than ${excess.stallMs} ms without an answer`;
  return new EmendError(`${code}-${excess.kind}`, `${name} ${limit} and was ended.`);
}

/** The limit that a checker exceeded, by its error; `undefined` for any other error. */
export function excessOf(error: unknown): CheckerExcess["kind"] | undefined {
  const kind = error instanceof EmendError ? /-(memory|stalled)$/.exec(error.code)?.[1] : undefined;
  return kind as CheckerExcess["kind"] | undefined;
}

/** The resource that a file needs too much of. */
export function resourceOf(excess: CheckerExcess["kind"]): "memory" | "time" {
  return excess === "memory" ? "memory" : "time";
}

/** The process that {@link CheckerWatch} watches. */
export interface WatchedChecker {
  readonly processId: number;
  readonly limits: CheckerLimits;
  /** Called once, when the process exceeds a limit. */
  onExcess(excess: CheckerExcess): void;
}

/**
 * Watches the memory and the progress of a type checker's process while requests are waiting.
 *
 * Laws: an idle process is not watched and costs nothing; time in which this process did not run
 * does not count.
 */
export class CheckerWatch implements Disposable {
  readonly #watched: WatchedChecker;
  #timer: NodeJS.Timeout | undefined;
  #progressMs = 0;
  #tickMs = 0;
  #bytes = 0;
  #isOver = false;

  constructor(watched: WatchedChecker) {
    this.#watched = watched;
  }

  /** The share of its memory limit that the process had when it was measured last, from 0. */
  get memoryShare(): number {
    return this.#bytes / (this.#watched.limits.maxMemoryMb * 2 ** 20);
  }

  /** Starts the watch, or restarts the time limit because the process has produced output. */
  busy(): void {
    this.#progressMs = performance.now();
    if (this.#timer !== undefined || this.#isOver) return;
    this.#tickMs = this.#progressMs;
    this.#timer = setInterval(() => void this.#measure(), residentMemoryMs).unref();
  }

  /** Stops the watch, because no request is waiting. */
  idle(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.idle();
  }

  async #measure(): Promise<void> {
    const { processId, limits } = this.#watched;
    const now = performance.now();
    // This process was busy, or the machine slept; responses may be waiting in the pipe.
    if (now - this.#tickMs > lateMs) this.#progressMs = now;
    this.#tickMs = now;
    if (now - this.#progressMs > limits.stallMs) this.#excess({ kind: "stalled", stallMs: limits.stallMs });
    const bytes = await residentBytes(processId);
    if (bytes !== undefined) this.#bytes = bytes;
    if (this.memoryShare > 1) this.#excess({ kind: "memory", maxMemoryMb: limits.maxMemoryMb });
  }

  #excess(excess: CheckerExcess): void {
    if (this.#isOver) return;
    this[Symbol.dispose]();
    this.#watched.onExcess(excess);
  }
}

/**
 * A reasonable interval between two calls of {@link residentBytes}, in milliseconds: reading a file
 * costs less than starting a process.
 */
const residentMemoryMs = process.platform === "linux" ? 100 : 1_000;

/**
 * In milliseconds. A timer that is later than this shows that this process did not run meanwhile.
 */
const lateMs = residentMemoryMs + 1_000;

/**
 * The resident memory of a process in bytes, from `/proc` on Linux and from `ps` on other POSIX
 * systems. `undefined` when the process has ended or the system gives no answer.
 */
async function residentBytes(processId: number): Promise<number | undefined> {
  if (process.platform === "win32") return undefined;
  const kilobytes = process.platform === "linux" ? await ofProc(processId) : await ofPs(processId);
  return kilobytes === undefined ? undefined : kilobytes * 1024;
}

async function ofProc(processId: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${processId}/status`, "latin1").catch(() => "");
  const kilobytes = /^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes);
}

function ofPs(processId: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    execFile("ps", ["-o", "rss=", "-p", String(processId)], { timeout: 2_000 }, (error, output) => {
      const kilobytes = Number.parseInt(output, 10);
      resolve(error !== null || Number.isNaN(kilobytes) ? undefined : kilobytes);
    });
  });
}
