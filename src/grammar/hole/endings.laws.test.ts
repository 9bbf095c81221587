import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileLanguage } from "../fixtures/compile-language.ts";
import { JudgedLexicalGrammar, randomLexicalShape } from "../fixtures/lexical-laws.ts";
import { lexicalFamilies, randomLexicalGrammar } from "../fixtures/random-lexical-grammar.ts";
import { openHole } from "./fill-session.ts";
import { recognise } from "./recognise.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const languages = {
  json: compileLanguage("json"),
  javascript: compileLanguage("javascript"),
  python: compileLanguage("python"),
};

/**
 * The hole is `‸`; the whole text with its ending between `«` and `»`, or what is wrong with it.
 */
function ended(language: keyof typeof languages, marked: string): string {
  const grammar = languages[language];
  const [before, behind] = marked.split("‸") as [string, string];
  const opening = openHole(grammar, { before, behind });
  if (opening.kind !== "open") return opening.kind;
  const ending = opening.hole.shortestEnding(opening.hole.empty);
  if (ending === undefined) return "no ending";
  const written = decoder.decode(ending);
  const { kind } = recognise(grammar, encoder.encode(before + written + behind));
  return kind === "whole" ? `${before}«${written}»${behind}` : `${kind}: ${written}`;
}

describe("a completable filling has an ending", () => {
  test.each([
    ["a statement begins with no brace of an object", "javascript", "f();\n‸a: { b: 1 } }\n"],
    ["an arrow's body is no object", "javascript", "f(‸a: { b: 1 } })"],
    ["what opens a comment is cut", "javascript", "a\n/‸/ said"],
    ["what opens a comment is cut at a line's start", "javascript", "/‸/ said\n"],
    ["a word wants a blank first", "javascript", "return‸urn;"],
    ["a joining backslash begins a line", "python", "if a:\n  b\n\\‸\nc\n"],
    ["a joining backslash ends the text", "python", "a = \\\n‸"],
    ["a backslash is alone", "python", "a = \\‸"],
    ["a line wants a block of its depth", "python", "a\n‸   b\n  c\n"],
    ["a block is indented by tabs", "python", "if a:\n\tif b:\n\t\tc\n‸\td\n"],
    ["a block opens between tabs", "python", "if a:\n\t‸\n\t\tb\n\tc\n"],
    ["a comment is cut", "python", "a #‸ b ]\n"],
    ["a text is cut", "json", '["a‸b"]'],
  ] as const)("%s: %s: %j", (_, language, marked) => expect(ended(language, marked)).toContain("«"));
});

// No comment of Python behind half a statement: that nothing can come of `lambda #` is not seen
// before the line ends.
const words = {
  json: ["{", "}", "[", "]", ",", ":", '"a"', '"', "\\", "1", "-", "true", " ", "\n"],
  javascript: [
    ...["{", "}", "(", ")", "a", "b:", "=>", "=", "`", "${", "/", "*", "//", "/*", "'", '"', "\\", ";", "\n", " "],
    ...["async", "await", "class", "function", "if (a)", "else", "return", "for (", "let", "do", "?.", "1", ".", ","],
  ],
  python: [
    ...["if a:", "else:", "def f():", "class A:", "a", "=", "(", ")", "[", "]", ":", '"', "'''", 'f"{', "}", "\\"],
    ...["\n", "\n  ", "\n    ", "\n\t", " ", "lambda", "match a:", "case _:", "@a", "1", ".", ",", "async", "try:"],
  ],
} as const;

for (const language of ["json", "javascript", "python"] as const) {
  test(`law: a completable filling of ${language} has an ending that makes it complete`, () => {
    const text = fc.array(fc.constantFrom(...words[language]), { maxLength: 7 }).map((all) => all.join(""));
    fc.assert(
      fc.property(text, text, (before, behind) => {
        expect(ended(language, `${before}‸${behind}`)).toMatch(/«|^(dead-prefix|dead-suffix|no-filling)$/);
      }),
      { numRuns: 60 },
    );
  });
}

test.each([
  ["a regular expression", "javascript", "a = /‸"],
  ["a class in one", "javascript", "a = /[‸"],
  ["a text", "json", '["‸'],
  ["an escape", "json", '["\\‸'],
] as const)("the shortest ending has visible characters: %s: %s: %j", (_, language, marked) => {
  expect(ended(language, marked)).toMatch(/^[!-~ ]*«[!-~]*»$/);
});

for (const family of lexicalFamilies) {
  test(`law: a completable filling has an ending, for random grammars with ${family.name}`, () => {
    fc.assert(
      fc.property(randomLexicalGrammar(family), randomLexicalShape, (notation, shape) => {
        const grammar = new JudgedLexicalGrammar(notation, family);
        fc.pre(grammar.isUsable);
        const each = grammar.caseOf(shape);
        expect({ notation, ...each, without: grammar.judge(each).withoutEnding }).toEqual({
          notation,
          ...each,
          without: 0,
        });
      }),
      { numRuns: 12 },
    );
  });
}
