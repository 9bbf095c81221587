import fc from "fast-check";
import { expect, test } from "vitest";
import { acceptedBy, allWords, smallGrammars, wordsOf } from "../fixtures/small-languages.ts";
import { parseGrammar } from "../notations/emend-notation.ts";
import { buildTables } from "./lalr.ts";
import { toPlainGrammar } from "./plain-grammar.ts";

test("law: buildTables makes an automaton of the grammar's language", () => {
  const words = allWords(5);
  fc.assert(
    fc.property(smallGrammars, (grammar) => {
      const tables = buildTables(toPlainGrammar(grammar));
      const accepted = words.filter((word) => acceptedBy(tables, word));
      expect(accepted.sort()).toEqual([...wordsOf(grammar, 5)].sort());
    }),
  );
});

test("buildTables computes lookaheads for each state", () => {
  // After a first `L` what follows `R` in general, `=` among it, would be too much to reduce on.
  const text = 'S = L "=" R | R\nL = "*" R | "x"\nR = L | "y"';
  const tables = buildTables(toPlainGrammar(parseGrammar(text).grammar!));
  const conflicts = [...tables.reduce.keys()].filter((at) => tables.reduce[at] !== 0 && tables.shift[at] !== 0);
  expect(conflicts).toEqual([]);
});
