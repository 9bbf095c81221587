import fc from "fast-check";
import { expect, test } from "vitest";
import { anyPattern, anySomeText } from "../fixtures/patterns.ts";
import { sampleOf } from "../fixtures/sample-of.ts";
import { smallGrammars } from "../fixtures/small-languages.ts";
import { recognise } from "../hole/recognise.ts";
import { languageGrammars } from "../languages/language-grammars.ts";
import type { Pattern } from "../lexing/pattern.ts";
import { matchesEmpty } from "../lexing/pattern-language.ts";
import { parseLanguage } from "../node/language-sources.ts";
import { parseGrammar } from "../notations/emend-notation.ts";
import { readGrammar } from "../notations/read-grammar.ts";
import { writeEbnf } from "../notations/write-ebnf.ts";
import { writeGbnf } from "../notations/write-gbnf.ts";
import { writeLark } from "../notations/write-lark.ts";
import { compileGrammar } from "./compile-grammar.ts";
import { type GrammarSource, printGrammarSource, readGrammarSource } from "./grammar-source.ts";

const writers = { gbnf: writeGbnf, ebnf: writeEbnf, lark: writeLark } as const;
const notations = ["gbnf", "ebnf", "lark"] as const;

/** A shipped grammar as `npm run build` writes it beside the tables, read again. */
function built(name: string): GrammarSource {
  return readGrammarSource(printGrammarSource(parseLanguage(name).grammar!));
}

test.each(["a*", "[ab]+", "(ab){2,}", "(a|b*){2,5}"])("the pattern x%s is the same after JSON", (pattern) => {
  const { grammar } = parseGrammar(`token T = /x${pattern}/\nS = T\n`);
  expect(readGrammarSource(printGrammarSource(grammar!)).lexical.tokens).toEqual(grammar!.lexical.tokens);
});

test.each(languageGrammars.map(({ name }) => name))(
  "row 32: the built grammar %s is exported as its source is, and each export is read without issues",
  (name) => {
    const source = parseLanguage(name).grammar!;
    const again = built(name);
    expect(again).toEqual(source);
    for (const notation of notations) {
      const { text } = writers[notation](again);
      expect(text, notation).toBe(writers[notation](source).text);
      expect(text, notation).not.toMatch(/,null\}/);
      const { grammar, issues } = readGrammar(text, { notation, name });
      expect([issues, grammar !== undefined], notation).toEqual([[], true]);
    }
  },
);

test.each(notations)("the export of json to %s accepts what JSON accepts", (notation) => {
  const { text } = writers[notation](built("json"));
  const { compiled } = compileGrammar(readGrammar(text, { notation, name: "json" }).grammar!);
  const takes = (value: string) => recognise(compiled!, new TextEncoder().encode(value)).kind === "whole";
  const taken = [
    "0",
    "-12.50e+7",
    '"a\\u00e9\\n"',
    "[]",
    "[1, [2, 3], []]",
    '{"a": {"b": [true, null]}, "c": "d"}',
    ' \n{"abcdefghij": 1234567890}\t',
  ];
  const refused = ["", "01", "[1 2]", "[1,]", '{"a"}', '"\\x"', "nul", "tru e", '"a', "1.", "--1"];
  expect([...taken, ...refused].filter(takes)).toEqual(taken);
});

test("law: readGrammarSource reads what printGrammarSource prints", () =>
  fc.assert(
    fc.property(smallGrammars, anyPattern, (grammar, pattern) => {
      const tokens = [...grammar.lexical.tokens, { name: "Token", kind: "token" as const, pattern }];
      const source: GrammarSource = { ...grammar, lexical: { ...grammar.lexical, tokens } };
      expect(readGrammarSource(printGrammarSource(source))).toEqual(source);
    }),
  ));

test("law: every export of a token that went through JSON is read as the same language", () => {
  let matched = 0;
  fc.assert(
    fc.property(
      anyPattern.filter((pattern) => !matchesEmpty(pattern)),
      fc.array(anySomeText, { maxLength: 4 }),
      fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
      (pattern, texts, choices) => {
        const source = readGrammarSource(printGrammarSource(grammarOf(pattern)));
        const { compiled } = compileGrammar(grammarOf(pattern));
        fc.pre(compiled !== undefined);
        const takes = (grammar: NonNullable<typeof compiled>, text: string) =>
          recognise(grammar, new TextEncoder().encode(text)).kind === "whole";
        const tried = [...texts, sampleOf(pattern, choices)];
        for (const notation of notations) {
          const back = readGrammar(writers[notation](source).text, { notation, name: "x" });
          expect(back.issues, notation).toEqual([]);
          const again = compileGrammar(back.grammar!).compiled!;
          for (const text of tried) {
            expect([notation, text, takes(again, text)]).toEqual([notation, text, takes(compiled, text)]);
            if (takes(compiled, text)) matched += 1;
          }
        }
      },
    ),
  );
  expect(matched).toBeGreaterThan(50);
});

function grammarOf(pattern: Pattern): GrammarSource {
  return {
    name: "x",
    start: "Start",
    rules: [{ name: "Start", expression: { kind: "symbol", name: "Token" } }],
    lexical: {
      tokens: [{ name: "Token", kind: "token", pattern }],
      reserved: [],
      modes: [],
      virtuals: [],
      newline: { kind: "characters", set: [0x0a, 0x0a] },
    },
  };
}
