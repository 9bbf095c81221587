import { type ChildProcess, spawn } from "node:child_process";
import { MessageReader, messageOf, tryBytesIn } from "./typescript-messages.ts";

/** How the service's questions for files are answered, by the names that it has for them; `undefined` leaves one to the disk. */
export type FileQuestions = Readonly<Record<string, (path: string) => unknown>>;

/**
 * The pipe to TypeScript's service: what the client that comes with it does, at half the cost.
 *
 * What is asked in one turn of the event loop is written at once, and answers are read where they lie. A question that is under way when
 * the process ends is never answered.
 */
export class TypeScriptPipe {
  readonly process: ChildProcess;
  readonly #files: FileQuestions;
  readonly #asked = new Map<number, Question>();
  #lastId = 0;
  #unsent: Buffer[] = [];

  private constructor(process: ChildProcess, files: FileQuestions) {
    this.process = process;
    this.#files = files;
    const reader = new MessageReader((body) => this.#take(body));
    process.stdout!.on("data", (piece: Buffer) => reader.push(piece));
    // What is written to a process that has ended goes nowhere: whoever asked hears of its end.
    process.stdin!.on("error", () => undefined);
  }

  /** Starts the program in a folder. Rejects where it cannot be started. */
  static open(program: string, folder: string, files: FileQuestions): Promise<TypeScriptPipe> {
    const args = ["--api", "--async", "--cwd", folder, `--callbacks=${Object.keys(files).join(",")}`];
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("spawn", () => resolve(new TypeScriptPipe(child, files)));
    });
  }

  /** Asks; rejects with the service's own words where it cannot answer. */
  apiRequest(method: string, params: unknown): Promise<unknown> {
    return this.#ask({ method, params }, false);
  }

  /** Asks for a tree in bytes; `undefined` where there is none. */
  async apiRequestBinary(method: string, params: unknown): Promise<Uint8Array | undefined> {
    const answer = (await this.#ask({ method, params }, true)) as { readonly data: string | Buffer } | null;
    const data = answer?.data;
    return typeof data === "string" ? Buffer.from(data, "base64") : data;
  }

  #ask(question: { readonly method: string; readonly params: unknown }, isForBytes: boolean): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#asked.set(id, { resolve, reject, isForBytes });
      this.#send({ id, ...question });
    });
  }

  /** How the time is spent is not kept. */
  getTimingCollector(): undefined {
    return undefined;
  }

  async close(): Promise<void> {
    this.process.stdin?.end();
  }

  #send(message: object): void {
    if (this.#unsent.length === 0) {
      setImmediate(() => {
        const all = Buffer.concat(this.#unsent);
        this.#unsent = [];
        if (this.process.stdin?.writable) this.process.stdin.write(all);
      });
    }
    this.#unsent.push(messageOf(JSON.stringify({ jsonrpc: "2.0", ...message })));
  }

  #take(body: Buffer): void {
    const bytes = tryBytesIn(body);
    if (bytes !== undefined && this.#asked.get(bytes.id)?.isForBytes === true) {
      this.#asked.get(bytes.id)!.resolve({ data: bytes.bytes });
      this.#asked.delete(bytes.id);
      return;
    }
    const message = JSON.parse(body.toString("utf8")) as Message;
    if (message.method !== undefined) {
      this.#answer(message);
      return;
    }
    const question = this.#asked.get(message.id as number);
    this.#asked.delete(message.id as number);
    if (message.error === undefined) question?.resolve(message.result ?? null);
    else question?.reject(new Error(message.error.message));
  }

  #answer({ id, method, params }: Message): void {
    try {
      this.#send({ id, result: this.#files[method!]!(params as string) ?? null });
    } catch (cause) {
      this.#send({ id, error: { code: internalError, message: String(cause) } });
    }
  }
}

interface Question {
  /** Whether it asks for a tree in bytes. */
  readonly isForBytes: boolean;
  resolve(answer: unknown): void;
  reject(cause: Error): void;
}

/** A question or an answer, as JSON-RPC has them. */
interface Message {
  readonly id: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

const internalError = -32603;
