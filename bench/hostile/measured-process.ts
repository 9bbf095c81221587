import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const probe = fileURLToPath(new URL("loop-probe.mjs", import.meta.url));

/** How a process is started. */
export interface MeasuredProcessOptions {
  /** The built command line, and its arguments. */
  readonly main: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** A process of Emend whose event loop and memory are watched from the outside. */
export class MeasuredProcess {
  readonly child: ChildProcess;
  /**
   * The longest stall of the event loop since {@link take}, in milliseconds of the main thread's
   * processor time.
   */
  #stallMs = 0;
  /**
   * The most memory since {@link take}, of the process and all that it started: proportional set
   * sizes, in bytes.
   */
  #bytes = 0;
  readonly #sampling: NodeJS.Timeout;

  constructor({ main, args, cwd, environment }: MeasuredProcessOptions) {
    this.child = spawn(process.execPath, ["--expose-gc", "--import", probe, main, ...args], {
      ...{ cwd, env: environment, stdio: ["pipe", "pipe", "pipe", "ipc"] },
    });
    this.child.on("message", (message: { readonly kind: string; readonly cpuMs: number }) => {
      if (message.kind === "stall") this.#stallMs = Math.max(this.#stallMs, message.cpuMs);
    });
    this.#sampling = setInterval(() => this.#sample(), 250);
    this.child.once("close", () => clearInterval(this.#sampling));
  }

  /** The figures since this was called last. */
  take(): { readonly stallMs: number; readonly bytes: number } {
    this.#sample();
    const figures = { stallMs: this.#stallMs, bytes: this.#bytes };
    this.#stallMs = 0;
    this.#bytes = 0;
    return figures;
  }

  /**
   * Processor time of the process and all that it started, all threads together, in milliseconds.
   */
  cpuMs(): number {
    return this.child.pid === undefined ? 0 : sumOfTree(this.child.pid, cpuMsOf);
  }

  /** The heap in use after a forced collection, in bytes. */
  async heapBytes(): Promise<number> {
    const answered = new Promise<number>((resolve, reject) => {
      const receive = (message: { readonly kind: string; readonly bytes: number }) => {
        if (message.kind !== "heap") return;
        this.child.off("message", receive);
        resolve(message.bytes);
      };
      this.child.on("message", receive);
      this.child.once("close", () => reject(new Error("The process ended")));
    });
    this.child.send("heap");
    return answered;
  }

  /** Ends the process, which may not listen. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, "close");
    this.child.kill("SIGKILL");
    await ended;
  }

  #sample(): void {
    if (this.child.pid === undefined) return;
    this.#bytes = Math.max(this.#bytes, sumOfTree(this.child.pid, bytesOf));
  }
}

/** The sum of a figure over a process and all processes below it. */
function sumOfTree(root: number, figureOf: (pid: number) => number): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const parent = /^PPid:\s*(\d+)/m.exec(tryRead(`/proc/${name}/status`))?.[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const isBelow = (pid: number): boolean => pid === root || (parents.has(pid) && isBelow(parents.get(pid)!));
  let sum = 0;
  for (const pid of parents.keys()) if (isBelow(pid)) sum += figureOf(pid);
  return sum;
}

/** The proportional set size of a process. */
function bytesOf(pid: number): number {
  return 1024 * Number(/^Pss:\s*(\d+)/m.exec(tryRead(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);
}

/** The processor time of a process and of its children that have ended; a tick is 10 ms. */
function cpuMsOf(pid: number): number {
  const fields = tryRead(`/proc/${pid}/stat`).split(") ").at(-1)!.split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * 10;
}

/** A process may end while it is looked at. */
function tryRead(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
