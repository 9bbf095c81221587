import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allWords, smallGrammars, wordsOf } from "../fixtures/small-languages.ts";
import { recognise } from "../hole/recognise.ts";
import { parseGrammar } from "../notations/emend-notation.ts";
import { compileGrammar } from "../tables/compile-grammar.ts";
import { ContextFreeGrammar, type Word } from "./context-free-grammar.ts";
import { fillLanguage } from "./intersect.ts";

const grammarOf = (text: string): ContextFreeGrammar => ContextFreeGrammar.of(parseGrammar(text).grammar!);
const terminalsOf = (text: string): readonly string[] => text.split(" ").filter((terminal) => terminal !== "");
const yesOrNo = (is: boolean): string => (is ? "yes" : "no");

/** What is to be said of fillings: whether one can go on, and whether it may stop. */
function verdicts(
  grammar: ContextFreeGrammar,
  prefix: readonly string[],
  filling: readonly string[],
  suffix: readonly string[],
): string {
  const goesOn = !fillLanguage(grammar, { prefix: [...prefix, ...filling], suffix }).isEmpty;
  const stops = fillLanguage(grammar, { prefix, suffix }).contains([...prefix, ...filling, ...suffix]);
  return `${yesOrNo(goesOn)} ${yesOrNo(stops)}`;
}

describe("fillLanguage of balanced zeros and ones", () => {
  const balanced = grammarOf('S = () | "0" S "1"');

  test("between 0 and 111 it contains exactly the balanced words", () => {
    const fill = fillLanguage(balanced, { prefix: "0", suffix: "111" });
    for (const word of ["000111", "00001111"]) expect(fill.contains(word), word).toBe(true);
    for (const word of ["0011", "00111", "0", "", "01", "001111"]) expect(fill.contains(word), word).toBe(false);
  });

  test("its grammar is readable as text", () => {
    expect(fillLanguage(balanced, { prefix: "0", suffix: "11" }).toText()).toBe(
      ['S_0_3 = "0" S_1_2 "1"', 'S_1_2 = "0" S_1_1 "1"', 'S_1_1 = () | "0" S_1_1 "1"', ""].join("\n"),
    );
  });

  const cases: readonly (readonly [filling: string, goesOnAndStops: string])[] = [
    ["", "yes no"],
    ["0", "yes no"],
    ["00", "yes yes"],
    ["000", "yes no"],
    ["1", "no no"],
    ["01", "no no"],
    ["001", "no no"],
    ["0001", "yes yes"],
  ];
  for (const [filling, expected] of cases) {
    test(`${JSON.stringify(filling)} is completable and complete: ${expected}`, () => {
      expect(verdicts(balanced, ["0"], [...filling], [..."111"])).toBe(expected);
    });
  }
});

describe("fillLanguage where the filling may end a function and then must begin another", () => {
  const script = grammarOf(`
Program   = Function*
Function  = "function" "name" "(" ")" Block
Block     = "{" Statement* "}"
Statement = "let" "name" "=" "number" ";" | "if" "(" "name" ")" Block | Function
`);
  const prefix = terminalsOf("function name ( ) { let name = number ; let name =");
  const suffix = terminalsOf("let name = number ; }");
  const cases: readonly (readonly [filling: string, goesOnAndStops: string])[] = [
    ["number ;", "yes yes"],
    ["number ; let name = number ;", "yes yes"],
    ["number ; }", "yes no"],
    ["number ; } function name ( ) {", "yes yes"],
    ["number ; } }", "no no"],
    ["number ; } function name ( ) { if ( name ) {", "yes no"],
    ["number", "yes no"],
  ];
  for (const [filling, expected] of cases) {
    test(`${filling} is completable and complete: ${expected}`, () => {
      expect(verdicts(script, prefix, terminalsOf(filling), suffix)).toBe(expected);
    });
  }
});

describe("fillLanguage with a vocabulary", () => {
  const balanced = grammarOf('S = () | "0" S "1"');
  const cases: readonly (readonly [
    title: string,
    vocabulary: readonly Word[],
    accepted: readonly string[],
    refused: readonly string[],
  ])[] = [
    ["of words", ["00", "1"], ["01", "000111"], ["0011", "00001111"]],
    ["with an empty word, which adds nothing", ["", "0"], ["01"], ["0011"]],
    ["of nothing leaves the text as it stands", [], ["01"], ["0011"]],
  ];
  for (const [title, vocabulary, accepted, refused] of cases) {
    test(title, () => {
      const fill = fillLanguage(balanced, { prefix: "0", suffix: "1", vocabulary });
      for (const word of accepted) expect(fill.contains(word), word).toBe(true);
      for (const word of refused) expect(fill.contains(word), word).toBe(false);
    });
  }
});

test("fillLanguage is empty where nothing completes the text", () => {
  const fill = fillLanguage(grammarOf('S = () | "0" S "1"'), { prefix: "1", suffix: "1" });
  expect([fill.isEmpty, fill.productions.length]).toEqual([true, 0]);
});

test("ContextFreeGrammar.of writes out tokens of single characters", () => {
  const sum = grammarOf('token Digit = /[0-9]/\nSum = Digit % "+"');
  expect(["1+2", "7", "1+", "12"].map((word) => sum.contains(word))).toEqual([true, true, false, false]);
});

test("intersect refuses too many productions, with the figures", () => {
  const ambiguous = grammarOf('S = S S S | "a"');
  const fill = () => fillLanguage(ambiguous, { prefix: "a".repeat(20), suffix: "a".repeat(20), maxProductions: 5_000 });
  expect(fill).toThrow(/more than 5000 productions: 2 of the grammar over 41 states can become as many as 2.8e\+6/);
  expect(fill).toThrow(expect.objectContaining({ code: "intersection-too-large" }));
});

const texts = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 3 });

test("law: fillLanguage contains exactly the words with the prefix and the suffix", () => {
  fc.assert(
    fc.property(smallGrammars, texts, texts, (source, prefix, suffix) => {
      const fill = fillLanguage(source, { prefix, suffix });
      const expected = [...wordsOf(source, 5)].filter((word) => fits(word, prefix, suffix));
      expect(allWords(5).filter((word) => fill.contains(word))).toEqual(expected.sort(inOrder));
      if (expected.length > 0) expect(fill.isEmpty).toBe(false);
    }),
    { numRuns: 50 },
  );
});

test("law: an intersection has no useless productions", () => {
  fc.assert(
    fc.property(smallGrammars, texts, texts, (source, prefix, suffix) => {
      const fill = fillLanguage(source, { prefix, suffix });
      const asked = new Set([fill.start, ...fill.productions.flatMap(({ right }) => right.map(({ name }) => name))]);
      for (const { left } of fill.productions) {
        expect(asked).toContain(left);
        expect(new ContextFreeGrammar(left, fill.productions).isEmpty).toBe(false);
      }
    }),
    { numRuns: 50 },
  );
});

test("recognise accepts with a compiled intersection what the intersection contains", () => {
  fc.assert(
    fc.property(smallGrammars, texts, texts, (source, prefix, suffix) => {
      const fill = fillLanguage(source, { prefix, suffix });
      const { compiled } = compileGrammar(fill.toSource("fill"));
      expect(compiled === undefined).toBe(fill.isEmpty);
      if (compiled === undefined) return;
      const encoder = new TextEncoder();
      const accepted = allWords(4).filter((word) => recognise(compiled, encoder.encode(word)).kind === "whole");
      expect(accepted).toEqual([...wordsOf(source, 4)].filter((word) => fits(word, prefix, suffix)).sort(inOrder));
    }),
    { numRuns: 30 },
  );
});

function fits(word: string, prefix: string, suffix: string): boolean {
  return word.length >= prefix.length + suffix.length && word.startsWith(prefix) && word.endsWith(suffix);
}

function inOrder(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}
