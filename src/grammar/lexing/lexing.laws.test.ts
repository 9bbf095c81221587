import fc from "fast-check";
import { expect, test } from "vitest";
import { JudgedLexicalGrammar, randomLexicalShape } from "../fixtures/lexical-laws.ts";
import { lexicalFamilies, randomLexicalGrammar } from "../fixtures/random-lexical-grammar.ts";

for (const family of lexicalFamilies) {
  test(`law: the engine reads random grammars with ${family.name} as the notation defines them, with and without holes`, () => {
    fc.assert(
      fc.property(
        randomLexicalGrammar(family),
        fc.array(randomLexicalShape, { minLength: 4, maxLength: 4 }),
        (notation, shapes) => {
          const grammar = new JudgedLexicalGrammar(notation, family);
          fc.pre(grammar.isUsable);
          for (const shape of shapes) {
            const each = grammar.caseOf(shape);
            expect({ notation, ...each, mismatches: grammar.judge(each).mismatches }).toEqual({
              notation,
              ...each,
              mismatches: [],
            });
          }
        },
      ),
      { numRuns: 40 },
    );
  });
}
