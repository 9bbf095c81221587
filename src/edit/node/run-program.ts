import { type ChildProcess, spawn } from "node:child_process";

/** What is run, and where. */
export interface ProgramRun {
  /** A program with its arguments, or a line for the system's shell. */
  readonly command: { readonly program: string; readonly args: readonly string[] } | { readonly line: string };
  /** The absolute path of the folder to run in. */
  readonly folder: string;
  /** What it reads; nothing unless told. */
  readonly input?: string;
  readonly timeoutMs: number;
  /** The most bytes that are kept of each of its two outputs. */
  readonly maxBytes: number;
  /** What is kept of more: the head, or the tail. */
  readonly keeps: "head" | "tail";
  /** Whether what it complains about goes between what it says, as in a terminal. */
  readonly joinsOutputs?: boolean;
  /** Its whole environment; that of this process unless told. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Whether what it leaves running in its process group is stopped once it has ended. */
  readonly leavesNothing?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Hears what it says, as it comes. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

/** How a program ended. */
export type ProgramEnd = {
  readonly output: string;
  readonly complaints: string;
  /** Whether more was said than is kept. */
  readonly isCut: boolean;
} & (
  | { readonly kind: "exited"; readonly exitCode: number }
  | { readonly kind: "killed"; readonly by: string }
  | { readonly kind: "timed-out" }
  | { readonly kind: "not-started"; readonly message: string }
);

/** A program that was asked to end has so long to do it. */
const graceMs = 2_000;
/** What runs on behind a program that has ended is not waited for any longer than this after it last said something. */
const lingerMs = 300;
/** And it is not listened to for more than so many of these times. */
const mostLingers = 20;

/**
 * Runs a program to its end. Rejects only with the signal's own reason, once the program is gone.
 *
 * It gets a process group of its own, which is stopped as a whole when time is over, the signal aborts or this process
 * exits: asked first, and two seconds later without asking.
 */
export function runProgram(run: ProgramRun): Promise<ProgramEnd> {
  const { command, folder, input, timeoutMs, signal } = run;
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const settings = {
      cwd: folder,
      detached: process.platform !== "win32",
      windowsHide: true,
      shell: "line" in command,
      ...(run.environment !== undefined && { env: { ...run.environment } }),
    };
    const child =
      "line" in command ? spawn(command.line, settings) : spawn(command.program, [...command.args], settings);
    const heard = new Output(run);
    let why: "timed-out" | "aborted" | undefined;
    let killing: NodeJS.Timeout | undefined;
    const stop = (reason: "timed-out" | "aborted") => {
      if (why !== undefined) return;
      why = reason;
      signalGroup(child, "SIGTERM");
      killing = setTimeout(() => signalGroup(child, "SIGKILL"), graceMs);
    };
    const abort = () => stop("aborted");
    const timer = setTimeout(() => stop("timed-out"), timeoutMs);
    const exit = () => signalGroup(child, "SIGKILL");
    signal?.addEventListener("abort", abort, { once: true });
    process.once("exit", exit);

    let lingering: NodeJS.Timeout | undefined;
    let isOver = false;
    const end = (how: Partial<ProgramEnd>) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      clearTimeout(killing);
      clearTimeout(lingering);
      signal?.removeEventListener("abort", abort);
      process.removeListener("exit", exit);
      // Whoever was started in the same group and did not hear goes with it.
      if (why !== undefined || run.leavesNothing === true) signalGroup(child, "SIGKILL");
      child.stdout?.destroy();
      child.stderr?.destroy();
      if (why === "aborted") return reject(signal!.reason);
      const said = heard.end();
      resolve({ ...said, ...(why === "timed-out" ? { kind: why } : how) } as ProgramEnd);
    };
    const ended = (code: number | null, name: NodeJS.Signals | null) =>
      end(code === null ? { kind: "killed", by: name ?? "nobody knows" } : { kind: "exited", exitCode: code });
    child.on("error", (error) => {
      if (child.pid === undefined) end({ kind: "not-started", message: error.message });
    });
    child.on("close", ended);
    child.on("exit", (code, name) => {
      const linger = (left: number) => {
        const before = heard.bytes;
        // Where this process was busy meanwhile, what is in the pipes is read between the timer and the callback behind it.
        const look = () => (left === 0 || heard.bytes === before ? ended(code, name) : linger(left - 1));
        lingering = setTimeout(() => setImmediate(look), lingerMs);
      };
      linger(mostLingers);
    });
    child.stdout?.on("data", (bytes: Buffer) => heard.add("output", bytes));
    child.stderr?.on("data", (bytes: Buffer) => heard.add(run.joinsOutputs === true ? "output" : "complaints", bytes));
    // A program may end before it has read all.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input ?? "");
  });
}

/** What a program says, kept within bounds. */
class Output {
  readonly #run: ProgramRun;
  readonly #kept = { output: [] as Buffer[], complaints: [] as Buffer[] };
  readonly #bytes = { output: 0, complaints: 0 };
  readonly #decoder = new TextDecoder();
  #isCut = false;
  /** How many bytes were heard altogether. */
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
      // Not in the middle of a character.
      while (start < bytes.length && (bytes[start]! & 0xc0) === 0x80) start += 1;
      return bytes.toString("utf8", start);
    };
    return { output: textOf("output"), complaints: textOf("complaints"), isCut: this.#isCut };
  }
}

function signalGroup(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (process.platform === "win32") {
    spawn("taskkill", ["/pid", String(child.pid), "/t", "/f"], { stdio: "ignore", windowsHide: true }).on("error", () =>
      child.kill(),
    );
    return;
  }
  try {
    process.kill(-child.pid, name);
  } catch {
    // They are all gone.
  }
}
