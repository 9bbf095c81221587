/** A word, a sign or a line ending of a text, with its place `[start, end)`. Blanks are what lies between tokens. */
export interface CodeToken {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** What a line ending is called as a token, whichever it is. */
export const lineFeed = "\n";

/** Tokens of a stretch of a text in any language, and which brackets and quotes belong together. */
export interface CodeTokens {
  /** The text that the offsets speak of. */
  readonly source: string;
  /** Where the stretch ends. */
  readonly end: number;
  readonly list: readonly CodeToken[];
  /** For each token the index of its closing or opening partner, or -1. */
  readonly partners: Int32Array;
  /** For each token the index of the innermost bracket or quote that is open at it, or -1. */
  readonly openers: Int32Array;
}

/**
 * The tokens of `[from, to)`: runs of letters, digits, `_` and `$`; operators; other signs one by one; line endings.
 *
 * Strings and comments are not kept whole, so that what changes inside them is seen too. A quote that its line does not close is an apostrophe.
 */
export function codeTokens(source: string, from = 0, to = source.length): CodeTokens {
  return nestedTokens(source, to, plainTokens(source, from, to));
}

/** The tokens of {@link codeTokens} alone. Law: those of lines next to each other, one after the other, are those of the lines together. */
export function plainTokens(source: string, from: number, to: number): readonly CodeToken[] {
  const list: CodeToken[] = [];
  for (let at = from; at < to; ) {
    token.lastIndex = at;
    // A space is no token, and asking only whether there is one leaves nothing behind.
    if (source.charCodeAt(at) === 0x20 || !token.test(source)) {
      at++;
      continue;
    }
    const end = token.lastIndex;
    const said = source.slice(at, end);
    list.push({ text: said === "\r\n" ? lineFeed : said, start: at, end });
    at = end;
  }
  return list;
}

/** Tokens of a stretch of a text up to `end`, with what belongs together in them, which is found out when it is asked for. */
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

/** Whether a token is a word, which may be another one elsewhere. */
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
    // Nothing else opens or closes, and most tokens are words.
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
