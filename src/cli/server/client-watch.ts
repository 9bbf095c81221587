import { fstatSync } from "node:fs";
import { Readable } from "node:stream";
import { Worker } from "node:worker_threads";

/** The options of the thread that watches the client. */
export interface ClientWatchOptions {
  /** Whether it reads standard input, whose end means that the client is gone. */
  readonly readsInput: boolean;
  /** Whether the client is the parent process, until another process is named. */
  readonly watchesParent: boolean;
}

/** A message of that thread. */
export type ClientWatchMessage =
  | { readonly kind: "data"; readonly bytes: Uint8Array }
  /** Standard input has ended. */
  | { readonly kind: "end" }
  /** The client is gone. The process is killed soon, unless the answer `ending` arrives. */
  | { readonly kind: "gone" };

/** A message to that thread. */
export type ClientWatchOrder =
  | { readonly kind: "client"; readonly processId: number }
  | { readonly kind: "taken"; readonly bytes: number }
  | { readonly kind: "ending" };

/** The channel of a language server to its client. */
export type ClientChannel = "stdio" | "ipc" | "socket";

/**
 * Ends this process when the client of the language server is gone, even if the server's thread is
 * blocked: an endless loop or an endless microtask queue prevents timers and signals.
 *
 * A thread of its own reads standard input, so that it notices the end, and checks the client's
 * process. A server that answers has ten seconds to end by itself; one that does not is killed
 * after two.
 */
export class ClientWatch implements AsyncDisposable {
  /** Standard input for the server. */
  readonly input: Readable;
  readonly #worker: Worker;

  constructor(channel: ClientChannel) {
    const readsInput = channel === "stdio" && isPipe(0);
    const options: ClientWatchOptions = {
      readsInput,
      watchesParent: channel !== "socket" && process.platform !== "win32",
    };
    const file = import.meta.url.endsWith(".ts") ? "./client-watch-worker.ts" : "./client-watch-worker.js";
    this.#worker = new Worker(new URL(file, import.meta.url), { workerData: options, stdin: false });
    if (!readsInput) this.#worker.unref();
    const input = readsInput ? new Readable({ read: () => undefined }) : undefined;
    this.input = input ?? process.stdin;
    this.#worker.on("message", (message: ClientWatchMessage) => {
      if (message.kind === "gone") this.#order({ kind: "ending" });
      else if (message.kind === "end") input?.push(null);
      else {
        input?.push(message.bytes);
        this.#order({ kind: "taken", bytes: message.bytes.length });
      }
    });
  }

  /** Sets the process of the client, from `initialize`. */
  follow(processId: number): void {
    this.#order({ kind: "client", processId });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }

  #order(order: ClientWatchOrder): void {
    this.#worker.postMessage(order);
  }
}

function isPipe(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    return false;
  }
}

/** Whether a process is running, also one that may not be signalled. */
export function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
