import { readFileSync, writeFileSync } from "node:fs";
import { mixerWeights } from "../../src/model/builtin/mixer.ts";
import { EmendError } from "../../src/text/errors.ts";

/** Reads a mixer's weights from a file of raw 32-bit floats, little-endian. Throws when their number does not fit. */
export function readWeights(path: string): Float32Array {
  const bytes = readFileSync(path);
  if (bytes.length !== mixerWeights * 4) {
    const detail = `${path} holds ${bytes.length / 4} weights, and the mixer has ${mixerWeights}`;
    throw new EmendError("weights-do-not-fit", `${detail}; train them anew`);
  }
  return Float32Array.from({ length: mixerWeights }, (_, i) => bytes.readFloatLE(i * 4));
}

/** Writes weights as {@link readWeights} reads them. */
export function writeWeights(path: string, weights: Float32Array): void {
  const bytes = Buffer.alloc(weights.length * 4);
  for (const [i, weight] of weights.entries()) bytes.writeFloatLE(weight, i * 4);
  writeFileSync(path, bytes);
}
