import type { Removal, StreamFilter } from "./stream-filter.ts";

/**
 * Takes off a stream of text its end where that repeats the beginning of what follows the place.
 *
 * What may be such a repetition is held back until it is distinguished; what is held is the
 * beginning of what follows. One or two characters are no repetition: closing brackets alike are
 * distinguished by the caller, who sees the syntax.
 */
export class RepeatedSuffixFilter implements StreamFilter {
  readonly isOver = false;
  readonly removed = new Set<Removal>();
  readonly #suffix: string;
  readonly #failure: Int32Array;
  /** How much of the suffix's beginning is held back. */
  #matched = 0;

  /** `suffix` is what follows the place. */
  constructor(suffix: string) {
    this.#suffix = suffix.slice(0, maxEcho);
    this.#failure = failureOf(this.#suffix);
  }

  push(text: string): string {
    const suffix = this.#suffix;
    const whole = suffix.slice(0, this.#matched) + text;
    let matched = this.#matched;
    for (const unit of text.split("")) {
      while (matched > 0 && (matched === suffix.length || unit !== suffix[matched]))
        matched = this.#failure[matched - 1]!;
      if (unit === suffix[matched]) matched += 1;
    }
    this.#matched = matched;
    return whole.slice(0, whole.length - matched);
  }

  end(): string {
    const held = this.#suffix.slice(0, this.#matched);
    this.#matched = 0;
    if (held.trim().length < minEcho) return held;
    this.removed.add("repetition");
    return "";
  }
}

/** No more of what follows is compared: twice this is more than anyone waits for. */
const maxEcho = 4_000;

const minEcho = 3;

/**
 * For each beginning of `text`, how long its longest end is that is a shorter beginning.
 *
 * Source: the failure function of Knuth, Morris and Pratt 1977.
 */
function failureOf(text: string): Int32Array {
  const failure = new Int32Array(text.length);
  for (let i = 1, k = 0; i < text.length; i++) {
    while (k > 0 && text[i] !== text[k]) k = failure[k - 1]!;
    if (text[i] === text[k]) k += 1;
    failure[i] = k;
  }
  return failure;
}
