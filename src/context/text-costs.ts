import type { TokenCounter } from "../model/index.ts";

/**
 * Counts tokens and remembers what each stretch of lines costs, so that a text that changes in one line is counted in
 * that line only.
 *
 * A stretch begins at a line that is not blank and does not begin with `/`: there the tokenisers that are known exactly
 * always cut, so that the sum over stretches is the count of the whole. Memory is bounded: about `maxStretches` twice.
 */
export class TextCosts {
  readonly counter: TokenCounter;
  readonly #maxStretches: number;
  #young = new Map<string, number>();
  #old = new Map<string, number>();

  constructor(counter: TokenCounter, maxStretches = 20_000) {
    this.counter = counter;
    this.#maxStretches = maxStretches;
  }

  /** How many stretches are remembered. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** The tokens of `text`. */
  count(text: string): number {
    return this.forward(text, 0, Number.POSITIVE_INFINITY).tokens;
  }

  /**
   * As many whole stretches of `text` from `start` on as cost at most `maxTokens`, and where they end.
   */
  forward(text: string, start: number, maxTokens: number): { readonly end: number; readonly tokens: number } {
    let tokens = 0;
    let from = start;
    while (from < text.length) {
      const to = nextStretch(text, from);
      const cost = this.#cost(text, from, to);
      if (tokens + cost > maxTokens) break;
      tokens += cost;
      from = to;
    }
    return { end: from, tokens };
  }

  /**
   * As many whole stretches of `text` before `end` as cost at most `maxTokens`, and where they begin. What `end` cuts
   * off counts as the end of a text.
   */
  backward(text: string, end: number, maxTokens: number): { readonly start: number; readonly tokens: number } {
    let tokens = 0;
    let to = end;
    while (to > 0) {
      const from = lastStretch(text, to);
      const cost = this.#cost(text, from, to);
      if (tokens + cost > maxTokens) break;
      tokens += cost;
      to = from;
    }
    return { start: to, tokens };
  }

  #cost(text: string, from: number, to: number): number {
    // What nobody writes by hand is not worth remembering, and is counted in parts, since some tokenisers take time in
    // proportion to the square of a word.
    if (to - from > longStretch) return this.#longCost(text, from, to);
    const stretch = text.slice(from, to);
    let cost = this.#young.get(stretch);
    if (cost === undefined) {
      cost = this.#old.get(stretch) ?? this.counter.count(stretch);
      if (this.#young.size >= this.#maxStretches) {
        this.#old = this.#young;
        this.#young = new Map();
      }
      this.#young.set(stretch, cost);
    }
    return cost;
  }

  #longCost(text: string, from: number, to: number): number {
    let cost = 0;
    for (let at = from; at < to; at += longStretch)
      cost += this.counter.count(text.slice(at, Math.min(to, at + longStretch)));
    return cost;
  }
}

const longStretch = 4_000;

/** Whether a stretch may begin at `offset`, a line's first: see {@link TextCosts}. */
function beginsStretch(text: string, offset: number): boolean {
  for (let at = offset; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return false;
    if (code !== 32 && code !== 9) return code < 128 ? !(at === offset && code === 47) : !/\s/.test(text[at]!);
  }
  return false;
}

function nextStretch(text: string, from: number): number {
  let at = from;
  do {
    at = text.indexOf("\n", at) + 1;
    if (at === 0) return text.length;
  } while (!beginsStretch(text, at));
  return at;
}

function lastStretch(text: string, to: number): number {
  let at = to;
  do {
    at = at < 2 ? 0 : text.lastIndexOf("\n", at - 2) + 1;
  } while (at > 0 && !beginsStretch(text, at));
  return at;
}
