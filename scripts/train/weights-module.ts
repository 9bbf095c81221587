import { fromHalf, toHalf } from "../../src/model/builtin/shipped-weights.ts";

/** The weights as they are once they have been kept as 16-bit floats. */
export function roundedWeights(weights: Float32Array): Float32Array {
  return weights.map((weight) => fromHalf(toHalf(weight)));
}

/**
 * The source of the module that holds `weights`; `origin` has whole sentences about where they come
 * from.
 */
export function printWeightsModule(weights: Float32Array, origin: string): string {
  const bytes = Buffer.alloc(weights.length * 2);
  for (const [i, weight] of weights.entries()) bytes.writeUInt16LE(toHalf(weight), i * 2);
  return `/**
 * The weights that the mixer starts from: ${weights.length} 16-bit floats, little-endian, in base64.
 *
 * Generated, not to be edited. ${origin}
 */
export const startWeights =
  "${bytes.toString("base64")}";
`;
}
