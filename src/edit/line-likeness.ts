import { wordsOf } from "../formats/index.ts";
import { sharedItems } from "../text/index.ts";

/** How alike lines are, each pair looked at once. */
export class LineLikeness {
  readonly #tokens = new Map<string, readonly string[]>();
  readonly #known = new Map<string, number>();

  /**
   * From 0 to 1: the share of words and marks that the two have in common, words counting double. Indentation does not
   * count. Lines without a word, such as a brace or a blank one, are alike only if they are the same.
   *
   * Source: the coefficient of Dice, over multisets.
   */
  of(one: string, other: string): number {
    const pair = `${one}\n${other}`;
    const known = this.#known.get(pair);
    if (known !== undefined) return known;
    const likeness = this.#compare(one, other);
    this.#known.set(pair, likeness);
    return likeness;
  }

  #compare(one: string, other: string): number {
    if (!hasWord(one) || !hasWord(other)) return one.trim() === other.trim() ? 1 : 0;
    const [tokens, others] = [this.#tokensOf(one), this.#tokensOf(other)];
    return (2 * weightOf(sharedItems(tokens, others))) / (weightOf(tokens) + weightOf(others));
  }

  #tokensOf(line: string): readonly string[] {
    let tokens = this.#tokens.get(line);
    if (tokens === undefined) {
      tokens = line.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
      this.#tokens.set(line, tokens);
    }
    return tokens;
  }
}

/** How much a line tells, from 0 to 1: a blank one next to nothing, a lone bracket little. */
export function lineWeight(line: string): number {
  if (line.trim() === "") return 0.1;
  const count = wordsOf(line).length;
  return count === 0 ? 0.3 : count === 1 ? 0.7 : 1;
}

/** Whether anything in the line is more than a mark: a letter or a digit. */
export function hasWord(line: string): boolean {
  return /[\p{L}\p{N}_]/u.test(line);
}

function weightOf(tokens: readonly string[]): number {
  return tokens.reduce((sum, token) => sum + (hasWord(token) ? 2 : 1), 0);
}
