import { runSteps, type Steps } from "../../async/index.ts";
import { type Language, type Region, Structure } from "../../syntax/index.ts";
import type { TextRange } from "../../text/index.ts";

/** A token of code. Comments and whitespace are no tokens. Offsets are UTF-16. */
export interface CodeToken extends TextRange {
  /**
   * Its text, with normalized quotes; for a significant line break or indentation, one of {@link
   * layout}.
   */
  readonly text: string;
  readonly startsLine: boolean;
  /** Whether it has no meaning: a trailing comma, a semicolon before a line break. */
  readonly isIdle: boolean;
}

/** The tokens for line breaks and indentation in languages where these are significant. */
export const layout = { line: "↵", indent: "⇥", dedent: "⇤" } as const;

/**
 * The tokens of a text in order. Whitespace and comments are no tokens. A token is idle where it
 * has no meaning, such as a trailing comma; formatting changes only idle tokens.
 *
 * Formatting is: whitespace and comments (but not the indentation of Python and similar languages);
 * commas before a closing bracket (but not those that make a tuple); in scripts, semicolons and
 * commas that end a statement or a member, unless the next token could continue it; parentheses
 * around an arrow function's only parameter; a leading `|` of a union; parentheses around a whole
 * operand; the quotes of a string of a script or of Python. Law: formatted versions of a text have
 * the same tokens that are not idle.
 */
export function codeTokens(text: string, language: Language): CodeToken[] {
  return runSteps(codeTokenSteps(text, language));
}

/**
 * As {@link codeTokens}, in steps: yields between them, so that the caller can run other work or
 * stop.
 */
export function* codeTokenSteps(text: string, language: Language): Steps<CodeToken[]> {
  const { regions } = Structure.of(text, language);
  yield;
  const found = yield* rawTokens(text, language, regions);
  yield;
  const tokens = language.indentationSensitive === true ? withLayout(text, found) : found;
  yield;
  return yield* markIdle(tokens, language);
}

/** The number of tokens in one step, about 20 milliseconds of work. */
const stepTokens = 20_000;

/** The tokens that lie wholly in `range`. `tokens` are ascending. */
export function tokensIn(tokens: readonly CodeToken[], range: TextRange): CodeToken[] {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tokens[middle]!.start < range.start) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < tokens.length && tokens[end]!.end <= range.end) end++;
  return tokens.slice(low, end);
}

/** The texts of the tokens that are not idle. */
export function meaningOf(tokens: readonly CodeToken[]): string[] {
  return tokens.filter(({ isIdle }) => !isIdle).map(({ text }) => text);
}

/** Whether a token's text begins like a name or a keyword; false for `undefined`. */
export function isWord(text: string | undefined): text is string {
  return text !== undefined && /^[\p{ID_Start}$_@#]/u.test(text);
}

/**
 * A token not yet known to be idle. Tokens are finished in place, since a long text has a million.
 */
type RawToken = { -readonly [Key in keyof CodeToken]: CodeToken[Key] };

const pattern =
  /[\p{ID_Start}$_@#][\p{ID_Continue}$\u200c\u200d]*|\.?\d(?:[\w.]|(?<=[eE])[-+])*|(?:\*\*|<<|>>|&&|\|\||\?\?|\/\/)=|=>|===?|!==?|<=|>=|&&|\|\||\?\?|\?\.(?!\d)|\.\.\.?|\*\*|\+\+|--|->|::|:=|[-+*/%&|^]=|\S/gu;

function* rawTokens(text: string, language: Language, regions: readonly Region[]): Steps<RawToken[]> {
  const tokens: RawToken[] = [];
  const quotes = language.script !== undefined || language.traits.equalQuotes === true;
  let at = 0;
  let startsLine = true;
  const push = (start: number, end: number, shown: string) => {
    tokens.push({ start, end, text: shown, startsLine, isIdle: false });
    startsLine = false;
  };
  const code = function* (end: number): Generator<void> {
    pattern.lastIndex = at;
    for (let match = pattern.exec(text); match !== null && match.index < end; match = pattern.exec(text)) {
      startsLine ||= text.slice(at, match.index).includes("\n");
      // A comment or a string ends a token, even if the pattern would match further.
      const tokenEnd = Math.min(pattern.lastIndex, end);
      push(match.index, tokenEnd, text.slice(match.index, tokenEnd));
      at = tokenEnd;
      if (tokens.length % stepTokens === 0) yield;
      // The caller may have tokenized another text between two steps.
      pattern.lastIndex = at;
    }
    startsLine ||= text.slice(at, end).includes("\n");
    at = end;
  };
  for (const { kind, start, end } of regions) {
    if (end <= at) continue;
    yield* code(start);
    const inner = text.slice(start, end);
    if (kind === "comment") startsLine ||= inner.includes("\n");
    else if (kind === "text") {
      const shown = inner.trim().replace(/\s+/g, " ");
      if (shown !== "") push(start, end, shown);
    } else push(start, end, quotes && kind === "string" ? withPlainQuotes(inner) : inner);
    at = end;
  }
  yield* code(text.length);
  return tokens;
}

/** `'it\'s'` and `"it's"` are equal. */
function withPlainQuotes(literal: string): string {
  const [, open = "", quote = "", inner = ""] = /^(\w*)("""|'''|"|')([\s\S]*)\2$/.exec(literal) ?? [];
  if (quote === "") return literal;
  if (!/["'\\]/.test(inner)) return `${open}${quote.replaceAll("'", '"')}${inner}${quote.replaceAll("'", '"')}`;
  if (quote.length > 1 || /r/i.test(open)) return literal;
  return `${open}"${inner.replace(/\\([\s\S])/g, (all, one) => (one === "'" || one === '"' ? one : all))}"`;
}

/**
 * Adds tokens for line ends and for changes of indentation, located in the whitespace before a
 * line's first token.
 */
function withLayout(text: string, tokens: readonly RawToken[]): RawToken[] {
  const result: RawToken[] = [];
  const indents = [0];
  let depth = 0;
  for (const token of tokens) {
    if (token.startsLine && depth === 0 && result.length > 0) {
      const mark = (shown: string) =>
        result.push({ start: token.start - 1, end: token.start, text: shown, startsLine: true, isIdle: false });
      const column = columnOf(text, token.start);
      if (!/\\\r?\n[^\S\n]*$/.test(text.slice(Math.max(0, token.start - 200), token.start))) {
        mark(layout.line);
        if (column > indents.at(-1)!) {
          indents.push(column);
          mark(layout.indent);
        }
        while (column < indents.at(-1)!) {
          indents.pop();
          mark(layout.dedent);
        }
      }
    }
    if (/^[([{]$/.test(token.text)) depth++;
    else if (/^[)\]}]$/.test(token.text)) depth = Math.max(0, depth - 1);
    // A backslash that joins two lines has no meaning of its own.
    if (token.text !== "\\") result.push(token);
  }
  return result;
}

function columnOf(text: string, offset: number): number {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  return text.slice(lineStart, offset).replaceAll("\t", "        ").length;
}

/** Keywords of scripts whose statement may end with the line. */
const restricted: ReadonlySet<string> = new Set(["return", "throw", "break", "continue", "yield"]);
/** Tokens that could continue the expression before them. */
const goesOn: ReadonlySet<string> = new Set("( [ + - * / . ?. ? , < => = instanceof in of as satisfies `".split(" "));

/** After these tokens, `|` and `&` are leading and have no meaning. */
const beforeFirst = /^([=(:<,[?|&]|=>|extends|as|satisfies|keyof)$/;

function* markIdle(tokens: RawToken[], language: Language): Steps<CodeToken[]> {
  const isScript = language.script !== undefined;
  const { tuples = false, idleSemicolons = false } = language.traits;
  /** The open brackets: the index of each, and the number of commas in it so far. */
  const open: { readonly index: number; readonly text: string; commas: number }[] = [];
  /**
   * Keywords that end with their line. The tokens are changed at the end, so that comparisons see
   * the original text.
   */
  const ended: RawToken[] = [];
  for (let index = 0; index < tokens.length; index++) {
    if (index % stepTokens === stepTokens - 1) yield;
    const token = tokens[index]!;
    const { text } = token;
    const next = tokens[index + 1];
    const around = open.at(-1);
    if (text === "(" || text === "[" || text === "{") open.push({ index, text, commas: 0 });
    else if (text === ")" || text === "]" || text === "}") {
      open.pop();
      if (
        isScript &&
        text === ")" &&
        around !== undefined &&
        (next?.text === "=>" ? isOnlyName(tokens, around.index, index) : isWholeOperand(tokens, around, index))
      ) {
        tokens[around.index]!.isIdle = true;
        token.isIdle = true;
      }
    } else if (text === "," || text === ";") {
      if (around !== undefined) around.commas++;
      const before = tokens[index - 1]?.text;
      const isLast = next === undefined || /^[)\]}]$/.test(next.text);
      const inBraces = around === undefined || around.text === "{";
      if (before === "," || before === "[" || before === undefined) continue;
      if (text === "," && isLast && next !== undefined) token.isIdle = !(tuples && isTuple(tokens, around));
      else if (isScript && inBraces) token.isIdle = isLast || before === "{" || !couldGoOn(next);
      else if (idleSemicolons && text === ";" && (next === undefined || next.startsLine)) token.isIdle = true;
    } else if (isScript && (text === "|" || text === "&") && beforeFirst.test(tokens[index - 1]?.text ?? "")) {
      token.isIdle = true;
    } else if (isScript && restricted.has(text)) {
      // `return` and `return;` end here, `return a` does not, and dropping the semicolon must not
      // make them equal.
      if (next === undefined || next.startsLine || next.text === ";" || next.text === "}") ended.push(token);
    }
  }
  for (const token of ended) token.text = `${token.text};`;
  return tokens;
}

function couldGoOn({ text, startsLine }: RawToken): boolean {
  return (goesOn.has(text) && !(text === "<" && startsLine)) || text.startsWith("`");
}

const beforeOperand = /^(return|throw|await|=>|=|[([,])$/;
const behindOperand = /^[)\],;}]$/;

/** Whether parentheses enclose a whole operand, as in `return (a)`, and so group nothing. */
function isWholeOperand(
  tokens: readonly RawToken[],
  { index: open, commas }: { readonly index: number; readonly commas: number },
  close: number,
): boolean {
  const before = tokens[open - 1];
  const next = tokens[close + 1];
  if (commas > 0 || close === open + 1 || before === undefined || !beforeOperand.test(before.text)) return false;
  // Without the parentheses, the braces of the object would be those of a body.
  if (before.text === "=>" && tokens[open + 1]?.text === "{") return false;
  return (
    next === undefined || behindOperand.test(next.text) || (next.startsLine && !couldGoOn(next) && isWord(next.text))
  );
}

function isOnlyName(tokens: readonly RawToken[], open: number, close: number): boolean {
  const trailing = tokens[close - 1]?.text === "," ? 1 : 0;
  return close - open === 2 + trailing && isWord(tokens[open + 1]!.text) && tokens[open - 1]?.text !== "async";
}

/** `(a,)` is a tuple and `(a)` is not; `f(a,)` is `f(a)`. */
function isTuple(
  tokens: readonly RawToken[],
  around: { readonly index: number; readonly text: string; readonly commas: number } | undefined,
): boolean {
  if (around?.text !== "(" || around.commas > 1) return false;
  const before = tokens[around.index - 1]?.text ?? "";
  return (
    !(isWord(before) && !/^(return|yield|in|and|or|not|is|if|else|lambda|let|match)$/.test(before)) &&
    !/^[)\]]$/.test(before)
  );
}

/** How often each token occurs. */
export type TokenBag = ReadonlyMap<string, number>;

/**
 * The similarity of two bags: 0 for nothing in common, 1 for equal, also for two empty ones.
 *
 * Source: the coefficient of Sørensen and Dice, over multisets.
 */
export function likeness(one: TokenBag, other: TokenBag): number {
  let shared = 0;
  let total = 0;
  for (const [token, count] of one) {
    total += count;
    shared += Math.min(count, other.get(token) ?? 0);
  }
  for (const count of other.values()) total += count;
  return total === 0 ? 1 : (2 * shared) / total;
}
