import { readFileSync, writeFileSync } from "node:fs";
import { mixerWeights } from "../../src/model/builtin/mixer.ts";
import { EmendError } from "../../src/text/errors.ts";

/**
 * Reads the weights of one mixer, or of several one after the other, from a file of raw 32-bit
 * floats, little-endian.
 *
 * Throws an `EmendError` when their number does not fit.
 */
export function readWeights(path: string): Float32Array {
  const bytes = readFileSync(path);
  if (bytes.length === 0 || bytes.length % (mixerWeights * 4) !== 0) {
    const detail = `${path} holds ${bytes.length / 4} weights, and a mixer has ${mixerWeights}`;
    throw new EmendError("weights-do-not-fit", `${detail}; train them anew`);
  }
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(i * 4));
}

/** The weights of several mixers, one after the other. */
export function joinWeights(members: readonly Float32Array[]): Float32Array {
  const joined = new Float32Array(members.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const member of members) {
    joined.set(member, at);
    at += member.length;
  }
  return joined;
}

/** Writes weights as {@link readWeights} reads them. */
export function writeWeights(path: string, weights: Float32Array): void {
  const bytes = Buffer.alloc(weights.length * 4);
  for (const [i, weight] of weights.entries()) bytes.writeFloatLE(weight, i * 4);
  writeFileSync(path, bytes);
}
