/**
 * A word or a mark of a text: all that the classifier of hunks sees of code. White space is none.
 */
export interface Token {
  readonly text: string;
  readonly isWord: boolean;
  /** The line it is on, from 0. */
  readonly line: number;
}

/** Longer marks first. Strings and comments are read like code: a name in them is a name. */
const pattern =
  /[\p{L}\p{M}\p{N}_$]+|===|!==|\?\.|\?\?=|\.\.\.|=>|->|::|&&=?|\|\|=?|\?\?|[=!<>+\-*/%&|^]=|\*\*|[^\s]/gu;
const word = /^[\p{L}\p{M}\p{N}_$]/u;

/** The tokens of lines, the first of which is line `firstLine`. */
export function tokensOf(lines: readonly string[], firstLine = 0): Token[] {
  const tokens: Token[] = [];
  for (const [index, line] of lines.entries()) {
    for (const [text] of line.matchAll(pattern))
      tokens.push({ text, isWord: word.test(text), line: firstLine + index });
  }
  return tokens;
}
