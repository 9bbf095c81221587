import { readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { EmendError, getOrInsert } from "../../text/index.ts";
import type { TableBytes } from "../builtin/table-memory.ts";

/**
 * Bytes of a page: what is read at a time, and has a checksum. A request of the built-in model
 * reads some hundred places of about 100 bytes.
 */
export const pageBytes = 16_384;

/** How many pages a table of `length` bytes has. */
export function pagesOf(length: number): number {
  return Math.ceil(length / pageBytes);
}

/** The CRC-32 of each page of `bytes`, which begin with a page. */
export function checksumsOf(bytes: Uint8Array): Uint32Array {
  return Uint32Array.from({ length: pagesOf(bytes.length) }, (_, page) =>
    crc32(bytes.subarray(page * pageBytes, (page + 1) * pageBytes)),
  );
}

/** Whether `bytes` are those of the checksums from the number `first` on. */
export function fitChecksums(bytes: Uint8Array, checksums: Uint32Array, first = 0): boolean {
  return checksumsOf(bytes).every((checksum, i) => checksum === checksums[first + i]);
}

/** Where a {@link PagedTable} lies. */
export interface PagedTablePlace {
  /** The open file, and where the table begins in it. */
  readonly descriptor: number;
  readonly at: number;
  readonly length: number;
  /** See {@link checksumsOf}. */
  readonly checksums: Uint32Array;
}

/** A table on the disk. The pages that slices lie in are kept in memory. */
export class PagedTable implements TableBytes {
  readonly length: number;
  readonly #place: PagedTablePlace;
  readonly #pages = new Map<number, Uint8Array>();

  constructor(place: PagedTablePlace) {
    this.length = place.length;
    this.#place = place;
  }

  /**
   * The bytes from `start` to `end`. Throws an {@link EmendError} with the code `snapshot-broken`
   * when they cannot be read, or are not those that were written.
   */
  slice(start: number, end: number): Uint8Array {
    const first = Math.floor(start / pageBytes);
    const from = first * pageBytes;
    if (end <= from + pageBytes) {
      const page = getOrInsert(this.#pages, first, () => this.#read(first, first + 1));
      return page.subarray(start - from, end - from);
    }
    return this.#read(first, pagesOf(end)).subarray(start - from, end - from);
  }

  /** Reads pages, without the one with the number `end`. */
  #read(first: number, end: number): Uint8Array {
    const { descriptor, at, length, checksums } = this.#place;
    const from = first * pageBytes;
    const bytes = new Uint8Array(Math.min(length, end * pageBytes) - from);
    for (let filled = 0; filled < bytes.length; ) {
      const read = readSync(descriptor, bytes, filled, bytes.length - filled, at + from + filled);
      if (read === 0) throw broken();
      filled += read;
    }
    if (!fitChecksums(bytes, checksums, first)) throw broken();
    return bytes;
  }
}

function broken(): EmendError {
  return new EmendError(
    "snapshot-broken",
    "The file of the index has changed since it was opened. Run the command again",
  );
}
