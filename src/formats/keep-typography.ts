import { minimalEdit } from "../text/index.ts";
import { oddCharacters, withPlainCharacters } from "./line-keys.ts";

/**
 * Makes the change that leads from `before` to `after` in a line that reads like `before` but for its typography.
 *
 * What the change leaves alone keeps the characters of `own`, such as curly quotes. Answers `after` where the two do not
 * stand side by side character by character.
 */
export function keepTypography(before: string, after: string, own: string): string {
  if (before === own || before.length !== own.length) return after;
  if (withPlainCharacters(before) !== withPlainCharacters(own)) return after;
  return minimalEdit(before, after).apply(own);
}

/**
 * New lines with those kinds of quotes, dashes and blanks made plain that an answer writes where the file has plain ones;
 * `pairs` are old lines as the answer and as the file has them.
 */
export function straighten(
  lines: readonly string[],
  pairs: readonly (readonly [answer: string, file: string])[],
): readonly string[] {
  const kinds = oddCharacters.filter(([odd, plain]) =>
    pairs.some(([answer, file]) => countOf(odd, answer) > countOf(odd, file) && file.includes(plain)),
  );
  return lines.map((line) => kinds.reduce((straight, [odd, plain]) => straight.replace(odd, plain), line));
}

function countOf(odd: RegExp, text: string): number {
  return text.match(odd)?.length ?? 0;
}
