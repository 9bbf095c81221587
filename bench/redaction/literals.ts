/** A range of a text in UTF-16 code units, half-open. */
interface Literal {
  readonly start: number;
  readonly end: number;
}

/**
 * The string literals of a script without their quotes, empty ones left out: those in quotes on one
 * line, and templates. Comments are skipped. Regular expressions are not known: a quote in one may
 * begin a literal that ends at its line.
 */
export function literalsOf(text: string): readonly Literal[] {
  return [...text.matchAll(literal)].flatMap(({ 0: found, index }) =>
    /^["'`]/.test(found) && found.length > 2 ? [{ start: index + 1, end: index + found.length - 1 }] : [],
  );
}

const literal = /\/\/.*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\r\n])*"|'(?:\\.|[^'\\\r\n])*'|`(?:\\[\s\S]|[^`\\])*`/g;
