/** How fast weights follow their gradient. */
export interface AdamOptions {
  /** Pulls the weights towards zero, by this share of the learning rate at each step. */
  readonly weightDecay: number;
}

/**
 * Moves weights against their gradient, each at a pace of its own.
 *
 * Source: Adam, Kingma and Ba 2015, with the weight decay of Loshchilov and Hutter 2019.
 */
export class Adam {
  readonly #weightDecay: number;
  readonly #mean: Float32Array;
  readonly #square: Float32Array;
  #steps = 0;

  constructor(size: number, { weightDecay }: AdamOptions) {
    this.#weightDecay = weightDecay;
    this.#mean = new Float32Array(size);
    this.#square = new Float32Array(size);
  }

  /** Changes `weights` by one step against `gradient`. */
  step(weights: Float32Array, gradient: Float32Array, learningRate: number): void {
    this.#steps++;
    const [mean, square, decay] = [this.#mean, this.#square, this.#weightDecay];
    const meanScale = 1 / (1 - meanKept ** this.#steps);
    const squareScale = 1 / (1 - squareKept ** this.#steps);
    for (let i = 0; i < weights.length; i++) {
      const slope = gradient[i]!;
      const m = meanKept * mean[i]! + (1 - meanKept) * slope;
      const s = squareKept * square[i]! + (1 - squareKept) * slope * slope;
      mean[i] = m;
      square[i] = s;
      const pace = (m * meanScale) / (Math.sqrt(s * squareScale) + epsilon);
      weights[i]! -= learningRate * (pace + decay * weights[i]!);
    }
  }
}

const meanKept = 0.9;
const squareKept = 0.999;
const epsilon = 1e-8;

/**
 * The learning rate at each step: rises for `warmUp` steps, then falls in a straight line to
 * nothing at `total`.
 */
export function learningRateAt(
  step: number,
  most: number,
  { warmUp, total }: { warmUp: number; total: number },
): number {
  return most * Math.min(1, (step + 1) / warmUp) * (1 - step / total);
}
