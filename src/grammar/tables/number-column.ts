/** The numbers in a chunk. */
const chunkBits = 14;
const chunkLength = 2 ** chunkBits;

/** The initial length of the first chunk: many columns hold few numbers. */
const firstLength = 16;

/**
 * Whole numbers of 32 bits by index, 0 where none is set.
 *
 * They are kept in chunks, so that a column of millions of numbers grows without being copied.
 */
export class NumberColumn {
  readonly #chunks: (Int32Array | undefined)[] = [];

  /** The number at an index from 0. */
  get(index: number): number {
    const chunk = this.#chunks[index >>> chunkBits];
    return chunk?.[index & (chunkLength - 1)] ?? 0;
  }

  /** Sets the number at an index from 0. */
  set(index: number, value: number): void {
    const at = index & (chunkLength - 1);
    const chunk = this.#chunks[index >>> chunkBits];
    if (chunk !== undefined && at < chunk.length) chunk[at] = value;
    else this.#grow(index >>> chunkBits, at)[at] = value;
  }

  /** Chunk `number`, with room for the index `at` in it. */
  #grow(number: number, at: number): Int32Array {
    const old = this.#chunks[number];
    let length = number === 0 ? firstLength : chunkLength;
    while (length <= at) length *= 2;
    const chunk = new Int32Array(length);
    if (old !== undefined) chunk.set(old);
    this.#chunks[number] = chunk;
    return chunk;
  }
}
