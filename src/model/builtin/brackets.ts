/**
 * The brackets that the text in a hole has to close and to open.
 *
 * `open` is the stack of brackets that the text before the hole leaves open, outermost first;
 * `needed` are the brackets that the text after the hole closes without opening them, also
 * outermost first. Where both agree from the outside, the hole owes nothing. It has to close the
 * rest of `open` and to open the rest of `needed`.
 */
export class BracketDebt {
  /** Brackets left open so far, as the text of their openers, outermost first. */
  readonly open: string[] = [];
  /** Openers that the text after the hole closes, outermost first. */
  needed: readonly string[] = [];
  /** How many of {@link open} are on lines before the hole's line. */
  earlier = 0;
  #shared = 0;

  /** Becomes a copy of `other`. */
  copy(other: BracketDebt): void {
    this.open.length = 0;
    this.open.push(...other.open);
    this.needed = other.needed;
    this.earlier = other.earlier;
    this.#shared = other.#shared;
  }

  /** Starts again from the text before (`open`) and after (`needed`) the hole. */
  reset(open: readonly string[], needed: readonly string[], earlier: number): void {
    this.open.length = 0;
    this.open.push(...open);
    this.needed = needed;
    this.earlier = earlier;
    this.#agree();
  }

  /** Reads an opening (`+1`) or closing (`-1`) bracket written in the hole. */
  push(text: string, direction: 1 | -1): void {
    if (direction === 1) this.open.push(text);
    else if (this.open.length > 0) this.open.pop();
    this.earlier = Math.min(this.earlier, this.open.length);
    this.#agree();
  }

  /** How many brackets the hole has to close. */
  get toClose(): number {
    return this.open.length - this.#shared;
  }

  /** How many of {@link toClose} were opened on earlier lines. */
  get toCloseEarlier(): number {
    return Math.max(0, this.earlier - this.#shared);
  }

  /** How many brackets the hole has to leave open. */
  get toOpen(): number {
    return this.needed.length - this.#shared;
  }

  /** The opener to leave open next, or an empty string. */
  get nextToOpen(): string {
    return this.toClose === 0 ? (this.needed[this.#shared] ?? "") : "";
  }

  /** The innermost open bracket, or an empty string. */
  get innermost(): string {
    return this.open.at(-1) ?? "";
  }

  #agree(): void {
    const { open, needed } = this;
    let shared = 0;
    while (shared < open.length && shared < needed.length && same(open[shared]!, needed[shared]!)) shared++;
    this.#shared = shared;
  }
}

/** The closing bracket of an opener such as `(` or `${`: `)`, `]`, or `}` for any other text. */
export function closerOf(opener: string): string {
  const last = opener.at(-1);
  return last === "(" ? ")" : last === "[" ? "]" : "}";
}

/** The plain opener of a closing bracket: `(`, `[`, or `{` for any other text. */
export function openerOf(closer: string): string {
  return closer === ")" ? "(" : closer === "]" ? "[" : "{";
}

function same(a: string, b: string): boolean {
  return a.at(-1) === b.at(-1);
}
