import { spawn } from "node:child_process";
import { onAbort } from "../../async/index.ts";
import { signalOwned, spawnOwned } from "./owned-process.ts";

/** A program to run, and how. */
export interface ProgramRun {
  /** A program with its arguments, or a line for the system's shell. */
  readonly command: { readonly program: string; readonly args: readonly string[] } | { readonly line: string };
  /** The absolute path of the folder to run in. */
  readonly folder: string;
  /** Its standard input; empty by default. */
  readonly input?: string;
  readonly timeoutMs: number;
  /** The most bytes kept of each of its two outputs. */
  readonly maxBytes: number;
  /** Which part of a longer output is kept. */
  readonly keeps: "head" | "tail";
  /** Whether standard error is merged into the output, as in a terminal. */
  readonly joinsOutputs?: boolean;
  /** The complete environment; by default that of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Whether processes that it leaves running in its process group are killed when it has ended. */
  readonly leavesNothing?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Called with output as it arrives. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

/** How a program ended, with its outputs. */
export type ProgramEnd = {
  readonly output: string;
  readonly complaints: string;
  /** Whether output was dropped because of the limit. */
  readonly isCut: boolean;
} & (
  | { readonly kind: "exited"; readonly exitCode: number }
  | { readonly kind: "killed"; readonly by: string }
  | { readonly kind: "timed-out" }
  | { readonly kind: "not-started"; readonly message: string }
);

/** The time a program gets to end after SIGTERM. */
const graceMs = 2_000;
/**
 * After a program has exited, processes that hold its output open are awaited only while they keep
 * writing within this time.
 */
const lingerMs = 300;
/** The most such intervals in a row. */
const mostLingers = 20;

/**
 * Runs a program to its end. Rejects only with the signal's own reason, after the program has
 * ended.
 *
 * The program gets its own process group, which is stopped as a whole on timeout, abort or exit of
 * this process: with SIGTERM, and with SIGKILL two seconds later. It also ends when this process is
 * killed.
 */
export function runProgram(run: ProgramRun): Promise<ProgramEnd> {
  const { input, timeoutMs, signal } = run;
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const child = start(run);
    const collected = new Output(run);
    let why: "timed-out" | "aborted" | undefined;
    let killing: NodeJS.Timeout | undefined;
    const stop = (reason: "timed-out" | "aborted") => {
      if (why !== undefined) return;
      why = reason;
      signalOwned(child, "SIGTERM");
      killing = setTimeout(() => signalOwned(child, "SIGKILL"), graceMs);
    };
    const timer = setTimeout(() => stop("timed-out"), timeoutMs);
    const exit = () => signalOwned(child, "SIGKILL");
    const listener = onAbort(signal, () => stop("aborted"));
    process.once("exit", exit);

    let lingering: NodeJS.Timeout | undefined;
    let isOver = false;
    const end = (how: Partial<ProgramEnd>) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      clearTimeout(killing);
      clearTimeout(lingering);
      listener[Symbol.dispose]();
      process.removeListener("exit", exit);
      // Processes of the group that ignored SIGTERM are killed, too.
      if (why !== undefined || run.leavesNothing === true) signalOwned(child, "SIGKILL");
      child.stdout?.destroy();
      child.stderr?.destroy();
      if (why === "aborted") return reject(signal!.reason);
      const outputs = collected.end();
      resolve({ ...outputs, ...(why === "timed-out" ? { kind: why } : how) } as ProgramEnd);
    };
    const ended = (code: number | null, name: NodeJS.Signals | null) =>
      end(code === null ? { kind: "killed", by: name ?? "nobody knows" } : { kind: "exited", exitCode: code });
    child.on("error", (error) => {
      if (child.pid === undefined) end({ kind: "not-started", message: error.message });
    });
    child.on("close", ended);
    child.on("exit", (code, name) => {
      const linger = (left: number) => {
        const before = collected.bytes;
        // After a busy period of this process, pending pipe data is read between the timer and an
        // immediate callback.
        const look = () => (left === 0 || collected.bytes === before ? ended(code, name) : linger(left - 1));
        lingering = setTimeout(() => setImmediate(look), lingerMs);
      };
      linger(mostLingers);
    });
    child.stdout?.on("data", (bytes: Buffer) => collected.add("output", bytes));
    child.stderr?.on("data", (bytes: Buffer) =>
      collected.add(run.joinsOutputs === true ? "output" : "complaints", bytes),
    );
    // A program may exit before it has read all of its input.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input ?? "");
  });
}

/** Collects the outputs of a program within the limit. */
class Output {
  readonly #run: ProgramRun;
  readonly #kept = { output: [] as Buffer[], complaints: [] as Buffer[] };
  readonly #bytes = { output: 0, complaints: 0 };
  readonly #decoder = new TextDecoder();
  #isCut = false;
  /** The bytes received in total. */
  bytes = 0;

  constructor(run: ProgramRun) {
    this.#run = run;
  }

  add(which: "output" | "complaints", bytes: Buffer): void {
    const { maxBytes, keeps, onOutput } = this.#run;
    this.bytes += bytes.length;
    onOutput?.(this.#decoder.decode(bytes, { stream: true }));
    const kept = this.#kept[which];
    const over = this.#bytes[which] + bytes.length - maxBytes;
    if (over > 0) this.#isCut = true;
    if (keeps === "head") {
      const part = over > 0 ? bytes.subarray(0, Math.max(0, bytes.length - over)) : bytes;
      kept.push(part);
      this.#bytes[which] += part.length;
      return;
    }
    kept.push(bytes);
    this.#bytes[which] += bytes.length;
    while (this.#bytes[which] - kept[0]!.length >= maxBytes) this.#bytes[which] -= kept.shift()!.length;
  }

  end(): Pick<ProgramEnd, "output" | "complaints" | "isCut"> {
    const textOf = (which: "output" | "complaints") => {
      const bytes = Buffer.concat(this.#kept[which]);
      if (this.#run.keeps === "head" || bytes.length <= this.#run.maxBytes) return bytes.toString("utf8");
      let start = bytes.length - this.#run.maxBytes;
      // Do not begin within a character.
      while (start < bytes.length && (bytes[start]! & 0xc0) === 0x80) start += 1;
      return bytes.toString("utf8", start);
    };
    return { output: textOf("output"), complaints: textOf("complaints"), isCut: this.#isCut };
  }
}

function start({ command, folder, environment }: ProgramRun) {
  if (!("line" in command)) return spawnOwned(command.program, command.args, { folder, environment });
  if (process.platform !== "win32") return spawnOwned("/bin/sh", ["-c", command.line], { folder, environment });
  return spawn(command.line, { cwd: folder, shell: true, windowsHide: true, ...(environment && { env: environment }) });
}
