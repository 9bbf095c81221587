import type { LexemeEndings } from "../lexing/lex-reach.ts";
import type { LexTables } from "../lexing/lex-tables.ts";

/**
 * Whether a comment or other trivia that begins in `bytes` can be open at their end, by the lexer
 * alone: a lexeme is begun in each mode at each byte, also inside of others. Where the result is
 * false, no reading of a text that ends in `bytes` ends in such trivia; this is much faster than
 * reading it.
 */
export function canEndInTrivia(
  { next, classOf, classCount, stateCount, modes }: LexTables,
  endings: LexemeEndings,
  bytes: Uint8Array,
): boolean {
  const starts = [...new Set(modes.map(({ start }) => start))];
  /** For each state, the last offset at which it was entered, incremented by 1. */
  const enteredAt = new Uint32Array(stateCount);
  let states: number[] = [];
  let entered: number[] = [];
  for (const [at, byte] of bytes.entries()) {
    const enter = (from: number) => {
      const to = next[from * classCount + classOf[byte]!]!;
      if (to === 0 || enteredAt[to] === at + 1) return;
      enteredAt[to] = at + 1;
      entered.push(to);
    };
    for (const state of starts) enter(state);
    for (const state of states) enter(state);
    [states, entered] = [entered, states];
    entered.length = 0;
  }
  return states.some((state) => endings.of(state).hasTrivia);
}
