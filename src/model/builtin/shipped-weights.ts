import { invariant } from "../../text/index.ts";
import { fromHalf } from "./half-float.ts";
import { mixerWeights } from "./mixer.ts";
import { startWeights } from "./start-weights.ts";

let decoded: Float32Array | undefined;

/**
 * A copy of the weights that come with the package, trained by `npm run train:mixer`.
 *
 * Throws an `InvariantError` when they were trained for a mixer of another size.
 */
export function shippedWeights(): Float32Array {
  decoded ??= decodeWeights(startWeights);
  return decoded.slice();
}

/**
 * Reads the weights of a mixer's members, one after the other, from 16-bit floats, little-endian,
 * in base64.
 *
 * Throws an `InvariantError` unless there are weights for one or more whole members.
 */
export function decodeWeights(base64: string): Float32Array {
  const bytes = atob(base64);
  invariant(
    bytes.length > 0 && bytes.length % (mixerWeights * 2) === 0,
    () => `a mixer has ${mixerWeights} weights, and ${bytes.length / 2} are shipped; run npm run train:mixer`,
  );
  return Float32Array.from({ length: bytes.length / 2 }, (_, i) =>
    fromHalf(bytes.charCodeAt(2 * i) | (bytes.charCodeAt(2 * i + 1) << 8)),
  );
}
