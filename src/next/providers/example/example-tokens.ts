/**
 * A word, an operator, another character or a line ending of a text, at `[start, end)`. Blanks are
 * between tokens.
 */
export interface CodeToken {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The text of the token of a line ending, `\n` or `\r\n`. */
export const lineFeed = "\n";

/** The tokens of a range of a text in any language, and how its brackets and quotes are paired. */
export interface CodeTokens {
  /** The text that the offsets refer to. */
  readonly source: string;
  /** The end of the range. */
  readonly end: number;
  readonly list: readonly CodeToken[];
  /** For each token the index of its closing or opening partner, or -1. */
  readonly partners: Int32Array;
  /** For each token the index of the innermost bracket or quote that is open at it, or -1. */
  readonly openers: Int32Array;
}

/**
 * Returns the tokens of `[from, to)`: runs of letters, digits, `_` and `$`; operators; other
 * characters one by one; line endings. Blanks are no tokens. Offsets count from the start of
 * `source`.
 *
 * Strings and comments are split into tokens, so that changes inside them are compared too. A quote
 * that is not closed on its line counts as an apostrophe.
 */
export function codeTokens(source: string, from = 0, to = source.length): CodeTokens {
  return nestedTokens(source, to, plainTokens(source, from, to));
}

/**
 * Returns the tokens of {@link codeTokens} without their pairing. Law: the tokens of adjacent
 * ranges of lines, joined, equal those of the ranges together.
 */
export function plainTokens(source: string, from: number, to: number): readonly CodeToken[] {
  const list: CodeToken[] = [];
  for (let at = from; at < to; ) {
    token.lastIndex = at;
    // Blanks are not tokens; comparing with a space first is faster than the pattern.
    if (source.charCodeAt(at) === 0x20 || !token.test(source)) {
      at++;
      continue;
    }
    const end = token.lastIndex;
    const tokenText = source.slice(at, end);
    list.push({ text: tokenText === "\r\n" ? lineFeed : tokenText, start: at, end });
    at = end;
  }
  return list;
}

/** Combines tokens of a text up to `end` with their pairing, which is computed on first use. */
export function nestedTokens(source: string, end: number, list: readonly CodeToken[]): CodeTokens {
  return new NestedTokens(source, end, list);
}

class NestedTokens implements CodeTokens {
  readonly source: string;
  readonly end: number;
  readonly list: readonly CodeToken[];
  #nesting: Nesting | undefined;

  constructor(source: string, end: number, list: readonly CodeToken[]) {
    this.source = source;
    this.end = end;
    this.list = list;
  }

  get partners(): Int32Array {
    this.#nesting ??= nestingOf(this.list);
    return this.#nesting.partners;
  }

  get openers(): Int32Array {
    this.#nesting ??= nestingOf(this.list);
    return this.#nesting.openers;
  }
}

/** Whether a token is a word, for which another one may be substituted elsewhere. */
export function isWord(text: string): boolean {
  return wordStart.test(text);
}

type Nesting = Pick<CodeTokens, "partners" | "openers">;

function nestingOf(list: readonly CodeToken[]): Nesting {
  const partners = new Int32Array(list.length).fill(-1);
  const openers = new Int32Array(list.length).fill(-1);
  const open: number[] = [];
  const pair = (opener: number, closer: number) => {
    partners[opener] = closer;
    partners[closer] = opener;
  };
  for (let index = 0; index < list.length; index++) {
    const { text } = list[index]!;
    // No other token opens or closes, and most tokens are words.
    if (text.length > 1 || !nests.has(text)) {
      openers[index] = open.at(-1) ?? -1;
      continue;
    }
    const isQuote = quotes.includes(text);
    if (text === lineFeed) while (open.length > 0 && quotes.includes(list[open.at(-1)!]!.text)) open.pop();
    const wanted = isQuote ? text : openerOf.get(text);
    const inner = open.at(-1);
    if (wanted !== undefined && inner !== undefined && list[inner]!.text === wanted) {
      pair(open.pop()!, index);
      openers[index] = open.at(-1) ?? -1;
      continue;
    }
    openers[index] = inner ?? -1;
    const isInString = inner !== undefined && quotes.includes(list[inner]!.text);
    if (isQuote || (!isInString && opening.has(text))) open.push(index);
  }
  return { partners, openers };
}

const token = /\r?\n|[\p{L}\p{M}\p{N}_$]+|=>|[=!]==?|\?\?=?|\?\.|&&|\|\||::|->|\+\+|--|[-+*/]=|\.\.\.|[^\s]/uy;
const wordStart = /^[\p{L}\p{M}\p{N}_$]/u;
const quotes = "\"'`";
const openerOf = new Map([
  [")", "("],
  ["]", "["],
  ["}", "{"],
]);
const opening = new Set(openerOf.values());
const nests = new Set([...openerOf.keys(), ...opening, ...quotes, lineFeed]);

/** The most tokens of an operand. */
const maxTokens = 400;

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/**
 * Returns the closing bracket of the only bracket that tokens leave open; `undefined` where they
 * leave none or several open.
 */
export function closerOf(tokens: readonly string[]): string | undefined {
  const open: string[] = [];
  for (const text of tokens) {
    const closer = closers[text];
    if (closer !== undefined) open.push(closer);
    else if (/^[)\]}]$/.test(text) && open.pop() !== text) return undefined;
  }
  return open.length === 1 ? open[0] : undefined;
}

/**
 * Whether an operand may begin at the token with this index: an argument, an element, or an
 * assigned or returned value.
 */
export function beginsOperand({ list }: CodeTokens, index: number): boolean {
  return /^(?:[([{,=:?]|=>|return|await|yield|\?\?|\|\||&&)$/.test(list[index - 1]?.text ?? "");
}

/**
 * Returns the index of the token after an operand that begins at `from` and ends on its line: a
 * closing bracket, a comma, a semicolon, or the line ending. `undefined` where it continues in
 * other lines, is empty, or has about 400 tokens or more.
 */
export function operandEnd({ list, partners }: CodeTokens, from: number): number | undefined {
  for (let at = from; at < list.length && at < from + maxTokens; at++) {
    const { text } = list[at]!;
    if (partners[at]! > at) {
      for (const close = partners[at]!; at < close; at++) if (list[at]!.text === lineFeed) return undefined;
      continue;
    }
    const isOver = /^[,;)\]}]$/.test(text) || text === lineFeed;
    if (isOver) return at === from ? undefined : at;
    // A bracket that is not closed.
    if (/^[([{]$/.test(text)) return undefined;
  }
  return undefined;
}
