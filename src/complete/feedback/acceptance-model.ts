/**
 * What an acceptance model has learnt, as plain JSON for the host to keep. It holds no text of
 * anybody's.
 */
export interface AcceptanceModelState {
  readonly version: 1;
  /** How many answers it was learnt from. */
  readonly answers: number;
  /** The weights that have moved, by the name of their signal. */
  readonly weights: Readonly<Record<string, number>>;
}

/** The estimated probability that a suggestion is accepted, and why. */
export interface AcceptanceScore {
  /** From 0 to 1. */
  readonly score: number;
  /**
   * What each signal adds to the score's logarithm of odds; together they are all of it. The
   * strongest first.
   */
  readonly contributions: readonly { readonly signal: string; readonly adds: number }[];
}

/**
 * Estimates how likely ghost text is accepted at a place: a logistic regression over
 * {@link TriggerFeatures}.
 *
 * It starts from weights that were set by hand (`startWeights`), under which no place falls below
 * the default threshold before something has been refused, so that nothing is held back from a
 * person it does not know. Each answer moves the weights of its signals a little, by the gradient
 * of its error, and the more it has seen the less; a pull back to the start lets old habits fade.
 * All of it stays on the machine.
 */
export class AcceptanceModel {
  readonly #weights = new Map<string, number>();
  #answers = 0;

  /**
   * Continues from a {@link state} that was kept; starts from the start weights where `state` is
   * missing or not valid. Weights are limited to the range from -4 to 4.
   */
  constructor(state?: unknown) {
    if (!isState(state)) return;
    this.#answers = state.answers;
    for (const [signal, weight] of Object.entries(state.weights)) this.#weights.set(signal, clamp(weight));
  }

  /** Estimates the probability, from 0 to 1, that a suggestion with these signals is accepted. */
  score(signals: TriggerFeatures): AcceptanceScore {
    const contributions: { readonly signal: string; readonly adds: number }[] = [];
    let sum = 0;
    for (const [signal, value] of triggerFeatureVector(signals)) {
      const adds = this.#weight(signal) * value;
      if (adds === 0) continue;
      sum += adds;
      contributions.push({ signal, adds });
    }
    contributions.sort((one, other) => Math.abs(other.adds) - Math.abs(one.adds));
    return { score: sigmoid(sum), contributions };
  }

  /**
   * Moves the weights, since a suggestion with these signals was accepted, or was seen and not
   * accepted. `weight`, from 0 to 1, is the weight of that evidence.
   */
  learn(signals: TriggerFeatures, accepted: boolean, weight = 1): void {
    const error = weight * ((accepted ? 1 : 0) - this.score(signals).score);
    const rate = Math.max(leastRate, firstRate / Math.sqrt(1 + this.#answers / 20));
    for (const [signal, value] of triggerFeatureVector(signals)) {
      const before = this.#weight(signal);
      const start = startWeights[signal] ?? 0;
      this.#weights.set(signal, clamp(before + rate * (error * value - pullBack * (before - start))));
    }
    this.#answers++;
  }

  /** A snapshot of what the model has learnt, for the constructor. */
  get state(): AcceptanceModelState {
    return { version: 1, answers: this.#answers, weights: Object.fromEntries(this.#weights) };
  }

  #weight(signal: string): number {
    return this.#weights.get(signal) ?? startWeights[signal] ?? 0;
  }
}

/** How far an answer moves a weight: at first, and at last. */
const firstRate = 0.08;
const leastRate = 0.02;

/** How much of its way from the start a weight goes back with each answer, by the rate. */
const pullBack = 0.02;

const maxWeight = 4;

/**
 * The cold start. Set by hand from what is known of the field: the last answers say most; behind a
 * dot, an operator or an opening bracket people wait for what comes, behind a semicolon they seldom
 * do, in the middle of a line it is in the way; and longer suggestions are taken less often.
 */
const startWeights: Readonly<Record<string, number>> = {
  always: 0.2,
  "just accepted": 0.5,
  "just refused": -0.5,
  "accepted lately": 1,
  "behind a dot": 0.5,
  "behind an operator": 0.3,
  "behind an opening bracket": 0.3,
  "behind a blank": 0.2,
  "behind a comma": 0.2,
  "behind a semicolon": -0.8,
  "behind a closing bracket": -0.3,
  "before the line's end": 0.2,
  "before a letter": -0.5,
  "before a digit": -0.5,
  "length of the line": -0.2,
  "length of the suggestion": -0.3,
  "the model's own confidence": 0.8,
};

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

function clamp(weight: number): number {
  return Math.max(-maxWeight, Math.min(maxWeight, weight));
}

function isState(state: unknown): state is AcceptanceModelState {
  if (typeof state !== "object" || state === null) return false;
  const { version, answers, weights } = state as Partial<AcceptanceModelState>;
  if (version !== 1 || !Number.isSafeInteger(answers) || answers! < 0) return false;
  if (typeof weights !== "object" || weights === null) return false;
  return Object.values(weights).every((weight) => Number.isFinite(weight));
}

/**
 * Features of a place, and of the last reactions of the person, from which the acceptance of ghost
 * text is estimated.
 */
export interface TriggerFeatures {
  /** The language's id. */
  readonly language: string;
  /** The cursor's line before it, and behind it. */
  readonly lineBefore: string;
  readonly rest: string;
  /**
   * What became of the last suggestions, the newest first, each with how long ago that was, in
   * milliseconds.
   */
  readonly recent: readonly RecentAnswer[];
  /** UTF-16 units of the suggestion, once there is one. */
  readonly length?: number;
  /**
   * How likely the model takes its answer to be exactly what is wanted, from 0 to 1, where it can
   * tell.
   */
  readonly probability?: number;
}

/** What a person did with a suggestion that was seen. */
export interface RecentAnswer {
  readonly accepted: boolean;
  readonly agoMs: number;
}

/**
 * The signals as numbers about 1 in size, by name; those that are 0 are left out, and `always` is
 * 1.
 *
 * The idea of the signals is GitHub Copilot's contextual filter as it was read in 2023: the last
 * answer and how long ago it was, the characters around the cursor, the language, the length of the
 * line.
 */
function triggerFeatureVector(signals: TriggerFeatures): ReadonlyMap<string, number> {
  const { language, lineBefore, rest, recent, length, probability } = signals;
  const features = new Map<string, number>([["always", 1]]);
  const add = (name: string, value: number) => {
    if (value !== 0) features.set(name, value);
  };
  const [last] = recent;
  if (last !== undefined) add(last.accepted ? "just accepted" : "just refused", 0.5 ** (last.agoMs / justMs));
  add("accepted lately", lately(recent));
  add(`behind ${characterClass(lineBefore.at(-1))}`, 1);
  if (/[ \t]$/.test(lineBefore)) add(`behind ${characterClass(lineBefore.trimEnd().at(-1))} and blanks`, 1);
  add(`before ${rest.trim() === "" ? "the line's end" : characterClass(rest.trimStart()[0])}`, 1);
  add(`in ${language}`, 1);
  add("length of the line", Math.log2(1 + lineBefore.trim().length) / 8);
  if (length !== undefined) add("length of the suggestion", Math.log2(1 + length) / 8);
  if (probability !== undefined) add("the model's own confidence", 2 * probability - 1);
  return features;
}

/** How long it takes until the last answer counts half, in milliseconds; and those before it. */
const justMs = 30_000;
const latelyMs = 10 * 60_000;

/** From -1, all refused, to 1, all accepted; near 0 where there were few or they are long ago. */
function lately(recent: readonly RecentAnswer[]): number {
  let sum = 0;
  let weight = 2;
  for (const { accepted, agoMs } of recent) {
    const counts = 0.5 ** (agoMs / latelyMs);
    sum += accepted ? counts : -counts;
    weight += counts;
  }
  return sum / weight;
}

const classes: readonly (readonly [RegExp, string])[] = [
  [/[\p{L}_$]/u, "a letter"],
  [/\p{N}/u, "a digit"],
  [/\s/, "a blank"],
  [/[.]/, "a dot"],
  [/[([{]/, "an opening bracket"],
  [/[)\]}]/, "a closing bracket"],
  [/["'`]/, "a quote"],
  [/[,]/, "a comma"],
  [/[;]/, "a semicolon"],
  [/[:]/, "a colon"],
  [/[=+\-*/%<>!&|^~?]/, "an operator"],
];

function characterClass(character: string | undefined): string {
  if (character === undefined) return "the line's start";
  return classes.find(([pattern]) => pattern.test(character))?.[1] ?? "another sign";
}
