import { constants, inflateRawSync } from "node:zlib";
import { EmendError } from "../../text/index.ts";
import type { TableBytes } from "../builtin/table-memory.ts";

/**
 * Bytes of a part, in memory. Parts of 64 kB take a tenth less of the disk, and half as long again.
 */
export const tablePartBytes = 16_384;

/** A table that is stored as parts which are deflated each by itself. Keeps nothing in memory. */
export class DeflatedTable implements TableBytes {
  readonly length: number;
  readonly partBytes = tablePartBytes;
  readonly #stored: TableBytes;
  /** Where each part begins in the stored bytes, and where the last one ends. */
  readonly #bounds: Float64Array;

  /** `parts` are the bytes that are stored of each {@link tablePartBytes} of the table. */
  constructor(stored: TableBytes, length: number, parts: readonly number[]) {
    this.length = length;
    this.#stored = stored;
    this.#bounds = new Float64Array(parts.length + 1);
    for (let i = 0; i < parts.length; i++) this.#bounds[i + 1] = this.#bounds[i]! + parts[i]!;
  }

  /**
   * The bytes from `start` to `end`. Throws an {@link EmendError} with the code `snapshot-broken`
   * when they cannot be read, or are not those that were written.
   */
  slice(start: number, end: number): Uint8Array {
    const first = Math.floor(start / tablePartBytes);
    const from = first * tablePartBytes;
    if (end > from && end <= from + tablePartBytes) return this.#part(first).subarray(start - from, end - from);
    const bytes = new Uint8Array(Math.max(0, end - start));
    for (let part = first; part * tablePartBytes < end; part++) {
      const at = part * tablePartBytes - start;
      bytes.set(this.#part(part).subarray(Math.max(0, -at), end - start - at), Math.max(0, at));
    }
    return bytes;
  }

  #part(part: number): Uint8Array {
    const size = Math.min(tablePartBytes, this.length - part * tablePartBytes);
    const stored = this.#stored.slice(this.#bounds[part]!, this.#bounds[part + 1]!);
    try {
      const options = { chunkSize: Math.max(64, size), maxOutputLength: size, finishFlush: constants.Z_SYNC_FLUSH };
      const bytes = inflateRawSync(stored, options);
      if (bytes.length === size) return bytes;
    } catch {
      // The bytes are no such stream.
    }
    throw new EmendError("snapshot-broken", "A table of the index cannot be inflated. Run the command again");
  }
}
