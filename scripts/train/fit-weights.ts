import { initialWeights, Mixer, MixerEnsemble, mixerWeights } from "../../src/model/builtin/mixer.ts";
import { Adam, learningRateAt } from "./adam.ts";
import { emptyRow, type Rows } from "./rows.ts";
import { seededRandom, shuffle } from "./seeded-random.ts";

/** How weights are fitted. */
export interface FitOptions {
  readonly epochs: number;
  /** Rows whose gradients are averaged for one step. */
  readonly batch: number;
  /** The highest learning rate, reached after `warmUp` steps; it falls to nothing from there. */
  readonly learningRate: number;
  readonly weightDecay: number;
  readonly warmUp: number;
  readonly seed: number;
  /** Called after each epoch, with the weights as they are then. */
  readonly onEpoch?: (epoch: number, figures: FitFigures, weights: Float32Array) => void;
}

/** How well weights predict rows. */
export interface FitFigures {
  /** The mean of the loss, in bits a token. */
  readonly bits: number;
  /** The share of rows whose likeliest candidate is the right one. */
  readonly hits: number;
}

/** Fits a mixer's weights to `rows`. The same rows and options give the same weights. */
export function fitWeights(rows: Rows, options: FitOptions): Float32Array {
  const { epochs, batch, learningRate, weightDecay, warmUp, seed, onEpoch } = options;
  const weights = initialWeights(seed);
  const mixer = new Mixer(weights);
  const adam = new Adam(mixerWeights, { weightDecay });
  const gradient = new Float32Array(mixerWeights);
  const random = seededRandom(seed);
  const order = Uint32Array.from({ length: rows.length }, (_, i) => i);
  const total = epochs * Math.ceil(rows.length / batch);
  const row = emptyRow();
  let step = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, random);
    let [nats, hits] = [0, 0];
    for (let start = 0; start < order.length; start += batch) {
      gradient.fill(0);
      const some = order.subarray(start, start + batch);
      for (const index of some) {
        const { count, truth } = rows.read(index, row);
        mixer.weigh(row.features, row.place, count);
        if (isHit(mixer, count, truth)) hits++;
        nats += mixer.accumulate(gradient, row.features, row.place, count, truth);
      }
      for (let i = 0; i < gradient.length; i++) gradient[i]! /= some.length;
      adam.step(weights, gradient, learningRateAt(step++, learningRate, { warmUp, total }));
    }
    onEpoch?.(epoch, { bits: nats / Math.LN2 / rows.length, hits: hits / rows.length }, weights);
  }
  return weights;
}

/** How well the mixers with these weights, one after the other, predict `rows` together. */
export function evaluate(rows: Rows, weights: Float32Array): FitFigures {
  const mixer = new MixerEnsemble(weights);
  const row = emptyRow();
  let [bits, hits] = [0, 0];
  for (let index = 0; index < rows.length; index++) {
    const { count, truth } = rows.read(index, row);
    mixer.weigh(row.features, row.place, count);
    if (isHit(mixer, count, truth)) hits++;
    bits -= Math.log2(Math.max(1e-9, mixer.probabilities[truth]!));
  }
  return { bits: bits / Math.max(1, rows.length), hits: hits / Math.max(1, rows.length) };
}

/**
 * Whether the likeliest outcome is the right candidate. That none of them is right is never a hit.
 */
function isHit({ probabilities }: Pick<Mixer, "probabilities">, count: number, truth: number): boolean {
  if (truth === count) return false;
  for (let i = 0; i <= count; i++) if (i !== truth && probabilities[i]! >= probabilities[truth]!) return false;
  return true;
}
