import type { GrammarName } from "./languages.ts";

/**
 * How deeply the constructs of a text in the style of C or JavaScript may nest: a bound from above,
 * found in one pass.
 *
 * Parsers call themselves once or more for each level, and a native parser that runs out of stack
 * ends the process. A level is an open bracket, or a sign or keyword that may hold what follows
 * within it, such as those of `a ? b : c ? d : e`, `x => y => z`, `else if` and `!!a`; these count
 * until their statement or element ends. Text in quotes and comments does not count.
 */
export function nestingBound(text: string): number {
  /**
   * The levels of what is open, from the outside in: those that ended with `,` or `;` are taken
   * off.
   */
  const open: number[] = [];
  let own = 0;
  let around = 0;
  let most = 0;
  /** Whether a line that ends here ends its statement. */
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
 * How many brackets of a text are open at once, at most; `<` counts until its statement or line
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
 * Whether a text nests more deeply than its grammar can be trusted with.
 *
 * Tree-sitter merges the stacks of an ambiguous text, such as `({({` in Java, by recursion. From
 * some 4,000 levels on that overwrites the memory of its runtime, and so breaks the parsers of all
 * languages.
 */
export function nestsTooDeeply(text: string, grammar: GrammarName | undefined): boolean {
  if (grammar === undefined || !ambiguousGrammars.has(grammar) || text.length <= maxOpenBrackets) return false;
  return openBracketsBound(text) > maxOpenBrackets;
}

/** The grammars in which brackets begin more than one thing. */
const ambiguousGrammars: ReadonlySet<GrammarName> = new Set(["c", "cpp", "c_sharp", "java"]);
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

/** Words behind which something nests. */
const nestingWords: ReadonlySet<string> = new Set(
  (
    "as async await case class delete do else export extends for function if in infer instanceof is keyof label new of " +
    "readonly return satisfies static throw try typeof unique void while with yield"
  ).split(" "),
);

/** Where comments begin, words, signs and line ends. */
const pieces = /\/[/*]|[A-Za-z_$][\w$]*|[^\s\w$`\\\u0080-\uffff]|\n/g;

function endOfComment(text: string, start: number): number {
  const isLine = text.charCodeAt(start + 1) === slash;
  const end = text.indexOf(isLine ? "\n" : "*/", start + 2);
  if (end < 0) return text.length;
  return isLine ? end : end + 2;
}

/**
 * A string ends with its line at the latest, so that an apostrophe of prose hides no more than
 * that.
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

/** Whether the next line continues the last one. */
const continues = /^\s*(?:[.?:+\-*/%&|^=<>)\]]|else\b|as\b|extends\b|in\b|of\b|instanceof\b|satisfies\b)/;
const lookAhead = 200;
