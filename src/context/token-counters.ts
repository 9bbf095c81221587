import type { TokenCounter } from "../model/index.ts";

/** The tokenisers that are counted exactly. */
export const exactTokenisers = ["o200k_base", "cl100k_base"] as const;

/** One of {@link exactTokenisers}. */
export type ExactTokeniser = (typeof exactTokenisers)[number];

/**
 * The counter of a tokeniser: its tables, some megabytes, are loaded when they are first asked for.
 *
 * Names of special tokens in a text count as the text they are. Halves of surrogate pairs count as U+FFFD.
 */
export async function openTokenCounter(name: ExactTokeniser): Promise<TokenCounter> {
  const { countTokens } = await (name === "o200k_base"
    ? import("gpt-tokenizer/encoding/o200k_base")
    : import("gpt-tokenizer/encoding/cl100k_base"));
  return { name, isExact: true, count: (text) => countTokens(text, asText) };
}

const asText = { disallowedSpecial: new Set<string>() };

/**
 * A counter that estimates from the length of a text, for models whose tokeniser nobody knows.
 *
 * Code has from 2.5 characters a token (dense in signs) to 4.5 (prose); what is not ASCII costs more. Rounded up, so
 * that short lines are not thought to be free.
 */
export function estimatingCounter(language: string): TokenCounter {
  const charactersPerToken = charactersByLanguage[language] ?? 3.3;
  return {
    name: "estimate",
    isExact: false,
    count(text) {
      let beyondAscii = 0;
      for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) beyondAscii++;
      return Math.ceil((text.length - beyondAscii) / charactersPerToken + beyondAscii * 0.7);
    },
  };
}

/** Measured on public code of each language with o200k_base, rounded down. */
const charactersByLanguage: Readonly<Record<string, number>> = {};
