import type { GrammarIssue } from "../tables/grammar-issue.ts";

/** Thrown where the rest of a grammar's text can't be parsed. */
export class NotationFault extends Error {
  readonly offset: number;

  /** `offset` counts UTF-16 code units of the grammar's text. */
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** The deepest nesting of groups and of postfix marks such as `*`. */
const maxNesting = 200;

/**
 * A position in a grammar's text that moves forward as the text is read. Offsets count UTF-16 code
 * units.
 */
export class TextCursor {
  readonly text: string;
  offset = 0;
  readonly #blank: RegExp;
  #nesting = 0;
  #lastLine = { offset: 0, line: 0 };

  /** `blank`: a sticky expression for white space and comments between tokens. */
  constructor(text: string, blank: RegExp) {
    this.text = text;
    this.#blank = blank;
  }

  /**
   * The line of an offset, from 0. Counting starts at the offset of the last call where that is
   * smaller.
   */
  lineAt(offset: number): number {
    let { offset: from, line } = offset < this.#lastLine.offset ? { offset: 0, line: 0 } : this.#lastLine;
    for (;;) {
      const end = this.text.indexOf("\n", from);
      if (end < 0 || end >= offset) break;
      from = end + 1;
      line += 1;
    }
    this.#lastLine = { offset: from, line };
    return line;
  }

  /** Skips blanks. Returns whether the text ends there. */
  atEnd(): boolean {
    this.skip();
    return this.offset >= this.text.length;
  }

  /**
   * Moves behind what the sticky expression `blank` matches; by default, behind white space and
   * comments.
   */
  skip(blank = this.#blank): void {
    blank.lastIndex = this.offset;
    this.offset += blank.exec(this.text)?.[0].length ?? 0;
  }

  /** Skips blanks. Returns whether `mark` follows. */
  sees(mark: string): boolean {
    this.skip();
    return this.text.startsWith(mark, this.offset);
  }

  /** Skips blanks. Where `mark` follows, moves behind it and returns `true`. */
  take(mark: string): boolean {
    if (!this.sees(mark)) return false;
    this.offset += mark.length;
    return true;
  }

  /**
   * Matches a sticky expression after blanks, and moves behind the match. `undefined` where it does
   * not match.
   */
  match(expression: RegExp): RegExpExecArray | undefined {
    this.skip();
    return this.matchHere(expression);
  }

  /** As `match`, without skipping blanks. */
  matchHere(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.offset;
    const match = expression.exec(this.text);
    if (match === null) return undefined;
    this.offset += match[0].length;
    return match;
  }

  /**
   * Skips blanks, and moves behind `mark`. Throws {@link NotationFault} where `mark` does not
   * follow.
   */
  expect(mark: string): void {
    if (!this.take(mark)) this.fail(`Write \`${mark}\` here, ${this.#found()}.`);
  }

  /**
   * Returns what `read` reads one level deeper. Throws {@link NotationFault} where the levels nest
   * too deeply, with `offset`, the position of what opens the level.
   */
  nested<Value>(offset: number, read: () => Value): Value {
    this.#nesting += 1;
    this.checkNesting(this.#nesting, offset);
    const value = read();
    this.#nesting -= 1;
    return value;
  }

  /** Throws {@link NotationFault} with `offset` where `levels` exceeds the limit. */
  checkNesting(levels: number, offset = this.offset): void {
    if (levels > maxNesting)
      this.fail(`Name a part of this as a rule of its own: it nests over ${maxNesting} deep.`, offset);
  }

  /** Throws {@link NotationFault} with `message` and `offset`. */
  fail(message: string, offset = this.offset): never {
    throw new NotationFault(message, offset);
  }

  /**
   * Throws {@link NotationFault} with a message that `wanted`, such as `a rule's name`, is expected
   * here.
   */
  expected(wanted: string): never {
    return this.fail(`Write ${wanted} here, ${this.#found()}.`);
  }

  #found(): string {
    this.skip();
    const [found] = this.text.slice(this.offset, this.offset + 12).split("\n");
    return this.offset >= this.text.length ? "before the text ends" : `not ${JSON.stringify(found)}`;
  }
}

/**
 * A fault as an error with the code `syntax`, with its line and column, both from 0; `offset` and
 * column are in UTF-16 code units.
 */
export function issueOf(text: string, { message, offset }: { message: string; offset: number }): GrammarIssue {
  const before = text.slice(0, offset).split("\n");
  return { code: "syntax", severity: "error", message, line: before.length - 1, column: before.at(-1)!.length };
}
