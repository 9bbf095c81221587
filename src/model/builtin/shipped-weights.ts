import { invariant } from "../../text/index.ts";
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
 * Throws an `InvariantError` unless there are weights for one or more whole members, and a
 * `DOMException` for a text that is not base64.
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

/**
 * The 16-bit float nearest to a 32-bit one, as its bits; ties go to the even one, what is too large
 * to infinity, and NaN to `0x7e00`.
 *
 * Law: `toHalf(fromHalf(bits))` is `bits`, for all but those that are no number. Source: IEEE
 * 754-2008, binary16.
 */
export function toHalf(value: number): number {
  float[0] = value;
  const sign = (word[0]! >>> 16) & 0x8000;
  const magnitude = word[0]! & 0x7fffffff;
  if (magnitude > 0x7f800000) return sign | 0x7e00;
  // 65520 lies half way between the largest 16-bit float and the one that would come next.
  if (magnitude >= 0x477ff000) return sign | 0x7c00;
  if (magnitude < 0x38800000) return sign | roundToEven(Math.abs(float[0]!) * 2 ** 24);
  // The exponent's bias changes from 127 to 15, and 13 bits are rounded away; a carry runs on into
  // the exponent.
  return sign | ((magnitude - 0x38000000 + 0xfff + ((magnitude >>> 13) & 1)) >>> 13);
}

/** The number that the bits of a 16-bit float represent; may be infinite or NaN. */
export function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

const float = new Float32Array(1);
const word = new Uint32Array(float.buffer);

function roundToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}
