import type { Token } from "./hunk-words.ts";

/**
 * Who is in whose brackets, among the tokens of a file, and which brackets hold the parameters or
 * arguments of a name.
 */
export class Brackets {
  readonly #tokens: readonly Token[];
  /**
   * For each token the index of the bracket that it is in, or -1; a bracket is in the one around
   * it.
   */
  readonly #opener: readonly number[];
  /** For each opening bracket the index of its closing one. */
  readonly #closer = new Map<number, number>();

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
    const open: number[] = [];
    const opener: number[] = [];
    for (const [index, { text }] of tokens.entries()) {
      if (closing.has(text)) {
        const partner = open.findLastIndex((at) => pairs[tokens[at]!.text] === text);
        if (partner >= 0) {
          this.#closer.set(open[partner]!, index);
          open.length = partner;
        }
      }
      opener.push(open.at(-1) ?? -1);
      if (pairs[text] !== undefined) open.push(index);
    }
    this.#opener = opener;
  }

  /**
   * The names whose parameters or arguments the token is among, from the inside out, as far as the
   * body of a function around it.
   */
  callsAround(index: number): BracketName[] {
    const names: BracketName[] = [];
    for (let at = this.#opener[index] ?? -1; at >= 0; at = this.#opener[at]!) {
      const { text } = this.#tokens[at]!;
      if (text === "{" && /^(?:\)|=>)$/.test(this.#textAt(at - 1))) break;
      const name = text === "(" ? this.#nameOf(at) : undefined;
      if (name !== undefined) names.push(name);
    }
    return names;
  }

  /**
   * The name that the round bracket at `open` belongs to, as in `f(`, `f<T>(`, `f = (…) =>` and
   * `f: (…) =>`.
   */
  #nameOf(open: number): BracketName | undefined {
    const close = this.#closer.get(open);
    const behind = close === undefined ? "" : this.#textAt(close + 1);
    let at = open - 1;
    if (this.#textAt(at) === ">") at = this.#beforeTypeArguments(at);
    if (this.#textAt(at) === "async") at--;
    const isArrow = behind === "=>" || behind === ":";
    if (isArrow && /^[=:]$/.test(this.#textAt(at))) {
      const name = this.#tokens[at - 1];
      return name?.isWord === true ? { name: name.text, at: at - 1, isDeclared: true } : undefined;
    }
    const name = this.#tokens[at];
    if (name?.isWord !== true || controls.has(name.text)) return undefined;
    const ahead = this.#textAt(at - 1);
    const isDeclared = declaring.has(ahead) || (/^[{:]$/.test(behind) && !calling.has(ahead));
    if (name.text === "constructor") {
      const owner = this.#classAround(open);
      return owner === undefined ? undefined : { name: owner, at, isDeclared: true };
    }
    return { name: name.text, at, isDeclared };
  }

  #beforeTypeArguments(close: number): number {
    let depth = 0;
    for (let at = close; at >= 0 && close - at < 60; at--) {
      const text = this.#textAt(at);
      if (text === ">") depth++;
      if (text === "<" && --depth === 0) return at - 1;
    }
    return close;
  }

  #classAround(index: number): string | undefined {
    for (let at = this.#opener[index] ?? -1; at >= 0; at = this.#opener[at]!) {
      for (let back = at - 1; back >= 0 && at - back < 40 && !/^[{};]$/.test(this.#textAt(back)); back--) {
        if (this.#textAt(back) === "class") return this.#textAt(back + 1);
      }
    }
    return undefined;
  }

  #textAt(index: number): string {
    return this.#tokens[index]?.text ?? "";
  }
}

/** A name in front of a round bracket. */
export interface BracketName {
  readonly name: string;
  /** Which token it is. */
  readonly at: number;
  /** Whether what is in the bracket looks like parameters, not arguments. */
  readonly isDeclared: boolean;
}

const pairs: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const closing = new Set(Object.values(pairs));
const controls = new Set(
  "if for while switch catch with return typeof await function and or not in of elif".split(" "),
);
const declaring = new Set(["function", "def", "func", "fn", "fun"]);
const calling = new Set([".", "?.", "new", "return", "await", "case", "?", "=", "(", ",", "=>", "&&", "||", "??", "!"]);
