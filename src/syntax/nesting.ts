import type { Language } from "../languages/index.ts";

/**
 * An upper bound of the nesting depth, in levels, of a text in the style of C or JavaScript, found
 * in one pass; 0 for a text without nesting.
 *
 * Parsers recurse once or more for each level, and a native parser that runs out of stack ends the
 * process. A level is an open bracket, or an operator or keyword with a nested operand, as in
 * `a ? b : c ? d : e`, `x => y => z`, `else if` and `!!a`; these count until their statement or
 * element ends. Text in quotes and comments does not count.
 */
export function nestingBound(text: string): number {
  /** The levels of open brackets, outermost first, without those that ended with `,` or `;`. */
  const open: number[] = [];
  let own = 0;
  let around = 0;
  let most = 0;
  /** Whether a statement may end at the end of this line. */
  let mayEnd = true;
  pieces.lastIndex = 0;
  for (let found = pieces.exec(text); found !== null; found = pieces.exec(text)) {
    const piece = found[0];
    const code = piece.charCodeAt(0);
    if (code === lineFeed) {
      if (mayEnd && !continues.test(text.slice(pieces.lastIndex, pieces.lastIndex + lookAhead))) own = 0;
    } else if (code === slash && piece.length > 1) {
      pieces.lastIndex = endOfComment(text, found.index);
    } else if (code === comma || code === semicolon) {
      own = 0;
      mayEnd = true;
    } else if (code === paren || code === bracket || code === brace) {
      open.push(own + 1);
      around += own + 1;
      own = 0;
      mayEnd = true;
    } else if (code === parenEnd || code === bracketEnd || code === braceEnd) {
      const before = open.pop() ?? 0;
      around -= before;
      own = before;
      mayEnd = true;
    } else if (code === quote || code === apostrophe) {
      pieces.lastIndex = endOfString(text, found.index, code);
      mayEnd = true;
    } else if (code === angleEnd && text.charCodeAt(found.index - 1) !== equals) {
      own = Math.max(0, own - 1);
      mayEnd = true;
    } else if (isSign[code] === true) {
      own += 1;
      mayEnd = false;
    } else {
      const isNesting = nestingWords.has(piece);
      if (isNesting) own += 1;
      mayEnd = !isNesting;
    }
    if (around + own > most) most = around + own;
  }
  return most;
}

/**
 * The maximum number of brackets that are open at once; `<` counts until its statement or line
 * ends. Text in quotes and comments does not count.
 */
export function openBracketsBound(text: string): number {
  let around = 0;
  let angles = 0;
  let most = 0;
  brackets.lastIndex = 0;
  for (let found = brackets.exec(text); found !== null; found = brackets.exec(text)) {
    const code = found[0].charCodeAt(0);
    if (code === slash) brackets.lastIndex = endOfComment(text, found.index);
    else if (code === quote || code === apostrophe) brackets.lastIndex = endOfString(text, found.index, code);
    else if (code === paren || code === bracket || code === brace) around += 1;
    else if (code === parenEnd || code === bracketEnd || code === braceEnd) around = Math.max(0, around - 1);
    else if (code === angle) angles += 1;
    else if (code === angleEnd) angles = Math.max(0, angles - 1);
    else angles = 0;
    if (around + angles > most) most = around + angles;
  }
  return most;
}

/**
 * Whether a text nests too deeply for its grammar: more than 3,000 open brackets where these
 * are ambiguous.
 *
 * Tree-sitter merges the stacks of an ambiguous text, such as `({({` in Java, by recursion. From
 * about 4,000 levels on this overwrites the memory of its runtime, and breaks the parsers of all
 * languages.
 */
export function nestsTooDeeply(text: string, language: Language): boolean {
  if (language.hasAmbiguousBrackets !== true || text.length <= maxOpenBrackets) return false;
  return openBracketsBound(text) > maxOpenBrackets;
}

const maxOpenBrackets = 3_000;

const brackets = /\/[/*]|["'()[\]{}<>;\n]/g;

const lineFeed = 10;
const slash = 47;
const backslash = 92;
const comma = 44;
const semicolon = 59;
const [paren, parenEnd, bracket, bracketEnd, brace, braceEnd] = [40, 41, 91, 93, 123, 125];
const [quote, apostrophe, angle, angleEnd, equals] = [34, 39, 60, 62, 61];

const isSign: Readonly<Record<number, boolean>> = Object.fromEntries(
  Array.from("+-*/%&|^!~<>=?:.@#", (sign) => [sign.charCodeAt(0), true]),
);

/** Keywords with a nested operand or statement. */
const nestingWords: ReadonlySet<string> = new Set(
  (
    "as async await case class delete do else export extends for function if in infer instanceof is keyof label new of " +
    "readonly return satisfies static throw try typeof unique void while with yield"
  ).split(" "),
);

/** Comment starts, words, operators and line ends. */
const pieces = /\/[/*]|[A-Za-z_$][\w$]*|[^\s\w$`\\\u0080-\uffff]|\n/g;

function endOfComment(text: string, start: number): number {
  const isLine = text.charCodeAt(start + 1) === slash;
  const end = text.indexOf(isLine ? "\n" : "*/", start + 2);
  if (end < 0) return text.length;
  return isLine ? end : end + 2;
}

/**
 * A string ends with its line at the latest, so that an apostrophe in prose hides only the rest of
 * its line.
 */
function endOfString(text: string, start: number, mark: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === mark) return at + 1;
    if (code === lineFeed) return at;
    if (code === backslash) at += 1;
  }
  return text.length;
}

/** Whether the next line continues the current statement. */
const continues = /^\s*(?:[.?:+\-*/%&|^=<>)\]]|else\b|as\b|extends\b|in\b|of\b|instanceof\b|satisfies\b)/;
const lookAhead = 200;
