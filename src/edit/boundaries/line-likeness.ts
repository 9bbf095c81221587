import { wordsOf } from "../../formats/index.ts";
import { getOrInsert, sharedItems } from "../../text/index.ts";

/** The similarity of lines; each pair is compared once and cached. */
export class LineLikeness {
  readonly #tokens = new Map<string, readonly string[]>();
  readonly #known = new Map<string, number>();

  /**
   * The similarity of two lines, from 0 to 1: the share of words and punctuation marks that they
   * have in common, where words count double. Indentation is ignored. Lines without a word, such as
   * a brace or a blank line, have similarity 1 if they are equal and 0 otherwise.
   *
   * Source: the Dice coefficient over multisets.
   */
  of(one: string, other: string): number {
    const pair = `${one}\n${other}`;
    return getOrInsert(this.#known, pair, () => this.#compare(one, other));
  }

  #compare(one: string, other: string): number {
    if (!hasWord(one) || !hasWord(other)) return one.trim() === other.trim() ? 1 : 0;
    const [tokens, others] = [this.#tokensOf(one), this.#tokensOf(other)];
    return (2 * weightOf(sharedItems(tokens, others))) / (weightOf(tokens) + weightOf(others));
  }

  #tokensOf(line: string): readonly string[] {
    return getOrInsert(this.#tokens, line, () => line.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []);
  }
}

/**
 * How distinctive a line is, from 0 to 1: 0.1 if blank, 0.3 without words, 0.7 with one word, else
 * 1.
 */
export function lineWeight(line: string): number {
  if (line.trim() === "") return 0.1;
  const count = wordsOf(line).length;
  return count === 0 ? 0.3 : count === 1 ? 0.7 : 1;
}

/** Whether the line contains a letter, digit or underscore. */
export function hasWord(line: string): boolean {
  return /[\p{L}\p{N}_]/u.test(line);
}

function weightOf(tokens: readonly string[]): number {
  return tokens.reduce((sum, token) => sum + (hasWord(token) ? 2 : 1), 0);
}
