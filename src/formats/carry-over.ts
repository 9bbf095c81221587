import { minimalEdit } from "../text/index.ts";
import { withPlainCharacters } from "./line-keys.ts";

/**
 * Makes the change that leads from `before` to `after` in a line that reads like `before` but for its typography.
 *
 * What the change leaves alone keeps the characters of `own`, such as curly quotes. Answers `after` where the two do not
 * stand side by side character by character.
 */
export function carryOver(before: string, after: string, own: string): string {
  if (before === own || before.length !== own.length) return after;
  if (withPlainCharacters(before) !== withPlainCharacters(own)) return after;
  return minimalEdit(before, after).apply(own);
}
