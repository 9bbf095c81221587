/**
 * Cuts what comes through a pipe into messages: each is a head that tells its length, an empty line, and JSON of so many bytes.
 *
 * Source: the base protocol of the Language Server Protocol, which TypeScript's service speaks.
 */
export class MessageReader {
  readonly #onMessage: (body: Buffer) => void;
  /** What has come of a message that is not whole yet, and how much there must be before it is worth looking again. */
  #pieces: Buffer[] = [];
  #length = 0;
  #needed = 0;

  constructor(onMessage: (body: Buffer) => void) {
    this.#onMessage = onMessage;
  }

  /** Takes the next piece of the pipe. The bodies of messages are parts of it, and never written to again. */
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

/** A message, with its head. */
export function messageOf(json: string): Buffer {
  const length = Buffer.byteLength(json, "utf8");
  return Buffer.from(`Content-Length: ${length}${emptyLine}${json}`, "utf8");
}

/**
 * Reads the answer to a question for bytes where it lies: they are most of what is sent, and no text that would have to be made first.
 * `undefined` where a message is none, or says more than that.
 */
export function tryBytesIn(body: Buffer): { readonly id: number; readonly bytes: Buffer } | undefined {
  const end = body.length - bytesEnd.length;
  // Few answers end in a text, so that the look at the head is rare.
  if (body[end] !== quote || body.toString("latin1", end) !== bytesEnd) return undefined;
  const head = bytesHead.exec(body.toString("latin1", 0, longestHead));
  if (head === null) return undefined;
  // Base64 has no quotes: where there is one, more is said.
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
