import type { CompiledGrammar } from "./compiled-grammar.ts";

/**
 * For each terminal, the lexer modes of the states after it: those in which the text behind it is
 * read, trivia included. None for a terminal that no state can take.
 */
export function modesAfterTerminals({
  tables,
  modesOf,
}: Pick<CompiledGrammar, "tables" | "modesOf">): readonly (readonly number[])[] {
  const terminals = tables.terminals.length;
  return tables.terminals.map((_, terminal) => {
    const modes = new Set<number>();
    for (let state = 0; state < tables.stateCount; state++) {
      const target = tables.shift[state * terminals + terminal]!;
      if (target !== 0) for (const mode of modesOf[target]!) modes.add(mode);
    }
    return [...modes];
  });
}
