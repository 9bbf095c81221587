import type { LexReach } from "./lex-reach.ts";
import type { LexTables } from "./lex-tables.ts";

/** What an open lexeme may end as, once more is written of it. */
export interface Endings {
  readonly id: number;
  readonly hasTrivia: boolean;
  /** The lexer's matches that stand for terminals. */
  readonly matches: readonly number[];
}

/**
 * What lexemes may end as, by the state that the lexer is in; many states have the same endings.
 */
export class LexemeEndings {
  readonly #lex: LexTables;
  readonly #reach: LexReach;
  readonly #byState: (Endings | undefined)[] = [];
  readonly #same = new Map<string, Endings>();

  constructor(lex: LexTables, reach: LexReach) {
    this.#lex = lex;
    this.#reach = reach;
  }

  /** What a lexeme that has come to `state` may end as. */
  of(state: number): Endings {
    const known = this.#byState[state];
    if (known !== undefined) return known;
    const { match, matches } = this.#lex;
    const found = [...new Set(this.#reach.matches(state).map((reached) => match[reached.state]!))];
    const key = found.sort((a, b) => a - b).join();
    let endings = this.#same.get(key);
    if (endings === undefined) {
      endings = {
        id: this.#same.size,
        hasTrivia: found.some((each) => matches[each]!.isTrivia),
        matches: found.filter((each) => matches[each]!.readings.length > 0),
      };
      this.#same.set(key, endings);
    }
    this.#byState[state] = endings;
    return endings;
  }
}
