import type { LexTables } from "./lex-tables.ts";

const found: WeakMap<LexTables, Uint8Array> = new WeakMap();

/**
 * For each state of the lexer 1 where any byte may follow in it, and 0 where its lexeme is over;
 * found out once of each lexer.
 */
export function statesThatGoOn(lex: LexTables): Uint8Array {
  const known = found.get(lex);
  if (known !== undefined) return known;
  const { stateCount, classCount, next } = lex;
  const states = Uint8Array.from({ length: stateCount }, (_, state) =>
    next.subarray(state * classCount, (state + 1) * classCount).some((to) => to !== 0) ? 1 : 0,
  );
  found.set(lex, states);
  return states;
}
