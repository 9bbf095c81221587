import { AbstractMessageReader, type DataCallback, type Disposable, type Message } from "vscode-languageserver";
import { errorMessage } from "../text/index.ts";

/** A stream of bytes that contains messages: standard input, or a socket. */
export interface ByteStream {
  on(event: "data", listener: (bytes: Uint8Array) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "end" | "close", listener: () => void): unknown;
  off(event: "data", listener: (bytes: Uint8Array) => void): unknown;
}

/** The header of a message cannot be read, so that the start of the next message is unknown. */
export class FramingError extends Error {}

/**
 * Reads messages of the Language Server Protocol: header lines, an empty line, and `Content-Length`
 * bytes of JSON.
 *
 * An unreadable header ends the connection with a {@link FramingError}, since the start of the next
 * message is unknown. A body that is not JSON in UTF-8 is skipped: `onUnreadable` is called with
 * the reason, and reading continues with the next message.
 */
export class FramedMessageReader extends AbstractMessageReader {
  readonly #stream: ByteStream;
  readonly #onUnreadable: (detail: string) => void;
  #pieces: Uint8Array[] = [];
  #length = 0;
  /** How many bytes must have arrived before the next attempt to read a message. */
  #needed = 1;
  #isClosed = false;

  constructor(stream: ByteStream, onUnreadable: (detail: string) => void) {
    super();
    this.#stream = stream;
    this.#onUnreadable = onUnreadable;
  }

  listen(callback: DataCallback): Disposable {
    const listener = (bytes: Uint8Array) => this.#receive(bytes, callback);
    this.#stream.on("data", listener);
    this.#stream.on("error", (error) => this.#fail(error));
    this.#stream.on("end", () => this.#close());
    this.#stream.on("close", () => this.#close());
    return { dispose: () => void this.#stream.off("data", listener) };
  }

  #receive(piece: Uint8Array, callback: DataCallback): void {
    if (this.#isClosed) return;
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length < this.#needed) return;
    let bytes = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces, this.#length);
    try {
      for (;;) {
        const head = readHead(bytes);
        if (head === undefined || bytes.length < head.end + head.contentLength) {
          this.#pieces = bytes.length === 0 ? [] : [bytes];
          this.#length = bytes.length;
          this.#needed = head === undefined ? bytes.length + 1 : head.end + head.contentLength;
          return;
        }
        const next = head.end + head.contentLength;
        this.#deliver(bytes.subarray(head.end, next), callback);
        bytes = bytes.subarray(next);
      }
    } catch (error) {
      if (!(error instanceof FramingError)) throw error;
      this.#fail(error);
    }
  }

  #deliver(body: Uint8Array, callback: DataCallback): void {
    let message: Message;
    try {
      message = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as Message;
    } catch (cause) {
      this.#onUnreadable(errorMessage(cause));
      return;
    }
    callback(message);
  }

  #fail(error: Error): void {
    if (this.#isClosed) return;
    this.fireError(error);
    this.#close();
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#pieces = [];
    this.fireClose();
  }
}

interface MessageHead {
  /** The offset at which the body begins, in bytes. */
  readonly end: number;
  /** In bytes. */
  readonly contentLength: number;
}

/**
 * Reads the header at the beginning of `bytes`; `undefined` while it is incomplete. Throws a {@link
 * FramingError} when it is malformed or too long.
 */
function readHead(bytes: Uint8Array): MessageHead | undefined {
  let contentLength: number | undefined;
  for (let start = 0; ; ) {
    const lineFeed = bytes.subarray(0, maxHeadBytes).indexOf(lf, start);
    if (lineFeed < 0) {
      if (bytes.length >= maxHeadBytes) throw new FramingError(`a header of more than ${maxHeadBytes} bytes`);
      return undefined;
    }
    const line = Buffer.from(bytes.buffer, bytes.byteOffset + start, lineFeed - start).toString("latin1");
    if (!line.endsWith("\r")) throw new FramingError(`the header line ${quoted(line)}, which does not end with CRLF`);
    start = lineFeed + 1;
    if (line === "\r") {
      if (contentLength === undefined) throw new FramingError("a header without Content-Length");
      return { end: start, contentLength };
    }
    const parsedLength = contentLengthIn(line.slice(0, -1));
    if (parsedLength === undefined) continue;
    if (contentLength !== undefined && contentLength !== parsedLength)
      throw new FramingError(`a header with Content-Length ${contentLength} and ${parsedLength}`);
    contentLength = parsedLength;
  }
}

/**
 * The length of the body from a `Content-Length` line; `undefined` for other header lines. Throws a
 * {@link FramingError} when the line is malformed, the charset is not UTF-8, or the length exceeds
 * {@link maxBodyBytes}.
 */
function contentLengthIn(line: string): number | undefined {
  const [, name, rest = ""] = /^([!#$%&'*+\-.^_`|~\w]+):(.*)$/.exec(line) ?? [];
  const value = rest.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, "");
  if (name === undefined) throw new FramingError(`the header line ${quoted(line)}`);
  if (name.toLowerCase() === "content-type" && /charset/i.test(value) && !/charset="?utf-?8"?$/i.test(value))
    throw new FramingError(`the header line ${quoted(line)}: only UTF-8 is read`);
  if (name.toLowerCase() !== "content-length") return undefined;
  if (!/^\d+$/.test(value))
    throw new FramingError(`the Content-Length ${quoted(value)}, which is not a number of bytes`);
  const length = Number(value);
  if (length <= maxBodyBytes) return length;
  throw new FramingError(`the Content-Length ${value}, which is more than ${maxBodyBytes} bytes`);
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

const lf = 0x0a;

/** The longest header: editors send two short lines. */
const maxHeadBytes = 8_192;

/** The longest message: Node's longest string has about twice as many characters. */
const maxBodyBytes = 256 * 2 ** 20;
