import type { Language } from "../../syntax/index.ts";
import { type CodeToken, isWord, layout } from "./code-tokens.ts";

/**
 * A statement of a body as found in its tokens, with the statements in its braces or on its deeper
 * lines.
 */
export interface CodeStatement {
  /** Its own tokens, without those of nested statements. */
  readonly tokens: CodeToken[];
  readonly children: CodeStatement[];
  /**
   * Whether its nested statements are the body of a function value, so that a change of them
   * changes the value.
   */
  holdsFunction: boolean;
}

/**
 * The statements at the top level of a body, in the order of the text, with nested ones below them;
 * derived from tokens alone, so that it serves all languages.
 *
 * A statement ends with a semicolon, with a line that does not continue, and before and after a
 * block. Braces after `)`, `=>`, a keyword such as `else` or a name are a block; others are an
 * object.
 */
export function codeStatements(tokens: readonly CodeToken[], language: Language): CodeStatement[] {
  return new StatementReader(tokens, language).read();
}

/** All statements, each before its nested ones. */
export function* allStatements(statements: readonly CodeStatement[]): Generator<CodeStatement> {
  for (const statement of statements) {
    yield statement;
    yield* allStatements(statement.children);
  }
}

const beforeValue =
  /^(return|throw|yield|await|new|in|of|case|default|typeof|=|\(|\[|,|:|\?|&&|\|\||\?\?|\.\.\.|[-+*/%&|^]=)$/;
const goesOnBefore = /^([-+*/%&|^=<>!?:.,([]|=>|===?|!==?|<=|>=|&&|\|\||\?\?|\?\.|->|::|:=|[-+*/%&|^]=|\.\.\.?)$/;
const goesOnAfter = /^([-+*/%&|^=<>?:.,)\]]|=>|===?|!==?|<=|>=|&&|\|\||\?\?|\?\.|->|::|:=|[-+*/%&|^]=)$/;
const functionWord = /^(function|def|fn|func|lambda)$/;
const header = /^(if|for|while|else|do|elif|foreach|unless|until)$/;

class StatementReader {
  readonly #tokens: readonly CodeToken[];
  readonly #isLayout: boolean;
  /**
   * Statements that contain `new` or a function keyword, which decides what their braces are.
   * Cached, since a statement may have many braces.
   */
  readonly #withNew = new Set<CodeStatement>();
  readonly #withFunction = new Set<CodeStatement>();

  constructor(tokens: readonly CodeToken[], language: Language) {
    this.#tokens = tokens;
    this.#isLayout = language.indentationSensitive === true;
  }

  read(): CodeStatement[] {
    /**
     * The lists being filled, outermost first, each with its current statement and the number of
     * brackets open in it.
     */
    const levels: {
      readonly list: CodeStatement[];
      current: CodeStatement | undefined;
      depth: number;
      objects: number[];
    }[] = [{ list: [], current: undefined, depth: 0, objects: [] }];
    for (let index = 0; index < this.#tokens.length; index++) {
      const token = this.#tokens[index]!;
      const before = this.#tokens[index - 1];
      const level = levels.at(-1)!;
      const put = () => {
        if (level.current === undefined) {
          level.current = { tokens: [], children: [], holdsFunction: false };
          level.list.push(level.current);
        }
        level.current.tokens.push(token);
        if (token.text === "new") this.#withNew.add(level.current);
        if (functionWord.test(token.text)) this.#withFunction.add(level.current);
        return level.current;
      };
      const opensBlock = this.#isLayout
        ? token.text === layout.indent
        : token.text === "{" && this.#isBlock(level.current, before);
      if (opensBlock) {
        const last = level.list.at(-1);
        if (this.#isLayout && level.current === undefined && last) level.current = last;
        const around = put();
        around.holdsFunction ||= level.depth > 0 || before?.text === "=>" || this.#withFunction.has(around);
        level.current = around;
        levels.push({ list: around.children, current: undefined, depth: 0, objects: [] });
        continue;
      }
      const closesBlock = this.#isLayout
        ? token.text === layout.dedent
        : token.text === "}" && level.objects.length === 0 && levels.length > 1;
      if (closesBlock) {
        levels.pop();
        if (levels.length === 0) levels.push(level);
        const outer = levels.at(-1)!;
        // The closing bracket belongs to the header, whose change moves what it contains.
        outer.current?.tokens.push(token);
        // A call continues after the last brace of a callback; an `if` does not.
        const goesOn = outer.depth > 0 || /^[),;.\]]|^\?\.$/.test(this.#tokens[index + 1]?.text ?? "");
        if (!goesOn || this.#isLayout) outer.current = undefined;
        continue;
      }
      if (this.#isLayout && token.text === layout.line) {
        level.current = undefined;
        continue;
      }
      if (!this.#isLayout && token.startsLine && level.depth === 0 && isNewStatement(level.current, token)) {
        level.current = undefined;
      }
      if (token.text === ";" && level.depth === 0) {
        level.current = undefined;
        continue;
      }
      put();
      if (/^[([{]$/.test(token.text)) {
        level.depth++;
        if (token.text === "{") level.objects.push(level.depth);
      } else if (/^[)\]}]$/.test(token.text)) {
        if (level.objects.at(-1) === level.depth) level.objects.pop();
        level.depth = Math.max(0, level.depth - 1);
      }
    }
    return levels[0]!.list;
  }

  #isBlock(current: CodeStatement | undefined, before: CodeToken | undefined): boolean {
    if (current === undefined || before === undefined) return true;
    if (before.text === "=>" || before.text === ")") return true;
    if (this.#withNew.has(current) && isWord(before.text)) return false;
    return !beforeValue.test(before.text) && before.text !== "{";
  }
}

/** Whether a token that begins a line begins a statement. */
function isNewStatement(current: CodeStatement | undefined, token: CodeToken): boolean {
  const last = current?.tokens.at(-1);
  if (last === undefined) return false;
  if (goesOnBefore.test(last.text) || goesOnAfter.test(token.text)) return false;
  // `if (a)` and its statement are on two lines.
  return !(header.test(current!.tokens[0]!.text) && (last.text === ")" || header.test(last.text)));
}
