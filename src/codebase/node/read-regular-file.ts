import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** The default limit in bytes, which is that of Node's `readFile`. */
const maxReadBytes = 2 ** 31 - 1;

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
  const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;
  const handle = await open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  try {
    const found = await handle.stat();
    if (found.isDirectory()) throw failure("EISDIR", `${path} is a folder`);
    if (!found.isFile()) throw failure("ERR_SPECIAL_FILE", `${path} is a pipe, a socket or a device`);
    const tooLarge = () => failure("ERR_TOO_LARGE", `${path} has more than ${maxBytes} bytes`);
    if (found.size > maxBytes) throw tooLarge();
    // One byte more than its size, to see the end; files of the system, as in `/proc`, report a
    // size of 0.
    let buffer = Buffer.allocUnsafe(Math.max(found.size + 1, smallestRead));
    for (let length = 0; ; ) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
      length += bytesRead;
      if (length > maxBytes) throw tooLarge();
      if (bytesRead === 0) return buffer.subarray(0, length);
      if (length === buffer.length) buffer = Buffer.concat([buffer], 2 * length);
    }
  } finally {
    await handle.close();
  }
}

/** In bytes. */
const smallestRead = 1024;

function failure(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code });
}
