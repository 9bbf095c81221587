import fc from "fast-check";
import { expect, test } from "vitest";
import { JudgedLexicalGrammar, randomLexicalShape } from "./fixtures/lexical-laws.ts";
import { lexicalFamilies, randomLexicalGrammar } from "./fixtures/random-lexical-grammar.ts";

// Where modes lack what others find between lexemes, the reader looks in the modes of all stacks, and a mask in those of each.
const families = lexicalFamilies.filter(({ name }) => name !== "modes");

for (const family of families) {
  test(`a mask has the tokens that the hole may go on with: ${family.name}`, () => {
    fc.assert(
      fc.property(
        randomLexicalGrammar(family),
        fc.array(randomLexicalShape, { minLength: 2, maxLength: 2 }),
        (notation, shapes) => {
          const grammar = new JudgedLexicalGrammar(notation, family);
          if (!grammar.hasText) return;
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
