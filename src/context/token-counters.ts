import { languageById } from "../languages/index.ts";
import type { TokenCounter } from "../model/index.ts";

/** The tokenisers that are counted exactly. */
export const exactTokenisers = ["o200k_base", "cl100k_base"] as const;

/** One of {@link exactTokenisers}. */
export type ExactTokeniser = (typeof exactTokenisers)[number];

/**
 * The exact counter of a tokeniser: its tables, some megabytes, are loaded at their first use.
 *
 * Names of special tokens in a text count as the text they are. Halves of surrogate pairs count as
 * U+FFFD.
 */
export async function openTokenCounter(name: ExactTokeniser): Promise<TokenCounter> {
  const { countTokens } = await (name === "o200k_base"
    ? import("gpt-tokenizer/encoding/o200k_base")
    : import("gpt-tokenizer/encoding/cl100k_base"));
  return { name, isExact: true, count: (text) => countTokens(text, asText) };
}

const asText = { disallowedSpecial: new Set<string>() };

/**
 * A counter that estimates from the length of a text and its language, for models whose tokeniser
 * is unknown. `language` is an id in the registry; unknown ones count as one token for three
 * characters. Each UTF-16 unit beyond ASCII counts as a token.
 *
 * It counts high rather than low: one character in seven more than o200k_base has, for vocabularies
 * that are smaller.
 */
export function estimatingCounter(language: string): TokenCounter {
  const charactersPerToken = languageById(language)?.charactersPerToken ?? 3;
  return {
    name: "an estimate",
    isExact: false,
    count(text) {
      let beyondAscii = 0;
      for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) beyondAscii++;
      return Math.ceil((text.length - beyondAscii) / charactersPerToken + beyondAscii);
    },
  };
}
