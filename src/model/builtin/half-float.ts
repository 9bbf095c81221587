/**
 * The 16-bit float nearest to a 32-bit one, as its bits; ties go to the even one, and what is too
 * large to infinity.
 *
 * Law: `toHalf(fromHalf(bits))` is `bits`, for all but those that are no number.
 * Source: IEEE 754-2008, binary16.
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

/** The number that the bits of a 16-bit float represent. */
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
