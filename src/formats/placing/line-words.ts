import { wordsOf } from "../reading/reads-as-words.ts";

/** Lines as lists of word numbers. */
export interface WordTable {
  /** The numbers of the words of each line, in order, with repetitions. */
  readonly lines: readonly (readonly number[])[];
  /** The number of occurrences of each word in these lines. */
  readonly counts: Uint32Array;
}

/** Numbers the words of lines and caches the result, since many refusals search the same lines. */
export class LineWords {
  readonly #numbers = new Map<string, number>();
  readonly #byLine = new Map<string, readonly number[]>();
  #last: { readonly lines: readonly string[]; readonly table: WordTable } | undefined;

  /** The number of distinct words so far; all word numbers are below it. */
  get count(): number {
    return this.#numbers.size;
  }

  /** The numbers of the words of a line. */
  of(line: string): readonly number[] {
    let numbers = this.#byLine.get(line);
    if (numbers === undefined) {
      numbers = wordsOf(line).map((word) => this.#number(word));
      this.#byLine.set(line, numbers);
    }
    return numbers;
  }

  /** The table of some lines, cached by identity. The array must not change afterwards. */
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
