import type { TokenCounter } from "../model.ts";

/** How many tokens a UTF-16 unit takes on average. */
export interface TokenRates {
  /** One of ASCII; 1 where each byte is a token. */
  readonly ascii: number;
  /** Any other one; 3 for most Chinese characters where each byte is a token. */
  readonly other: number;
}

/** A text by its length in UTF-16 units, and its true number of tokens. */
export interface CountedText {
  readonly ascii: number;
  readonly other: number;
  readonly tokens: number;
}

/** Rates before anything is known: those of the usual vocabularies. */
export const usualTokenRates: TokenRates = { ascii: 0.3, other: 1 };

/** Counted texts that take so little more or less than the rates say change nothing. */
const tolerance = 0.03;

/** The rates of shorter texts differ too much, in UTF-16 units. */
const leastUnits = 64;

/**
 * The rates after a text was counted: the least change, relative to the rates, that gives the text
 * its true number of tokens; no rate falls below a quarter at once. The same object where the text
 * takes about what the rates say (3 %), or is shorter than 64 units.
 *
 * Source: the projections of Kaczmarz 1937.
 */
export function learnRates(rates: TokenRates, { ascii, other, tokens }: CountedText): TokenRates {
  const [asciiTokens, otherTokens] = [ascii * rates.ascii, other * rates.other];
  const missing = tokens - asciiTokens - otherTokens;
  if (ascii + other < leastUnits || tokens <= 0 || Math.abs(missing) <= tolerance * tokens) return rates;
  const step = missing / (asciiTokens ** 2 + otherTokens ** 2);
  return {
    ascii: rates.ascii * Math.max(0.25, 1 + step * asciiTokens),
    other: rates.other * Math.max(0.25, 1 + step * otherTokens),
  };
}

/**
 * How a server takes prompts, as far as that is known: learnt from what it reports and from its
 * answers. It sends nothing.
 */
export class PromptMeter {
  /** The most tokens of a prompt and its answer together. */
  contextTokens: number | undefined;
  /** The most tokens around the cursor that `/infill` of llama.cpp reads: its `-b`. */
  batchTokens = 2048;
  #base: TokenRates | undefined;
  readonly #learnt = new Map<string, { readonly rates: TokenRates; readonly counter: TokenCounter }>();

  /** Sets the rates for languages of which no text was counted. */
  set base(rates: TokenRates) {
    this.#base = rates;
  }

  /** Records that a text in a language has this many tokens. */
  counted(language: string, text: string, tokens: number): void {
    const known = this.#learnt.get(language)?.rates;
    const rates = learnRates(known ?? this.#base ?? usualTokenRates, { ...unitsOf(text), tokens });
    if (rates !== known) this.#learnt.set(language, { rates, counter: counterOf(rates) });
  }

  /**
   * Counts by what was learnt of the language, or of any text; `undefined` before that. The same
   * counter until a text differs from it.
   */
  counter(language: string): TokenCounter | undefined {
    const rates = this.#learnt.get(language)?.rates ?? this.#base;
    if (rates === undefined) return undefined;
    if (!this.#learnt.has(language)) this.#learnt.set(language, { rates, counter: counterOf(rates) });
    return this.#learnt.get(language)!.counter;
  }
}

/** How many units of a text are ASCII, and how many are not. */
export function unitsOf(text: string): { readonly ascii: number; readonly other: number } {
  let other = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) other++;
  return { ascii: text.length - other, other };
}

function counterOf(rates: TokenRates): TokenCounter {
  return {
    name: "the model's measured ratio",
    isExact: false,
    count(text) {
      const { ascii, other } = unitsOf(text);
      // Lines are counted one by one: rounded up, short ones would add much to a text.
      return Math.round(ascii * rates.ascii) + Math.ceil(other * rates.other);
    },
  };
}
