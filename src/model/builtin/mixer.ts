import { candidateFeatures, maxCandidates, placeFeatures } from "./evidence.ts";

/** Units of the hidden layer. */
const hidden = 48;

const placeOffset = candidateFeatures * hidden;
const biasOffset = placeOffset + placeFeatures * hidden;
const noneOffset = biasOffset + hidden;
const outputOffset = noneOffset + hidden;
const linearOffset = outputOffset + hidden;

/** How many weights a mixer has. */
export const mixerWeights = linearOffset + candidateFeatures + 1;

/**
 * Turns the evidence for some candidates into probabilities.
 *
 * A network of one hidden layer gives each candidate a score from its own features and those of the
 * place; the softmax over the candidates, and over one more outcome, "none of these", gives
 * probabilities. Learning is stochastic gradient descent on the negative log-likelihood of what
 * came.
 */
export class Mixer {
  readonly weights: Float32Array | Float64Array;
  /** The probability of each candidate, then of none of them. */
  readonly probabilities = new Float32Array(maxCandidates + 1);
  readonly #base = new Float64Array(hidden);
  readonly #gradient = new Float32Array(mixerWeights);
  readonly #hidden = new Float64Array((maxCandidates + 1) * hidden);

  /**
   * `weights` are kept and, by {@link learn}, changed. In 64 bits they need no conversion, and are
   * quicker.
   */
  constructor(weights: Float32Array | Float64Array) {
    this.weights = weights;
  }

  /** Weighs `count` candidates: fills {@link probabilities}. */
  weigh(features: Float32Array, place: Float32Array, count: number, featuresAt = 0, placeAt = 0): void {
    const w = this.weights;
    const base = this.#base;
    const h = this.#hidden;
    const p = this.probabilities;
    for (let j = 0; j < hidden; j++) base[j] = w[biasOffset + j]!;
    for (let f = 0; f < placeFeatures; f++) {
      const x = place[placeAt + f]!;
      if (x === 0) continue;
      const at = placeOffset + f * hidden;
      for (let j = 0; j < hidden; j++) base[j]! += x * w[at + j]!;
    }
    let most = -1e9;
    for (let i = 0; i <= count; i++) {
      const row = i * hidden;
      let score = 0;
      if (i === count) {
        for (let j = 0; j < hidden; j++) h[row + j] = base[j]! + w[noneOffset + j]!;
        score = w[linearOffset + candidateFeatures]!;
      } else {
        for (let j = 0; j < hidden; j++) h[row + j] = base[j]!;
        const from = featuresAt + i * candidateFeatures;
        for (let f = 0; f < candidateFeatures; f++) {
          const x = features[from + f]!;
          if (x === 0) continue;
          score += x * w[linearOffset + f]!;
          const at = f * hidden;
          // Four at a time: this loop is most of an answer's time.
          for (let j = 0; j < hidden; j += 4) {
            h[row + j]! += x * w[at + j]!;
            h[row + j + 1]! += x * w[at + j + 1]!;
            h[row + j + 2]! += x * w[at + j + 2]!;
            h[row + j + 3]! += x * w[at + j + 3]!;
          }
        }
      }
      for (let j = 0; j < hidden; j++) {
        const v = h[row + j]!;
        if (v > 0) score += v * w[outputOffset + j]!;
        else h[row + j] = 0;
      }
      p[i] = score;
      if (score > most) most = score;
    }
    let sum = 0;
    for (let i = 0; i <= count; i++) {
      const e = Math.exp(p[i]! - most);
      p[i] = e;
      sum += e;
    }
    for (let i = 0; i <= count; i++) p[i]! /= sum;
  }

  /**
   * Adds to `gradient` the gradient of the loss of the last {@link weigh}, when `truth` came
   * (`count` for none). Returns the loss in nats.
   */
  accumulate(
    gradient: Float32Array,
    features: Float32Array,
    place: Float32Array,
    count: number,
    truth: number,
    featuresAt = 0,
    placeAt = 0,
  ): number {
    const w = this.weights;
    const h = this.#hidden;
    const p = this.probabilities;
    const base = this.#base;
    base.fill(0);
    for (let i = 0; i <= count; i++) {
      const d = p[i]! - (i === truth ? 1 : 0);
      if (Math.abs(d) < 1e-6) continue;
      const row = i * hidden;
      const from = featuresAt + i * candidateFeatures;
      for (let j = 0; j < hidden; j++) {
        const v = h[row + j]!;
        if (v === 0) continue;
        gradient[outputOffset + j]! += d * v;
        const back = d * w[outputOffset + j]!;
        h[row + j] = back;
        base[j]! += back;
      }
      if (i === count) {
        gradient[linearOffset + candidateFeatures]! += d;
        for (let j = 0; j < hidden; j++) gradient[noneOffset + j]! += h[row + j]!;
      } else {
        for (let f = 0; f < candidateFeatures; f++) {
          const x = features[from + f]!;
          if (x === 0) continue;
          gradient[linearOffset + f]! += d * x;
          const at = f * hidden;
          for (let j = 0; j < hidden; j++) gradient[at + j]! += x * h[row + j]!;
        }
      }
    }
    for (let j = 0; j < hidden; j++) gradient[biasOffset + j]! += base[j]!;
    for (let f = 0; f < placeFeatures; f++) {
      const x = place[placeAt + f]!;
      if (x === 0) continue;
      const at = placeOffset + f * hidden;
      for (let j = 0; j < hidden; j++) gradient[at + j]! += x * base[j]!;
    }
    return -Math.log(Math.max(1e-9, p[truth]!));
  }

  /**
   * One step down the gradient of the last {@link weigh}, when `truth` came. Returns the loss in
   * nats.
   */
  learn(features: Float32Array, place: Float32Array, count: number, truth: number, rate: number): number {
    this.#gradient.fill(0);
    const loss = this.accumulate(this.#gradient, features, place, count, truth);
    for (let i = 0; i < mixerWeights; i++) this.weights[i]! -= rate * this.#gradient[i]!;
    return loss;
  }
}

/** Weights to start training from: small, seeded noise. */
export function initialWeights(seed: number): Float32Array {
  const weights = new Float32Array(mixerWeights);
  let state = seed | 0;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) / (1 << 24) - 0.5;
  };
  for (let i = 0; i < placeOffset; i++) weights[i] = random() * 0.3;
  for (let i = placeOffset; i < biasOffset; i++) weights[i] = random() * 0.2;
  for (let i = outputOffset; i < linearOffset; i++) weights[i] = random() * 0.6;
  return weights;
}
