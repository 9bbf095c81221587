import { EmendError } from "../../text/index.ts";

/**
 * The first bytes of a packed grammar: the letters `emg`, and the version of the format. Any change
 * of the format needs a new version.
 */
export const packedHeader: readonly number[] = [0x65, 0x6d, 0x67, 2];

/**
 * Writes values as bytes. Numbers are whole, not negative, of up to 32 bits; small ones take few
 * bytes.
 */
export class PackedWriter {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;

  /** The bytes that were written. */
  get bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  /** Writes the lowest 8 bits of `value`. */
  byte(value: number): void {
    if (this.#length === this.#bytes.length) {
      const grown = new Uint8Array(this.#length * 2);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes[this.#length] = value;
    this.#length++;
  }

  /** Writes a number in groups of 7 bits, lowest first. */
  number(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) this.byte((rest & 0x7f) | 0x80);
    this.byte(rest);
  }

  /** The count of the values, then each value. */
  numbers(values: ArrayLike<number>): void {
    this.number(values.length);
    for (let i = 0; i < values.length; i++) this.number(values[i]!);
  }

  /** The count of its bytes in UTF-8, then the bytes. */
  text(text: string): void {
    this.numbers(new TextEncoder().encode(text));
  }

  /** The count of the items, then each item by `write`. */
  list<T>(items: readonly T[], write: (item: T) => void): void {
    this.number(items.length);
    for (const item of items) write(item);
  }

  /** 1 and the value, or 0 where there is none. */
  optional<T>(value: T | undefined, write: (value: T) => void): void {
    this.number(value === undefined ? 0 : 1);
    if (value !== undefined) write(value);
  }

  /** A table of rows: the distinct rows, as runs of equal values, then the index of each row. */
  rows(table: ArrayLike<number>, width: number): void {
    const numberOf = new Map<string, number>();
    const distinct: (readonly number[])[] = [];
    const order: number[] = [];
    for (let at = 0; at < table.length; at += width) {
      const runs: number[] = [];
      for (let i = at; i < at + width; ) {
        const start = i;
        while (i < at + width && table[i] === table[start]) i++;
        runs.push(table[start]!, i - start);
      }
      const key = runs.join();
      let number = numberOf.get(key);
      if (number === undefined) {
        number = distinct.push(runs) - 1;
        numberOf.set(key, number);
      }
      order.push(number);
    }
    this.list(distinct, (runs) => {
      for (const value of runs) this.number(value);
    });
    this.numbers(order);
  }
}

/**
 * Reads what `PackedWriter` wrote. Throws `EmendError` `grammar-cut` where the bytes end too early.
 */
export class PackedReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The next byte. Throws {@link EmendError} with code "grammar-cut" where there is none. */
  byte(): number {
    const value = this.#bytes[this.#at];
    if (value === undefined) throw new EmendError("grammar-cut", "The packed grammar ends too early; pack it again.");
    this.#at++;
    return value;
  }

  /** The next number, of up to 32 bits. Throws as {@link byte} does. */
  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  /**
   * Reads a count and that many numbers into an array that `create` makes, such as
   * `(length) => new Uint16Array(length)`. Throws {@link EmendError} with code "grammar-cut" where
   * fewer bytes are left.
   */
  numbers<T extends Uint8Array | Uint16Array | Uint32Array>(create: (length: number) => T): T {
    const values = create(this.#count());
    for (let i = 0; i < values.length; i++) values[i] = this.number();
    return values;
  }

  /** Reads a text, which is stored in UTF-8. Throws as {@link numbers} does. */
  text(): string {
    return new TextDecoder(undefined, { ignoreBOM: true }).decode(this.numbers((length) => new Uint8Array(length)));
  }

  /** Reads a count, and each item by `read`. Throws as {@link numbers} does. */
  list<T>(read: () => T): T[] {
    return Array.from({ length: this.#count() }, read);
  }

  /** Reads a value by `read`; `undefined` where none was written. Throws as {@link byte} does. */
  optional<T>(read: () => T): T | undefined {
    return this.number() === 0 ? undefined : read();
  }

  /** Reads a table whose rows have `width` values. Throws as {@link numbers} does. */
  rows(width: number): Uint16Array {
    const distinct = this.list(() => {
      const row = new Uint16Array(width);
      for (let i = 0; i < width; ) {
        const value = this.number();
        const end = i + this.number();
        row.fill(value, i, end);
        i = end;
      }
      return row;
    });
    const order = this.numbers((length) => new Uint16Array(length));
    const table = new Uint16Array(order.length * width);
    for (let i = 0; i < order.length; i++) table.set(distinct[order[i]!]!, i * width);
    return table;
  }

  /**
   * Reads a count of items of at least one byte each. Throws {@link EmendError} with code
   * "grammar-cut" where fewer bytes are left, so that damaged bytes cannot allocate more than the
   * input can contain.
   */
  #count(): number {
    const count = this.number();
    if (count <= this.#bytes.length - this.#at) return count;
    throw new EmendError("grammar-cut", "The packed grammar ends too early; pack it again.");
  }
}

/**
 * A checksum of the bytes: an unsigned number of 32 bits. Source: FNV-1a, Fowler, Noll and Vo 1991.
 */
export function checksumOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return hash >>> 0;
}
