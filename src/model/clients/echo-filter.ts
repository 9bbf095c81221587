/**
 * Takes off a stream of text its end where that repeats the beginning of what follows the place.
 *
 * What may be such a repetition is held back until it is told apart. One or two characters are no repetition: closing
 * brackets alike are told apart by whoever sees the syntax.
 */
export class EchoFilter {
  readonly #suffix: string;
  #held = "";

  /** `suffix` is what follows the place. */
  constructor(suffix: string) {
    this.#suffix = suffix.slice(0, maxEcho);
  }

  /** What may be let through, now that `text` has come. */
  push(text: string): string {
    const whole = this.#held + text;
    const overlap = overlapLength(whole, this.#suffix);
    this.#held = whole.slice(whole.length - overlap);
    return whole.slice(0, whole.length - overlap);
  }

  /** What was held back and is no repetition, now that no more text comes. */
  end(): string {
    const held = this.#held;
    this.#held = "";
    return held.trim().length < minEcho ? held : "";
  }
}

/** No more of what follows is compared: twice this is more than anyone waits for. */
const maxEcho = 4_000;

const minEcho = 3;

/**
 * How long the longest end of `text` is that is a beginning of `other`.
 *
 * Source: the failure function of Knuth, Morris and Pratt 1977; linear in both lengths.
 */
function overlapLength(text: string, other: string): number {
  const tail = text.slice(-other.length);
  const failure = new Int32Array(other.length);
  for (let i = 1, k = 0; i < other.length; i++) {
    while (k > 0 && other[i] !== other[k]) k = failure[k - 1]!;
    if (other[i] === other[k]) k += 1;
    failure[i] = k;
  }
  let matched = 0;
  for (const unit of tail.split("")) {
    while (matched > 0 && (matched === other.length || unit !== other[matched])) matched = failure[matched - 1]!;
    if (unit === other[matched]) matched += 1;
  }
  return matched;
}
