import fc from "fast-check";
import { expect, test } from "vitest";
import { BruteForce } from "../fixtures/brute-force.ts";
import { JudgedGrammar } from "../fixtures/hole-laws.ts";
import { ContextFreeGrammar } from "../fixtures/intersection/context-free-grammar.ts";
import { fillLanguage } from "../fixtures/intersection/intersect.ts";
import { randomGrammar, randomHole, randomText } from "../fixtures/random-grammar.ts";
import { allWords, smallGrammars, wordsOf } from "../fixtures/small-languages.ts";

test("law: a hole of a random grammar answers as the definition by brute force", () => {
  fc.assert(
    fc.property(randomGrammar, fc.array(randomHole, { minLength: 1, maxLength: 10 }), (source, holes) => {
      const grammar = new JudgedGrammar(source);
      fc.pre(grammar.isUsable);
      for (const hole of holes) {
        const each = "choices" in hole ? grammar.caseOf(hole) : hole;
        expect({ ...each, mismatches: grammar.judge(each).mismatches }).toEqual({ ...each, mismatches: [] });
      }
    }),
    { numRuns: 300 },
  );
});

test("the brute-force reference recognises exactly the words of a grammar", () => {
  fc.assert(
    fc.property(smallGrammars, (source) => {
      const reference = new BruteForce(ContextFreeGrammar.of(source));
      expect(
        allWords(4)
          .filter((word) => reference.canBeWord(word))
          .sort(),
      ).toEqual([...wordsOf(source, 4)].sort());
    }),
    { numRuns: 50 },
  );
});

test("the brute-force reference and the intersection agree on what is completable", () => {
  fc.assert(
    fc.property(randomGrammar, randomText(3), randomText(3), (source, prefix, suffix) => {
      const grammar = ContextFreeGrammar.of(source);
      expect(new BruteForce(grammar).canBeWord(`${prefix}_${suffix}`)).toBe(
        !fillLanguage(grammar, { prefix, suffix }).isEmpty,
      );
    }),
    { numRuns: 100 },
  );
});
