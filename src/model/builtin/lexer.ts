import { looksSecret } from "../../syntax/index.ts";
import { Gap, newlineId, TokenKind } from "./token.ts";
import type { Vocabulary } from "./vocabulary.ts";

/**
 * What a language's comments and strings look like, as far as splitting its text into tokens needs
 * it.
 */
export interface LexRules {
  /** Marks that start a comment up to the end of the line. */
  readonly lineComments: readonly string[];
  /** Marks that start and end a comment over several lines. */
  readonly blockComments: readonly (readonly [open: string, close: string])[];
  /** Characters that start and end a string on one line. */
  readonly quotes: string;
  /** Marks that start and end a string over several lines, longest first. */
  readonly longQuotes: readonly string[];
  /** Whether backticks hold strings with `${…}` in them. */
  readonly templates: boolean;
}

/** Where the splitting of a text is between two calls. */
const Mode = { code: 0, lineComment: 1, blockComment: 2, string: 3, longString: 4, template: 5, regex: 6 } as const;

/** The least and the most characters of a literal that is looked at as a possible key or token. */
const minSecret = 16;
const maxSecret = 2000;

const wordStart = 1;
const digit = 2;
const blank = 3;
const lineFeed = 4;
const carriageReturn = 5;
const punctuation = 6;

const classes = new Uint8Array(128).fill(punctuation);
for (let c = 0; c < 128; c++) {
  const character = String.fromCharCode(c);
  if (/[A-Za-z_$]/.test(character)) classes[c] = wordStart;
  else if (/[0-9]/.test(character)) classes[c] = digit;
  else if (c === 10) classes[c] = lineFeed;
  else if (c === 13) classes[c] = carriageReturn;
  else if (c <= 32 || c === 127) classes[c] = blank;
}

function classOf(c: number): number {
  return c < 128 ? classes[c]! : c === 0xa0 || c === 0xfeff ? blank : wordStart;
}

/** Operators of more than one character, by their first character, longest first. */
const operators: (readonly string[] | undefined)[] = [];
for (const operator of `=== !== ... **= <<= &&= ||= ??= => -> :: && || ?? ?. == != <= >= += -= *= /= |= &= ^= %= ++ --
  ** << := .. </ /> <- ~= #[ #{ ::=`.split(/\s+/)) {
  const first = operator.charCodeAt(0);
  operators[first] = [...(operators[first] ?? []), operator].sort((a, b) => b.length - a.length);
}

const openers = new Set(["(", "[", "{", "#[", "#{"].map((text) => text));

/**
 * Tokens of one text, with the place where each begins. Reused from text to text: copy what is to
 * be kept.
 */
export class Lexer {
  /** `id * 4 + gap` of each token, the first {@link length} of which count. */
  tokens = new Int32Array(1 << 14);
  /** The offset at which each token's text begins; a line break begins at the break. */
  starts = new Int32Array(1 << 14);
  /** How many tokens the last text had. */
  length = 0;
  /** One past the end of the last token's text, white space at the end of the text not included. */
  end = 0;
  readonly #vocabulary: Vocabulary;
  /**
   * Where the last text ended: in which mode, closed by what, and at which depth of braces each
   * template continues.
   */
  #mode: number = Mode.code;
  #closing = "";
  #templateDepths: readonly number[] = [];
  #braces = 0;
  /** Where in the text the splitting is between two of its parts. */
  #at = 0;
  #column = 0;
  #gap: number = Gap.none;
  #regexEnd = -1;
  #continues = false;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /**
   * Splits `text` and counts its tokens in the vocabulary. What looks like a key or a token is
   * passed over, so that it is neither learnt nor ever proposed.
   *
   * `indentUnit` is the width of one indentation step in columns (a tab counts as one step). White
   * space at the very end is no token: the caller sees it behind {@link end}. A text that
   * `continues` the last one begins inside the string or comment in which that one ended.
   */
  lex(text: string, rules: LexRules, indentUnit: number, continues = false): void {
    this.#begin(text, continues);
    this.#lexTo(text.length, text, rules, indentUnit);
  }

  /** {@link lex} in parts of about so many characters, with a pause after each but the last. */
  *lexInParts(text: string, rules: LexRules, indentUnit: number, characters: number): Generator<void, void> {
    this.#begin(text, false);
    for (let stop = characters; stop < text.length; stop += characters) {
      this.#lexTo(stop, text, rules, indentUnit);
      yield;
    }
    this.#lexTo(text.length, text, rules, indentUnit);
  }

  #begin(text: string, continues: boolean): void {
    if (!continues) {
      this.#mode = Mode.code;
      this.#closing = "";
      this.#templateDepths = [];
      this.#braces = 0;
    }
    this.#continues = continues;
    this.#at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
    this.#column = 0;
    this.#gap = Gap.none;
    this.#regexEnd = -1;
    this.length = 0;
  }

  /** Continues to the end of the token that reaches `stop`. */
  #lexTo(stop: number, text: string, rules: LexRules, indentUnit: number): void {
    const vocabulary = this.#vocabulary;
    const length = text.length;
    let tokens = this.tokens;
    let starts = this.starts;
    const quotes = rules.quotes;
    const continues = this.#continues;
    let count = this.length;
    let mode = this.#mode;
    let closing = this.#closing;
    let templateDepths = this.#templateDepths;
    let braces = this.#braces;
    let regexEnd = this.#regexEnd;
    let column = this.#column;
    let gap = this.#gap;
    let i = this.#at;

    const emit = (start: number, end: number, kind: number): void => {
      starts[count] = start;
      tokens[count++] = (vocabulary.add(text, start, end, kind) << 2) | gap;
      gap = Gap.none;
    };

    while (i < stop) {
      if (count + 2 > tokens.length) {
        this.#widen();
        tokens = this.tokens;
        starts = this.starts;
      }
      const c = text.charCodeAt(i);
      const cls = classOf(c);
      if (cls === wordStart && !(mode === Mode.template && c === 36 && text.charCodeAt(i + 1) === 123)) {
        let end = i + 1;
        while (end < length) {
          const d = text.charCodeAt(end);
          const next = classOf(d);
          if (next !== wordStart && next !== digit) break;
          if (d === 36 && mode === Mode.template && text.charCodeAt(end + 1) === 123) break;
          end++;
        }
        const run = endOfSecret(text, i, end);
        if (run > 0) {
          i = run;
          continue;
        }
        emit(i, end, TokenKind.name);
        i = end;
        continue;
      }
      if (cls === blank) {
        const start = i;
        i++;
        while (i < length && classOf(text.charCodeAt(i)) === blank) i++;
        gap = i - start === 1 && c === 32 ? Gap.space : Gap.wide;
        continue;
      }
      if (cls === lineFeed || cls === carriageReturn) {
        const start = i;
        let breaks = 0;
        let lineStart = i;
        // One token for the break, any blank lines, and the next line's indentation.
        for (; i < length; i++) {
          const d = text.charCodeAt(i);
          if (d === 10 || d === 13) {
            if (d === 13 && text.charCodeAt(i + 1) === 10) i++;
            breaks++;
            lineStart = i + 1;
          } else if (classOf(d) !== blank) break;
        }
        const width = indentWidth(text, lineStart, i, indentUnit);
        starts[count] = start;
        tokens[count++] = newlineId(Math.round((width - column) / indentUnit), breaks > 1) << 2;
        column = width;
        gap = Gap.none;
        if (mode === Mode.lineComment || mode === Mode.string || mode === Mode.regex) mode = Mode.code;
        continue;
      }
      if (cls === digit) {
        const run = endOfSecret(text, i, i + 1);
        if (run > 0) {
          i = run;
          continue;
        }
      }
      if (mode === Mode.code) {
        if (cls === digit) {
          let end = i + 1;
          for (; end < length; end++) {
            const d = text.charCodeAt(end);
            const next = classOf(d);
            if (next === wordStart || next === digit) continue;
            if (d === 46 && classOf(text.charCodeAt(end + 1)) === digit && classOf(text.charCodeAt(end - 1)) === digit)
              continue;
            break;
          }
          emit(i, end, TokenKind.number);
          i = end;
          continue;
        }
        const comment = startOfComment(text, i, rules);
        if (comment !== undefined) {
          emit(i, i + comment.open.length, comment.close === "" ? TokenKind.lineComment : TokenKind.commentOpen);
          i += comment.open.length;
          mode = comment.close === "" ? Mode.lineComment : Mode.blockComment;
          closing = comment.close;
          continue;
        }
        const long = startOfLongQuote(text, i, rules);
        if (long !== "") {
          emit(i, i + long.length, TokenKind.quoteOpen);
          i += long.length;
          mode = Mode.longString;
          closing = long;
          continue;
        }
        if (c === 96 && rules.templates) {
          emit(i, i + 1, TokenKind.quoteOpen);
          i++;
          mode = Mode.template;
          continue;
        }
        if (c < 128 && quotes.includes(text[i]!)) {
          emit(i, i + 1, TokenKind.quoteOpen);
          closing = text[i]!;
          i++;
          mode = Mode.string;
          const end = text.indexOf(closing, i);
          if (end - i >= minSecret && end - i <= maxSecret && looksSecret(text.slice(i, end))) i = end;
          continue;
        }
        if (c === 47 && rules.templates && (count === 0 ? !continues : opensRegex(vocabulary, tokens, count))) {
          const end = endOfRegex(text, i + 1);
          if (end > 0) {
            emit(i, i + 1, TokenKind.quoteOpen);
            i++;
            mode = Mode.regex;
            regexEnd = end;
            continue;
          }
        }
        if (c === 125 && templateDepths.length > 0 && braces === templateDepths.at(-1)) {
          templateDepths = templateDepths.slice(0, -1);
          emit(i, i + 1, TokenKind.close);
          i++;
          mode = Mode.template;
          continue;
        }
        const size = operatorSize(text, i, c);
        const mark = size === 1 ? text[i]! : "";
        if (mark === "{") braces++;
        else if (mark === "}") braces--;
        emit(i, i + size, kindOfMark(text, i, size));
        i += size;
        continue;
      }
      // Inside comments and strings.
      if (cls === digit) {
        let end = i + 1;
        while (end < length && (classOf(text.charCodeAt(end)) === digit || classOf(text.charCodeAt(end)) === wordStart))
          end++;
        emit(i, end, TokenKind.number);
        i = end;
        continue;
      }
      if (mode === Mode.template) {
        if (c === 96) {
          emit(i, i + 1, TokenKind.quoteClose);
          i++;
          mode = Mode.code;
          continue;
        }
        if (c === 36 && text.charCodeAt(i + 1) === 123) {
          emit(i, i + 2, TokenKind.open);
          i += 2;
          templateDepths = [...templateDepths, braces];
          mode = Mode.code;
          continue;
        }
      } else if (mode === Mode.regex) {
        if (i === regexEnd) {
          emit(i, i + 1, TokenKind.quoteClose);
          i++;
          mode = Mode.code;
          continue;
        }
      } else if (closing !== "" && text.startsWith(closing, i)) {
        emit(i, i + closing.length, mode === Mode.blockComment ? TokenKind.commentClose : TokenKind.quoteClose);
        i += closing.length;
        mode = Mode.code;
        continue;
      }
      if (
        c === 92 &&
        mode !== Mode.lineComment &&
        mode !== Mode.blockComment &&
        i + 1 < length &&
        classOf(text.charCodeAt(i + 1)) !== lineFeed &&
        classOf(text.charCodeAt(i + 1)) !== carriageReturn
      ) {
        const size = isHighSurrogate(text.charCodeAt(i + 1)) ? 3 : 2;
        emit(i, i + size, TokenKind.punctuation);
        i += size;
        continue;
      }
      let end = i + 1;
      if (c === 46 && text.startsWith("./", i)) end = i + 2;
      else if (c === 46 && text.startsWith("../", i)) end = i + 3;
      else if (mode === Mode.lineComment || mode === Mode.blockComment) {
        // Rulers made of one repeated character are one token, as long as they do not hide the
        // comment's end.
        while (end < length && text.charCodeAt(end) === c && !(closing !== "" && text.startsWith(closing, end))) end++;
      }
      emit(i, end, TokenKind.punctuation);
      i = end;
    }
    const isOver = i >= length;
    // The end of a regular expression is an offset in its own text, which another text does not
    // share.
    this.#mode = isOver && mode === Mode.regex ? Mode.code : mode;
    this.#regexEnd = regexEnd;
    this.#column = column;
    this.#gap = gap;
    this.#at = i;
    this.#closing = closing;
    this.#templateDepths = templateDepths;
    this.#braces = braces;
    this.length = count;
    this.end = count === 0 ? 0 : gap === Gap.none ? length : trimmedEnd(text);
  }

  #widen(): void {
    for (const table of ["tokens", "starts"] as const) {
      const wider = new Int32Array(this[table].length * 2);
      wider.set(this[table]);
      this[table] = wider;
    }
  }
}

/** The characters that keys and tokens are made of, besides letters and digits. */
function isRunMark(c: number): boolean {
  return c === 43 || c === 45 || c === 47 || c === 61;
}

/**
 * Where the key or token ends that begins at `start` with a word up to `end`; 0 when there is none.
 */
function endOfSecret(text: string, start: number, end: number): number {
  if (end - start < minSecret && !isRunMark(text.charCodeAt(end)) && classOf(text.charCodeAt(start)) !== digit)
    return 0;
  const run = endOfRun(text, end);
  return run - start >= minSecret && looksSecret(text.slice(start, run)) ? run : 0;
}

/**
 * Where the letters, digits and marks of a key or token that has begun before `at` come to an end.
 */
function endOfRun(text: string, at: number): number {
  let end = at;
  for (; end < text.length; end++) {
    const c = text.charCodeAt(end);
    const cls = classOf(c);
    if (cls !== wordStart && cls !== digit && !isRunMark(c)) break;
  }
  return end;
}

function isHighSurrogate(c: number): boolean {
  return (c & 0xfc00) === 0xd800;
}

/** Words that a value follows, and so a regular expression may. */
const valueWords = new Set("return typeof case in of do else void throw yield await delete instanceof".split(" "));

/** Whether a slash after these tokens begins a regular expression rather than divides. */
function opensRegex(vocabulary: Vocabulary, tokens: Int32Array, count: number): boolean {
  const id = tokens[count - 1]! >> 2;
  const kind = vocabulary.kinds[id]!;
  const name = vocabulary.names[id]!;
  if (kind === TokenKind.punctuation) return name !== "++" && name !== "--";
  return kind === TokenKind.open || valueWords.has(name);
}

/**
 * Offset of the slash that closes the regular expression begun before `start`; -1 when its line has
 * none.
 */
function endOfRegex(text: string, start: number): number {
  let inClass = false;
  for (let i = start; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 92) i++;
    else if (c === 10 || c === 13) return -1;
    else if (c === 91) inClass = true;
    else if (c === 93) inClass = false;
    else if (c === 47 && !inClass) return i > start ? i : -1;
  }
  return -1;
}

function trimmedEnd(text: string): number {
  let end = text.length;
  while (end > 0 && classOf(text.charCodeAt(end - 1)) === blank) end--;
  return end;
}

function indentWidth(text: string, start: number, end: number, indentUnit: number): number {
  let width = 0;
  for (let i = start; i < end; i++) width += text.charCodeAt(i) === 9 ? indentUnit : 1;
  return width;
}

function startOfComment(text: string, at: number, rules: LexRules): { open: string; close: string } | undefined {
  for (const [open, close] of rules.blockComments) if (text.startsWith(open, at)) return { open, close };
  for (const open of rules.lineComments) if (text.startsWith(open, at)) return { open, close: "" };
  return undefined;
}

function startOfLongQuote(text: string, at: number, rules: LexRules): string {
  for (const quote of rules.longQuotes) if (text.startsWith(quote, at)) return quote;
  return "";
}

function operatorSize(text: string, at: number, first: number): number {
  const list = operators[first];
  if (list !== undefined) for (const operator of list) if (text.startsWith(operator, at)) return operator.length;
  return 1;
}

function kindOfMark(text: string, at: number, size: number): number {
  const mark = size === 1 ? text[at]! : text.slice(at, at + size);
  if (openers.has(mark)) return TokenKind.open;
  if (mark === ")" || mark === "]" || mark === "}") return TokenKind.close;
  return TokenKind.punctuation;
}

/**
 * The width of one indentation step of `text`, in columns: the most common change to a deeper line,
 * of 2 to 8 columns, the smallest of several. 4 where there is no such change, or where a line is
 * indented with a tab. Only the first 400 lines count.
 */
export function indentUnitOf(text: string): number {
  const votes = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  let previous = 0;
  let at = 0;
  for (let lines = 0; lines < 400 && at < text.length; lines++) {
    const lineEnd = text.indexOf("\n", at);
    const end = lineEnd < 0 ? text.length : lineEnd;
    let i = at;
    while (i < end && text.charCodeAt(i) === 32) i++;
    if (text.charCodeAt(i) === 9) return 4;
    if (i < end && text.charCodeAt(i) !== 13) {
      const step = i - at - previous;
      if (step > 1 && step <= 8) votes[step]!++;
      previous = i - at;
    }
    at = end + 1;
  }
  let best = 2;
  for (let step = 2; step <= 8; step++) if (votes[step]! > votes[best]!) best = step;
  return votes[best] === 0 ? 4 : best;
}
