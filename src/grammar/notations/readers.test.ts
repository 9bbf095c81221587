import { describe, expect, test } from "vitest";
import { recognise } from "../hole/recognise.ts";
import { compileGrammar } from "../tables/compile-grammar.ts";
import { type GrammarIssue, hasErrors } from "../tables/grammar-issue.ts";
import { parseEbnf } from "./ebnf.ts";
import type { ParsedGrammar } from "./emend-notation.ts";
import { parseGbnf } from "./gbnf.ts";
import { parseLark } from "./lark.ts";

const readers = { GBNF: parseGbnf, EBNF: parseEbnf, Lark: parseLark } satisfies Record<
  string,
  (text: string) => ParsedGrammar
>;

/**
 * A grammar, texts that it takes and texts that it does not, each in quotes where it holds blanks.
 */
type Case = readonly [title: string, grammar: string, taken: readonly string[], refused: readonly string[]];

function checks(notation: keyof typeof readers, cases: readonly Case[]): void {
  describe(notation, () => {
    for (const [title, text, taken, refused] of cases) {
      test(title, () => {
        const { grammar, issues } = readers[notation](text);
        expect(issues).toEqual([]);
        const { compiled, issues: more } = compileGrammar(grammar!);
        expect(more.filter(({ severity }) => severity === "error")).toEqual([]);
        const takes = (word: string) => recognise(compiled!, new TextEncoder().encode(word)).kind === "whole";
        expect([...taken, ...refused].filter(takes)).toEqual(taken);
      });
    }
  });
}

const zerosAndOnes = ["", "01", "0011", "000111"];
const neither = ["0", "10", "001", "0101", "2"];

checks("GBNF", [
  ["as many zeros as ones", 'root ::= "" | "0" root "1"', zerosAndOnes, neither],
  ["an alternative of nothing", 'root ::= | "0" root "1"', zerosAndOnes, neither],
  ["sets and their opposites", "root ::= [a-c_] [^a-c\\n-]", ["ad", "_é", "b😀"], ["ab", "da", "a-", "a\n"]],
  ["a set over a text of the same letters", 'root ::= "ab" | [a-z] [a-z] "!"', ["ab", "ab!", "zz!"], ["ab!!", "zz"]],
  ["counts", 'root ::= "a"{2} "b"{1,} "c"{0,2}', ["aab", "aabbcc"], ["ab", "aabccc"]],
  ["groups over lines", 'root ::= (\n  "a" # first\n  | "b"\n)+\n  ', ["ab", "b"], [""]],
  ["lines that go on behind a bar", 'root ::= "a" |\n  other\nother ::= "b"', ["a", "b"], ["ab"]],
  ["escapes", 'root ::= "\\"\\\\\\x41\\u00e9\\U0001F600" [\\]\\[]', ['"\\Aé😀]'], ['"\\Aé😀']],
  ["any character", 'root ::= . "."', ["x.", "\n."], ["."]],
  ["a rule called end", 'root ::= "a" end\nend ::= "b"', ["ab"], ["a"]],
  ["names with dashes", "root ::= two-a\ntwo-a ::= [a] [a]", ["aa"], ["a"]],
]);

checks("EBNF", [
  ["as many zeros as ones, with an arrow", "S -> ε | 0 S 1", zerosAndOnes, neither],
  ["in the W3C's way", 'S ::= ("0" S "1")?', zerosAndOnes, neither],
  ["in ISO's way", 'S = [ "0", S, "1" ] ;', zerosAndOnes, neither],
  ["numbered rules and sets", "[1] S ::= [0-9] Rest*\n[2] Rest ::= [^#x30-#x39]", ["1", "1ab"], ["", "12"]],
  ["a set without some characters", "S ::= [a-z] - [b-y] | #x41", ["a", "z", "A"], ["b", "B"]],
  ["comments and both quotes", "/* two */ S ::= '\"' \"'\"", ["\"'"], ["''"]],
  ["repetition in ISO's way", 'S = { "a" }, 2 * "b", (* twice *) ("c" | "d") ;', ["bbc", "aabbd"], ["abc"]],
  ["names of several words", 'whole text = digit, { digit } ;\ndigit = "0" | "1" ;', ["0", "10"], ["", "2"]],
  ["names in angle brackets", '<S> ::= <A> | <A> <S>\n<A> ::= "a"', ["a", "aaa"], [""]],
  ["rules in parts", 'S -> "a"\nS -> "b" S', ["a", "bba"], ["b"]],
]);

checks("Lark", [
  ["as many zeros as ones", 'start: ("0" start "1")?', zerosAndOnes, neither],
  ["an alternative of nothing", 'start: \n  | "0" start "1"', zerosAndOnes, neither],
  [
    "tokens, what is ignored, and keywords that are names too",
    'start: "let" NAME "=" NUMBER ";"\n%import common.CNAME -> NAME\n%import common.NUMBER\n%import common (WS, SH_COMMENT)\n%ignore WS\n%ignore SH_COMMENT',
    ["let a = 1;", "let let=1.5;# so", " let x\n= 2 ;"],
    ["leta = 1;", "let a = ;", "let 1 = 1;"],
  ],
  ["what shapes trees", '?start.2: a+ -> all\n!a: "a"i\n | "b" // or\n', ["aAb"], ["B", ""]],
  ["ranges, counts and brackets", 'start: "a".."c" ~ 2..3 [X]\nX: "x" ~ 2', ["ab", "abcxx"], ["a", "abx", "abcd"]],
  ["terminals of others", 'start: A\nA: "a" B+ | B\nB: /[0-9]/ | "-"', ["a1-", "1"], ["a", "11"]],
  [
    "terminals that match the same text",
    'start: A X | B Y\nA: /[ab]+/\nB: /[bc]+/\nX: "x"\nY: "y"',
    ["bx", "by", "cy"],
    ["cx", "ay"],
  ],
  ["flags of patterns", "start: /a.c/is /d+/x", ["A\nCd"], ["ac"]],
]);

describe("readers of other notations report errors", () => {
  const cases: readonly (readonly [notation: keyof typeof readers, text: string, issue: string])[] = [
    ["GBNF", 'other ::= "a"', "Write a rule called root"],
    ["GBNF", 'root ::= "a', "0:9 Close this by"],
    ["GBNF", "root ::= a", "0 There is no rule called a"],
    ["GBNF", 'root ::= "a"{3,1}', "0:12 The larger number"],
    ["GBNF", 'root := "a"', "0:5 Write `::=` here"],
    ["EBNF", "", "Write a rule"],
    ["EBNF", 'S ::= "ab" - "a"', "0:11 Only characters"],
    ["EBNF", 'S ::= ("a"', "0:10 Write `)` here, before the text ends"],
    ["Lark", "start: A", "0:7 There is no terminal called A"],
    ["Lark", "start: b", "0:7 There is no rule called b"],
    ["Lark", "start: A\nA: /a*/", "1:0 The terminal A matches the empty text"],
    ["Lark", "start: A\nA: /(?=a)/", "1:4 There is no look-around"],
    ["Lark", "%import python.NAME\nstart: NAME", "0:1 Only the terminals of `common`"],
    ["Lark", 'start: list{"a"}', "0:11 Write templates out"],
    ["Lark", 'A: A "x"\nstart: A', "0:3 The terminal A is made of itself"],
  ];
  for (const [notation, text, issue] of cases) {
    test(`${notation}: ${JSON.stringify(text)}`, () => {
      const { grammar, issues } = readers[notation](text);
      expect(grammar).toBeUndefined();
      expect(hasErrors(issues)).toBe(true);
      expect(print(issues[0]!).startsWith(issue) ? issue : print(issues[0]!)).toBe(issue);
    });
  }
});

function print({ line, column, message }: GrammarIssue): string {
  const place = [line, column].filter((part) => part !== undefined).join(":");
  return place === "" ? message : `${place} ${message}`;
}
