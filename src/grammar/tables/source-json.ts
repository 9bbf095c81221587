import type { GrammarSource } from "./grammar-source.ts";

/**
 * A grammar as JSON. JSON has no infinite numbers: a repetition without an upper bound has
 * `"max": null`.
 *
 * Law: `readGrammarSource` reads the same grammar from it.
 */
export function printGrammarSource(source: GrammarSource): string {
  return JSON.stringify(source);
}

/**
 * The grammar that {@link printGrammarSource} wrote. Throws `SyntaxError` for a text that is no
 * JSON.
 */
export function readGrammarSource(text: string): GrammarSource {
  return JSON.parse(text, (key, value: unknown) =>
    key === "max" && value === null ? Number.POSITIVE_INFINITY : value,
  ) as GrammarSource;
}
