import { candidateFeatures, maxCandidates, placeFeatures } from "../../src/model/builtin/evidence.ts";

/** The evidence at one place, as the mixer reads it. */
export interface RowEvidence {
  /** How many candidates there are. */
  readonly count: number;
  /** {@link candidateFeatures} numbers a candidate. */
  readonly features: Float32Array;
  /** {@link placeFeatures} numbers. */
  readonly place: Float32Array;
}

/** Numbers of one piece of the buffer. No row is longer. */
const pieceSize = Math.max(1 << 18, (maxCandidates + 1) * (candidateFeatures + 1) + placeFeatures + 1);

interface Piece {
  readonly indexes: Uint16Array;
  readonly values: Float32Array;
}

/**
 * Many rows of evidence, each with the candidate that was right; zeros take no room.
 *
 * A row is a list of sparse vectors, that of the place and then those of the candidates. A vector
 * is its length, which is among the indexes, and then its numbers with their indexes. A row
 * lies within one piece.
 */
export class Rows {
  readonly #pieces: Piece[] = [];
  #used = pieceSize;
  readonly #starts: number[] = [];
  readonly #counts: number[] = [];
  readonly #truths: number[] = [];

  /** How many rows there are. */
  get length(): number {
    return this.#starts.length;
  }

  /** Bytes that the rows take. */
  get byteLength(): number {
    return this.#pieces.length * pieceSize * 6;
  }

  /**
   * Adds a copy of `evidence`; `truth` is the index of the right candidate, or the number of
   * candidates for none.
   */
  push({ count, features, place }: RowEvidence, truth: number): void {
    const longest = count * (candidateFeatures + 1) + placeFeatures + 1;
    if (this.#used + longest > pieceSize) {
      this.#pieces.push({ indexes: new Uint16Array(pieceSize), values: new Float32Array(pieceSize) });
      this.#used = 0;
    }
    this.#starts.push((this.#pieces.length - 1) * pieceSize + this.#used);
    this.#counts.push(count);
    this.#truths.push(truth);
    this.#pushVector(place, 0, placeFeatures);
    for (let i = 0; i < count; i++) this.#pushVector(features, i * candidateFeatures, candidateFeatures);
  }

  /**
   * Writes the row at `index` into `into`, and returns how many candidates it has and which is
   * right.
   */
  read(
    index: number,
    into: Pick<RowEvidence, "features" | "place">,
  ): { readonly count: number; readonly truth: number } {
    const start = this.#starts[index]!;
    const count = this.#counts[index]!;
    const piece = this.#pieces[Math.floor(start / pieceSize)]!;
    into.place.fill(0);
    into.features.fill(0, 0, count * candidateFeatures);
    let at = readVector(piece, start % pieceSize, into.place, 0);
    for (let i = 0; i < count; i++) at = readVector(piece, at, into.features, i * candidateFeatures);
    return { count, truth: this.#truths[index]! };
  }

  #pushVector(numbers: Float32Array, from: number, size: number): void {
    const { indexes, values } = this.#pieces.at(-1)!;
    const head = this.#used++;
    for (let i = 0; i < size; i++) {
      const value = numbers[from + i]!;
      if (value === 0) continue;
      indexes[this.#used] = i;
      values[this.#used++] = value;
    }
    indexes[head] = this.#used - head - 1;
  }
}

function readVector({ indexes, values }: Piece, at: number, into: Float32Array, base: number): number {
  const end = at + 1 + indexes[at]!;
  for (let i = at + 1; i < end; i++) into[base + indexes[i]!] = values[i]!;
  return end;
}

/** Room for one row. */
export function emptyRow(): Pick<RowEvidence, "features" | "place"> {
  return { features: new Float32Array(maxCandidates * candidateFeatures), place: new Float32Array(placeFeatures) };
}
