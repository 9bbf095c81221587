import { languageById, plaintext, Structure } from "../../syntax/index.ts";

/**
 * How many brackets of a text have no partner, each bracket counted by itself; those that all have
 * one are left out.
 */
export type BracketBalance = ReadonlyMap<string, number>;

/**
 * Counts the brackets of `text` without a partner, by bracket; those that all have one are left
 * out. Brackets in strings and comments do not count. `language` is an id of the registry; the
 * result is empty for an unknown one, and for a language without brackets.
 */
export function bracketBalance(text: string, language: string): BracketBalance {
  const balance = new Map<string, number>();
  for (const { text: bracket } of Structure.of(text, languageById(language) ?? plaintext).unmatched) {
    balance.set(bracket, (balance.get(bracket) ?? 0) + 1);
  }
  return balance;
}

/**
 * Whether `after` has no bracket without a partner more often than `before`, apart from one more
 * for each time that the bracket is in `allowed`.
 */
export function isBalancedAs(before: BracketBalance, after: BracketBalance, allowed: readonly string[]): boolean {
  for (const [bracket, count] of after) {
    const spare = allowed.filter((other) => other === bracket).length;
    if (count > (before.get(bracket) ?? 0) + spare) return false;
  }
  return true;
}

/** The closing brackets of open ones that come in the order of the text, the innermost first. */
export function closersFor(open: readonly { readonly text: string }[]): string {
  return open
    .map(({ text }) => closers[text] ?? "")
    .reverse()
    .join("");
}

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };
