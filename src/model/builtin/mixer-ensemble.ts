import { InvariantError } from "../../text/index.ts";
import { candidateFeatures, maxCandidates } from "./evidence.ts";
import { Mixer, mixerWeights } from "./mixer.ts";

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

  /** `weights` are those of the members, one after the other; they are copied. */
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
