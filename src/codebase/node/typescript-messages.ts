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
   * Adds the next bytes of the pipe. Bodies of messages are views of these bytes, so they must not
   * be changed. Throws when a header is invalid.
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
