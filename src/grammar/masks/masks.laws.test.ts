import fc from "fast-check";
import { expect, test } from "vitest";
import { JudgedLexicalGrammar, randomLexicalShape } from "../fixtures/lexical-laws.ts";
import { lexicalFamilies, randomLexicalGrammar } from "../fixtures/random-lexical-grammar.ts";

for (const family of lexicalFamilies) {
  test(`law: a mask has exactly the tokens after which the filling is completable, for random grammars with ${family.name}`, () => {
    fc.assert(
      fc.property(
        randomLexicalGrammar(family),
        fc.array(randomLexicalShape, { minLength: 2, maxLength: 2 }),
        (notation, shapes) => {
          const grammar = new JudgedLexicalGrammar(notation, family);
          fc.pre(grammar.hasText);
          for (const shape of shapes) {
            const each = grammar.caseOf(shape);
            expect({ notation, ...each, mismatches: grammar.judgeMask(each).mismatches }).toEqual({
              notation,
              ...each,
              mismatches: [],
            });
          }
        },
      ),
      { numRuns: 25 },
    );
  });
}
