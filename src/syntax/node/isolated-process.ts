import { type ChildProcess, fork } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { SerialQueue } from "../../async/index.ts";

/** Options of an {@link IsolatedProcess}. */
export interface IsolatedProcessOptions {
  /** The module that the process runs, which calls {@link serveIsolated}. */
  readonly module: URL;
  /** The time limit of one question, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * The time without a question after which the process ends and frees its memory, in milliseconds.
   * Default: 20,000; 2,000 where it takes more than 150 MB.
   */
  readonly idleMs?: number;
}

/** The resident memory of a process that read a long text, in bytes: it keeps what it once took. */
const largeBytes = 150_000_000;
const largeIdleMs = 2_000;
const usualIdleMs = 20_000;

/** The time limit for the start of a process, in milliseconds. */
const maxStartMs = 10_000;

/** The result of a question: the parts of its answer, or the reason why there is none. */
export type IsolatedAnswer<Part> =
  | { readonly kind: "answered"; readonly parts: readonly Part[] }
  /** The process was ended after `limitMs`. */
  | { readonly kind: "timed-out"; readonly limitMs: number }
  /** The process ended by itself, as a native parser that runs out of stack does. */
  | { readonly kind: "crashed" };

/**
 * Runs work that cannot be bounded, such as a native parser on any text, in a separate process,
 * which can be ended and may crash without harm. Questions are answered one after the other. The
 * process starts with the first question, and again after it ended.
 *
 * The process ends with its owner: its channel closes then, however the owner ends.
 */
export class IsolatedProcess<Question, Part> implements Disposable {
  readonly #options: IsolatedProcessOptions;
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #questions = new SerialQueue();
  #isDisposed = false;

  constructor(options: IsolatedProcessOptions) {
    this.#options = options;
  }

  /**
   * Sends a question to the process, which is started where it does not run; earlier questions are
   * answered first. Never rejects: `crashed` also where the module threw, or after disposal.
   */
  ask(question: Question): Promise<IsolatedAnswer<Part>> {
    return this.#questions.run(() => this.#ask(question));
  }

  /** Ends the process. Questions without an answer, and later ones, are answered with `crashed`. */
  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#end();
  }

  #ask(question: Question): Promise<IsolatedAnswer<Part>> {
    if (this.#isDisposed) return Promise.resolve({ kind: "crashed" });
    clearTimeout(this.#idle);
    const child = this.#child ?? this.#start();
    const { timeoutMs, idleMs } = this.#options;
    // A pending answer keeps the owner's event loop alive; an idle process does not.
    child.ref();
    child.channel?.ref();
    return new Promise((resolve) => {
      const parts: Part[] = [];
      const finish = (answer: IsolatedAnswer<Part>, bytes = 0) => {
        clearTimeout(timer);
        child.off("message", receive).off("exit", crash).off("error", crash);
        if (answer.kind === "answered") {
          rest(child);
          const defaultMs = bytes > largeBytes ? largeIdleMs : usualIdleMs;
          this.#idle = setTimeout(() => this.#end(), idleMs ?? defaultMs).unref();
        } else this.#end();
        resolve(answer);
      };
      const receive = (message: IsolatedMessage<Part>) => {
        if (message.kind === "end") return finish({ kind: "answered", parts }, message.bytes);
        if (message.kind === "failed") return finish({ kind: "crashed" });
        if (message.kind === "begun") return limitTo(timeoutMs);
        parts.push(message.part);
        return send({ kind: "next" });
      };
      const crash = () => finish({ kind: "crashed" });
      let timer: NodeJS.Timeout | undefined;
      const limitTo = (ms: number) => {
        clearTimeout(timer);
        timer = setTimeout(() => finish({ kind: "timed-out", limitMs: timeoutMs }), ms);
      };
      // The start of a process does not count towards the time limit of a request.
      limitTo(timeoutMs + maxStartMs);
      child.on("message", receive).on("exit", crash).on("error", crash);
      const send = (request: IsolatedRequest<Question>) => {
        child.send(request, (error) => {
          if (error !== null) crash();
        });
      };
      send({ kind: "ask", question });
    });
  }

  #start(): ChildProcess {
    const child = start(this.#options.module);
    child.once("exit", () => {
      if (this.#child === child) this.#child = undefined;
    });
    this.#child = child;
    return child;
  }

  #end(): void {
    clearTimeout(this.#idle);
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    rest(child);
    child.on("error", () => undefined);
    child.kill("SIGKILL");
  }
}

/** A message to the process. */
type IsolatedRequest<Question> = { readonly kind: "ask"; readonly question: Question } | { readonly kind: "next" };

/** A message from the process. */
type IsolatedMessage<Part> =
  | { readonly kind: "begun" }
  | { readonly kind: "part"; readonly part: Part }
  /** `bytes`: the resident memory of the process. */
  | { readonly kind: "end"; readonly bytes: number }
  | { readonly kind: "failed" };

/**
 * Answers the questions of an {@link IsolatedProcess} in the process that it started; the process
 * ends when its owner does. Each part of an answer is only sent when the one before was read, so
 * that the owner never has to read much at a time. Where `answer` throws, the owner gets `crashed`.
 */
export function serveIsolated<Question, Part>(
  answer: (question: Question) => Iterable<Part> | AsyncIterable<Part>,
): void {
  let readOn: () => void = () => undefined;
  const send = (message: IsolatedMessage<Part>) => process.send?.(message);
  const run = async (question: Question) => {
    send({ kind: "begun" });
    for await (const part of answer(question)) {
      const isRead = new Promise<void>((resolve) => {
        readOn = resolve;
      });
      send({ kind: "part", part });
      await isRead;
    }
    send({ kind: "end", bytes: process.memoryUsage.rss() });
  };
  process.on("disconnect", () => process.exit(0));
  process.on("message", (request: IsolatedRequest<Question>) => {
    if (request.kind === "next") readOn();
    // The only error that a parser throws is a stack overflow.
    else run(request.question).catch(() => send({ kind: "failed" }));
  });
}

function rest(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

function start(module: URL): ChildProcess {
  // When run from the sources, the process needs the same TypeScript loader.
  const isSource = module.pathname.endsWith(".ts");
  const loader = isSource ? ["--import", pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href] : [];
  return fork(fileURLToPath(module), [], {
    execArgv: [...loader, "--max-old-space-size=1024"],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
}
