import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";

/**
 * The bytes of the regular file at `path`; links are followed. It never waits for a pipe or a
 * terminal. The kind is checked on the opened file, so that the file cannot be replaced between the
 * check and the reading.
 *
 * Rejects with the system's own errors, `EISDIR` for a folder; with the code `ERR_SPECIAL_FILE` for
 * a pipe or device, and with `ERR_TOO_LARGE` for more than `maxBytes` bytes (default: 2 GB), also
 * when the file grows meanwhile. A socket, or a device that does not exist, cannot be opened: the
 * code is then the system's own, on Linux `ENXIO`.
 */
export async function readRegularFile(
  path: string,
  { maxBytes = maxReadBytes }: { readonly maxBytes?: number } = {},
): Promise<Buffer> {
  const handle = await open(path, readFlags);
  try {
    const content = new Content(path, await handle.stat(), maxBytes);
    while (!content.isWhole) {
      const { buffer, length } = content;
      content.add((await handle.read(buffer, length, buffer.length - length, null)).bytesRead);
    }
    return content.bytes;
  } finally {
    await handle.close();
  }
}

/** As {@link readRegularFile}, but blocks the thread. */
export function readRegularFileSync(
  path: string,
  { maxBytes = maxReadBytes }: { readonly maxBytes?: number } = {},
): Buffer {
  const file = openSync(path, readFlags);
  try {
    const content = new Content(path, fstatSync(file), maxBytes);
    while (!content.isWhole) {
      const { buffer, length } = content;
      content.add(readSync(file, buffer, length, buffer.length - length, null));
    }
    return content.bytes;
  } finally {
    closeSync(file);
  }
}

/** In bytes: that of Node's `readFile`. */
const maxReadBytes = 2 ** 31 - 1;

const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** The bytes of a file while it is read. */
class Content {
  /**
   * One byte more than the file's size, to see its end; files of the system, as in `/proc`, report
   * a size of 0.
   */
  buffer: Buffer;
  length = 0;
  isWhole = false;

  readonly #path: string;
  readonly #size: number;
  readonly #maxBytes: number;

  /** Checks the opened file, which must be regular and not too large. */
  constructor(path: string, found: Stats, maxBytes: number) {
    if (found.isDirectory()) throw failure("EISDIR", `${path} is a folder`);
    if (!found.isFile()) throw failure("ERR_SPECIAL_FILE", `${path} is a pipe, a socket or a device`);
    this.#path = path;
    this.#size = found.size;
    this.#maxBytes = maxBytes;
    this.#checkLength(found.size);
    this.buffer = Buffer.allocUnsafe(Math.max(found.size + 1, smallestRead));
  }

  /** The bytes that were read so far. */
  get bytes(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  /** Counts bytes that were read into the buffer behind the others. */
  add(count: number): void {
    this.length += count;
    this.#checkLength(this.length);
    // There was room for one more byte, so the file ends here.
    this.isWhole = count === 0 || (this.#size > 0 && this.length === this.#size);
    if (this.length === this.buffer.length) this.buffer = Buffer.concat([this.buffer], 2 * this.length);
  }

  #checkLength(length: number): void {
    if (length > this.#maxBytes) throw failure("ERR_TOO_LARGE", `${this.#path} has more than ${this.#maxBytes} bytes`);
  }
}

/** In bytes. */
const smallestRead = 1024;

function failure(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code });
}
