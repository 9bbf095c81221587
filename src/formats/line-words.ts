import { wordsOf } from "./words-of.ts";

/** Lines by the words on them, each word as a number. */
export interface WordTable {
  /** For each line the numbers of its words, in their order; repeated ones as often as they are there. */
  readonly lines: readonly (readonly number[])[];
  /** How often each word is on these lines. */
  readonly counts: Uint32Array;
}

/** Finds the words of lines, and keeps what it has found: many refusals ask about the same lines. */
export class LineWords {
  readonly #numbers = new Map<string, number>();
  readonly #byLine = new Map<string, readonly number[]>();
  #last: { readonly lines: readonly string[]; readonly table: WordTable } | undefined;

  /** How many different words were found; all numbers are below it. */
  get count(): number {
    return this.#numbers.size;
  }

  /** The numbers of the words on a line. */
  of(line: string): readonly number[] {
    let numbers = this.#byLine.get(line);
    if (numbers === undefined) {
      numbers = wordsOf(line).map((word) => this.#number(word));
      this.#byLine.set(line, numbers);
    }
    return numbers;
  }

  /** All words of some lines. The lines must not change afterwards. */
  tableOf(lines: readonly string[]): WordTable {
    if (this.#last?.lines !== lines) {
      const numbers = lines.map((line) => this.of(line));
      const counts = new Uint32Array(this.#numbers.size);
      for (const line of numbers) for (const word of line) counts[word]!++;
      this.#last = { lines, table: { lines: numbers, counts } };
    }
    return this.#last.table;
  }

  #number(word: string): number {
    const number = this.#numbers.get(word) ?? this.#numbers.size;
    this.#numbers.set(word, number);
    return number;
  }
}
