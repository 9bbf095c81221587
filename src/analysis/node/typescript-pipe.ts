import type { ChildProcess } from "node:child_process";
import { errorMessage } from "../../text/index.ts";
import { spawnOwned } from "../../workspace/node/index.ts";
import { type CheckerExcess, type CheckerLimits, CheckerWatch } from "./watch-checker.ts";

/**
 * The callbacks with which the service reads files, by the service's names for them; the disk is
 * used for a result of `undefined`.
 */
export type FileCallbacks = Readonly<Record<string, (path: string) => unknown>>;

/** Why a {@link TypeScriptPipe} has ended. */
export type TypeScriptEnd =
  | CheckerExcess
  /** Its output was no valid message. */
  | { readonly kind: "unreadable"; readonly message: string }
  /** The process exited; `complaint` is the first line of its standard error. */
  | { readonly kind: "exited"; readonly how: number | NodeJS.Signals | null; readonly complaint: string };

/** The options of {@link TypeScriptPipe.open}. */
export interface TypeScriptPipeOptions {
  readonly program: string;
  /** The absolute working folder. */
  readonly folder: string;
  readonly files: FileCallbacks;
  readonly limits: CheckerLimits;
  /** Called once when the pipe has ended; the owner then ends the process. */
  onEnd(end: TypeScriptEnd): void;
}

/**
 * The connection to TypeScript's service. It replaces the client that TypeScript contains, which
 * does not let its process be ended or limited in memory, and takes 7 % more processor time.
 *
 * Requests of one turn of the event loop are written together, and responses of bytes are not
 * parsed as JSON. Requests that are in flight when the process ends never settle.
 */
export class TypeScriptPipe {
  readonly process: ChildProcess;
  readonly #files: FileCallbacks;
  readonly #watch: CheckerWatch;
  readonly #onEnd: (end: TypeScriptEnd) => void;
  #isOver = false;
  readonly #inFlight = new Map<number, PendingRequest>();
  #lastId = 0;
  #unsent: Buffer[] = [];

  private constructor(process: ChildProcess, { files, limits, onEnd }: TypeScriptPipeOptions) {
    this.process = process;
    this.#files = files;
    this.#onEnd = onEnd;
    this.#watch = new CheckerWatch({
      ...{ processId: process.pid!, limits },
      onExcess: (excess) => this.#end(excess),
    });
    const reader = new MessageReader((body) => this.#take(body));
    process.stdout!.on("data", (piece: Buffer) => this.#read(reader, piece));
    // Writing to an ended process fails; `onEnd` reports that it has ended.
    process.stdin!.on("error", () => undefined);
    // After a crash the program prints its whole state; the first line gives the reason.
    let complaint = "";
    process.stderr!.setEncoding("utf8").on("data", (text: string) => {
      if (complaint.length < maxComplaint) complaint += text.slice(0, maxComplaint);
    });
    process.once("exit", (code, signal) => {
      const [line = ""] = complaint.trim().split("\n");
      const { maxMemoryMb } = limits;
      if (outOfMemory.test(complaint)) this.#end({ kind: "memory", maxMemoryMb });
      else this.#end({ kind: "exited", how: signal ?? code, complaint: line });
    });
  }

  /** Starts the program. Rejects with Node's error when it cannot be started. */
  static open(options: TypeScriptPipeOptions): Promise<TypeScriptPipe> {
    const { program, folder, files, limits } = options;
    const args = ["--api", "--async", "--cwd", folder, `--callbacks=${Object.keys(files).join(",")}`];
    const child = spawnOwned(program, args, {
      // Near its limit Go's garbage collector works harder, and the kernel enforces a limit while
      // this process is busy.
      environment: { ...process.env, GOMEMLIMIT: `${Math.ceil(limits.maxMemoryMb * softShare)}MiB` },
      maxDataMb: limits.maxMemoryMb * kernelShare,
    });
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("spawn", () => resolve(new TypeScriptPipe(child, options)));
    });
  }

  /**
   * Sends a request. Rejects with an error that has the service's message when the service fails;
   * never settles when the process ends.
   */
  apiRequest(method: string, params: unknown): Promise<unknown> {
    return this.#request({ method, params }, false);
  }

  /**
   * Requests a tree in its binary encoding; `undefined` when there is none. Rejects as {@link
   * apiRequest} does.
   */
  async apiRequestBinary(method: string, params: unknown): Promise<Uint8Array | undefined> {
    const answer = (await this.#request({ method, params }, true)) as { readonly data: string | Buffer } | null;
    const data = answer?.data;
    return typeof data === "string" ? Buffer.from(data, "base64") : data;
  }

  #request(request: { readonly method: string; readonly params: unknown }, isForBytes: boolean): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      if (this.#inFlight.size === 0) this.#watch.busy();
      this.#inFlight.set(id, { resolve, reject, isForBytes });
      this.#send({ id, ...request });
    });
  }

  /** The share of its memory limit that the process had when it was measured last, from 0. */
  get memoryShare(): number {
    return this.#watch.memoryShare;
  }

  /** Timings are not collected; the client's interface requires the method. */
  getTimingCollector(): undefined {
    return undefined;
  }

  /** Ends the input of the process, which then exits by itself. */
  async close(): Promise<void> {
    this.process.stdin?.end();
  }

  #end(end: TypeScriptEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#watch[Symbol.dispose]();
    this.#onEnd(end);
  }

  #read(reader: MessageReader, piece: Buffer): void {
    try {
      reader.push(piece);
    } catch (cause) {
      this.process.stdout!.removeAllListeners("data").resume();
      this.#end({ kind: "unreadable", message: errorMessage(cause) });
      return;
    }
    if (this.#inFlight.size === 0) this.#watch.idle();
    else this.#watch.busy();
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
    if (bytes !== undefined && this.#inFlight.get(bytes.id)?.isForBytes === true) {
      this.#inFlight.get(bytes.id)!.resolve({ data: bytes.bytes });
      this.#inFlight.delete(bytes.id);
      return;
    }
    const message = JSON.parse(body.toString("utf8")) as Message;
    if (message.method !== undefined) {
      this.#answer(message);
      return;
    }
    const request = this.#inFlight.get(message.id as number);
    this.#inFlight.delete(message.id as number);
    if (message.error === undefined) request?.resolve(message.result ?? null);
    else request?.reject(new Error(message.error.message));
  }

  #answer({ id, method, params }: Message): void {
    try {
      this.#send({ id, result: this.#files[method!]!(params as string) ?? null });
    } catch (cause) {
      this.#send({ id, error: { code: internalError, message: errorMessage(cause) } });
    }
  }
}

interface PendingRequest {
  /** Whether the response is a tree in its binary encoding. */
  readonly isForBytes: boolean;
  resolve(answer: unknown): void;
  reject(cause: Error): void;
}

/** A request or response of JSON-RPC. */
interface Message {
  readonly id: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

const internalError = -32603;

/** How much of the program's standard error is kept, in UTF-16 units. */
const maxComplaint = 4_000;

/** What Go's runtime prints when the kernel refuses memory. */
const outOfMemory = /out of memory|cannot allocate memory/;

/**
 * The shares of the memory limit at which the garbage collector works harder and at which the
 * kernel refuses memory.
 */
const softShare = 0.8;
const kernelShare = 1.5;

/**
 * Splits the bytes of a pipe into messages. Each has a header with its length, an empty line, and
 * that many bytes of JSON.
 *
 * Source: the base protocol of the Language Server Protocol, which TypeScript's service uses.
 */
export class MessageReader {
  readonly #onMessage: (body: Buffer) => void;
  /**
   * The bytes of an incomplete message, and the number of bytes that are needed before the next
   * attempt to parse it.
   */
  #pieces: Buffer[] = [];
  #length = 0;
  #needed = 0;

  constructor(onMessage: (body: Buffer) => void) {
    this.#onMessage = onMessage;
  }

  /**
   * Adds the next bytes of the pipe, and passes the body of each message that is complete to the
   * callback, in order. Bodies are views of these bytes, so they must not be changed. Throws an
   * `Error` when a header is invalid.
   */
  push(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length < this.#needed) return;
    const bytes = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces, this.#length);
    let at = 0;
    for (;;) {
      const headEnd = bytes.indexOf(emptyLine, at);
      const start = headEnd < 0 ? bytes.length : headEnd + emptyLine.length;
      const end = headEnd < 0 ? start + 1 : start + lengthIn(bytes.toString("latin1", at, headEnd));
      if (end > bytes.length) {
        this.#pieces = [bytes.subarray(at)];
        this.#length = bytes.length - at;
        this.#needed = end - at;
        return;
      }
      this.#onMessage(bytes.subarray(start, end));
      at = end;
    }
  }
}

/** The bytes of a message with its header. */
export function messageOf(json: string): Buffer {
  const length = Buffer.byteLength(json, "utf8");
  return Buffer.from(`Content-Length: ${length}${emptyLine}${json}`, "utf8");
}

/**
 * Decodes a response that contains bytes only, without parsing its JSON: such responses are most of
 * the traffic. Returns `undefined` for any other message.
 */
export function tryBytesIn(body: Buffer): { readonly id: number; readonly bytes: Buffer } | undefined {
  const end = body.length - bytesEnd.length;
  // Few responses end in a string, so that the header is rarely decoded.
  if (body[end] !== quote || body.toString("latin1", end) !== bytesEnd) return undefined;
  const head = bytesHead.exec(body.toString("latin1", 0, longestHead));
  if (head === null) return undefined;
  // Base64 has no quotes; another quote means that the response has other fields.
  if (body.indexOf('"', head[0].length) !== end) return undefined;
  return { id: Number(head[1]), bytes: Buffer.from(body.toString("latin1", head[0].length, end), "base64") };
}

const bytesHead = /^\{"jsonrpc":"2\.0","id":(\d+),"result":\{"data":"/;
const longestHead = 80;
const bytesEnd = '"}}';
const quote = 0x22;

const emptyLine = "\r\n\r\n";

function lengthIn(head: string): number {
  const length = /Content-Length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`The service sent "${head.slice(0, 80)}", not a message.`);
  return Number(length);
}
