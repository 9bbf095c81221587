import { InvariantError } from "../../text/index.ts";
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

/** Weights to start training from: small noise, the same for each seed. */
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

/** How many of the first member's likeliest candidates the other members rate. */
const shortList = 12;

/**
 * Where the first member gives one candidate more than this, the others are skipped: they could not
 * change it.
 */
const sure = 0.98;

/**
 * Several mixers, trained from different beginnings, that agree on probabilities by the mean of
 * their scores.
 *
 * The first member weighs all candidates; the others only its short list, which holds nearly all
 * the probability and costs a fifth. Averaging networks takes out what each learnt by chance.
 * Source: Hansen and Salamon 1990, Neural network ensembles.
 */
export class MixerEnsemble {
  /** The probability of each candidate, then of none of them. */
  readonly probabilities = new Float32Array(maxCandidates + 1);
  readonly #members: readonly Mixer[];
  readonly #chosen = new Int32Array(shortList);
  readonly #features = new Float32Array(shortList * candidateFeatures);
  readonly #scores = new Float64Array(shortList + 1);

  /**
   * `weights` are those of the members, one after the other; they are copied. Throws an
   * `InvariantError` unless there are weights for one or more whole members.
   */
  constructor(weights: Float32Array) {
    const count = weights.length / mixerWeights;
    if (!Number.isInteger(count) || count < 1) {
      throw new InvariantError(`A mixer has ${mixerWeights} weights, and ${weights.length} are no multiple of that`);
    }
    this.#members = Array.from(
      { length: count },
      (_, i) => new Mixer(Float64Array.from(weights.subarray(i * mixerWeights, (i + 1) * mixerWeights))),
    );
  }

  /** Weighs `count` candidates: fills {@link probabilities}. */
  weigh(features: Float32Array, place: Float32Array, count: number): void {
    const [first, ...others] = this.#members;
    const p = this.probabilities;
    first!.weigh(features, place, count);
    p.set(first!.probabilities.subarray(0, count + 1));
    if (others.length === 0) return;
    const listed = this.#choose(features, count);
    if (listed > 0 && p[this.#chosen[0]!]! > sure) return;
    const scores = this.#scores;
    let mass = p[count]!;
    for (let i = 0; i < listed; i++) mass += p[this.#chosen[i]!]!;
    for (let i = 0; i <= listed; i++) scores[i] = Math.log(Math.max(p[this.#at(i, listed, count)]!, 1e-12));
    for (const member of others) {
      member.weigh(this.#features, place, listed);
      for (let i = 0; i <= listed; i++) scores[i]! += Math.log(Math.max(member.probabilities[i]!, 1e-12));
    }
    let sum = 0;
    for (let i = 0; i <= listed; i++) {
      scores[i] = Math.exp(scores[i]! / this.#members.length);
      sum += scores[i]!;
    }
    for (let i = 0; i <= listed; i++) p[this.#at(i, listed, count)] = (mass * scores[i]!) / sum;
  }

  /**
   * One step of every member towards `truth` (`count` for none). Returns the ensemble's loss
   * before, in nats.
   */
  learn(features: Float32Array, place: Float32Array, count: number, truth: number, rate: number): number {
    this.weigh(features, place, count);
    const loss = -Math.log(Math.max(1e-9, this.probabilities[truth]!));
    for (const member of this.#members) {
      member.weigh(features, place, count);
      member.learn(features, place, count, truth, rate);
    }
    return loss;
  }

  /**
   * The index among all candidates of the one at `i` in the short list; none of them comes last in
   * both.
   */
  #at(i: number, listed: number, count: number): number {
    return i === listed ? count : this.#chosen[i]!;
  }

  /** Puts the likeliest candidates and their features on the short list. Returns how many. */
  #choose(features: Float32Array, count: number): number {
    const p = this.probabilities;
    const chosen = this.#chosen;
    const listed = Math.min(count, shortList);
    let length = 0;
    for (let i = 0; i < count; i++) {
      if (length === listed && p[i]! <= p[chosen[length - 1]!]!) continue;
      let at = length < listed ? length++ : length - 1;
      while (at > 0 && p[chosen[at - 1]!]! < p[i]!) {
        chosen[at] = chosen[at - 1]!;
        at--;
      }
      chosen[at] = i;
    }
    for (let i = 0; i < listed; i++) {
      const from = chosen[i]! * candidateFeatures;
      this.#features.set(features.subarray(from, from + candidateFeatures), i * candidateFeatures);
    }
    return listed;
  }
}
