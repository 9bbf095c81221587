import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { smallGrammars, wordsOf } from "../fixtures/small-languages.ts";
import { withoutPlaces } from "../fixtures/without-places.ts";
import { recognise } from "../hole/recognise.ts";
import { compileGrammar } from "../tables/compile-grammar.ts";
import type { GrammarSource } from "../tables/grammar-source.ts";
import type { WrittenGrammar } from "./approximations.ts";
import { parseEbnf } from "./ebnf.ts";
import { type ParsedGrammar, parseGrammar } from "./emend-notation.ts";
import { parseGbnf } from "./gbnf.ts";
import { parseLark } from "./lark.ts";
import { writeEbnf } from "./write-ebnf.ts";
import { writeGbnf } from "./write-gbnf.ts";
import { writeGrammar } from "./write-grammar.ts";
import { writeLark } from "./write-lark.ts";

/** Random grammars in which each name is defined. */
const grammars: fc.Arbitrary<GrammarSource> = smallGrammars.map((grammar) => {
  const missing = ["S", "A", "B", "C"].filter((name) => !grammar.rules.some((rule) => rule.name === name));
  const rules = missing.map((name) => ({ name, expression: { kind: "literal", text: "c" } as const }));
  return { ...grammar, rules: [...grammar.rules, ...rules] };
});

const notations: Readonly<
  Record<string, readonly [(source: GrammarSource) => string, (text: string) => ParsedGrammar]>
> = {
  GBNF: [(source) => textOf(writeGbnf(source)), parseGbnf],
  EBNF: [(source) => textOf(writeEbnf(source)), parseEbnf],
  Lark: [(source) => textOf(writeLark(source)), parseLark],
  ours: [writeGrammar, parseGrammar],
};

function textOf({ text, issues }: WrittenGrammar): string {
  expect(issues).toEqual([]);
  return text;
}

describe("a written grammar is read as the same language", () => {
  for (const [name, [write, parse]] of Object.entries(notations)) {
    test(name, () => {
      fc.assert(
        fc.property(grammars, (grammar) => {
          fc.pre(wordsOf(grammar, 5).size > 0);
          const { grammar: again, issues } = parse(write(grammar));
          expect(issues).toEqual([]);
          expect([...wordsOf(again!, 5)].sort()).toEqual([...wordsOf(grammar, 5)].sort());
        }),
      );
    });
  }
});

describe("written grammars keep characters of all kinds in sets and texts", () => {
  const rules = String.raw`token T = /[-\^\]\\"'\/A-F0\u{a0}B\u{1f600}-\u{1f64f}&~]+\n\x00/
S = T | "\u{1f600}\"'\\\n\u{a0}[-]"
`;
  const texts = ["-^]\\\"'/A0\u00a0BF\u{1f600}&~\n\0", "\u{1f600}\"'\\\n\u00a0[-]"];
  const writers = { GBNF: writeGbnf, EBNF: writeEbnf, Lark: writeLark };
  for (const [name, write] of Object.entries(writers)) {
    test(name, () => {
      const { grammar } = notations[name]![1](write(parseGrammar(rules).grammar!).text);
      const { compiled } = compileGrammar(grammar!);
      const takes = (text: string) => recognise(compiled!, new TextEncoder().encode(text)).kind === "whole";
      expect([...texts, "G\n\0", "A\0", "[-]"].filter(takes)).toEqual(texts);
    });
  }
});

test("law: writeGbnf writes no left recursion", () => {
  fc.assert(
    fc.property(grammars, (grammar) => {
      fc.pre(wordsOf(grammar, 5).size > 0);
      const { grammar: written } = parseGbnf(writeGbnf(grammar).text);
      // A parser that descends comes to an end: it sees no name twice before a letter.
      const rules = new Map(written!.rules.map((rule) => [rule.name, rule.expression]));
      type Part = GrammarSource["rules"][number]["expression"];
      const recursive: string[] = [];
      const descend = (part: Part, path: readonly string[]): boolean => {
        if (part.kind === "symbol") {
          const further = [...path, part.name];
          if (!path.includes(part.name)) return descend(rules.get(part.name)!, further);
          recursive.push(further.join(" "));
          return false;
        }
        if (part.kind === "literal") return false;
        if (part.kind === "sequence") return part.items.every((item) => descend(item, path));
        if (part.kind === "choice") return part.items.map((item) => descend(item, path)).some(Boolean);
        const isEmpty = descend((part as { item: Part }).item, path);
        return isEmpty || part.kind === "optional" || part.kind === "repeat";
      };
      descend(rules.get("root")!, ["root"]);
      expect(recursive).toEqual([]);
    }),
  );
});

test.each([
  ["S = ()\nA = A | Name\n", 'root ::= S-or-nothing\nS-or-nothing ::= ""\nName ::= [a-z]+\n'],
  ['S = "b" A | Name\nA = A "c"\n', "root ::= S\nS ::= Name\nName ::= [a-z]+\n"],
])("row 32: writeGbnf writes no rule of %j that fits no text", (rules, expected) => {
  const { grammar } = parseGrammar(`token Name = /[a-z]+/\n${rules}`);
  const lines = writeGbnf(grammar!).text.split("\n");
  expect(lines.filter((line) => !line.startsWith("#")).join("\n")).toBe(expected);
});

test.each([
  // A text that begins like a lexeme is read as the unused token, which no rule takes.
  ['S = Name ";" Name', "token Pair = /[ab]+;[ab]+/", ["Pair"]],
  ['S = Name ";" Name', 'token Text = /"[ab]*"/', []],
  ['S = Name ";" Name', "never Open = /;[.]/", ["Open"]],
  ['S = Name ";" Name', "never Open = /[.]/", []],
  // A split token whose parts stand side by side nowhere is unused.
  ['S = Name | ";" "bb"', 'split Both = /;b/ as ";" Name', ["Both"]],
  ['S = Name | ";" Name', 'split Both = /;b/ as ";" Name', []],
])("row 32: in Lark, nothing is refused in %j for %j", (rules, token, expected) => {
  const { grammar } = parseGrammar(`token Name = /[ab]+/\nword Name\n${token}\n${rules}\n`);
  const messages = expected.map((name) => `Nothing is refused there for beginning like ${name}.`);
  expect(writeLark(grammar!).issues.map(({ message }) => message)).toEqual(messages);
});

const calculator = `grammar calculator
token  Number = /[0-9]+(\\.[0-9]{1,2})?/
token  Name   = /[a-z]+/
trivia Space  = /[ \\t\\n]+/
word Name
reserved "let"
require SameLine = no newline
Sum  = Term (("+" | "-") Term)*
Term = "let" SameLine Name | Number | "(" Sum ")" | "\\"" | "/"
`;

describe("a grammar with tokens is written", () => {
  const { grammar } = parseGrammar(calculator);

  test("in GBNF", () => {
    const { text, issues } = writeGbnf(grammar!);
    expect(text).toBe(`# What must stand beside other text is not said there: SameLine.
# Keywords are words there too: Name takes let.
# There a token may end early, so that two may stand side by side that are read as one here.
root ::= Text
Text ::= Blank Sum
Sum ::= Term (("+" Blank | "-" Blank) Term)*
Term ::= "let" Blank Name Blank | Number Blank | "(" Blank Sum ")" Blank | "\\"" Blank | "/" Blank
Number ::= [0-9]+ ("." [0-9]{1,2})?
Name ::= [a-z]+
Blank ::= [\\t-\\n ]*
`);
    expect(issues.map(({ code }) => code)).toEqual(["conditions", "keywords", "longest-match"]);
  });

  test("in EBNF", () => {
    expect(writeEbnf(grammar!).text).toBe(`/* What must stand beside other text is not said there: SameLine. */
/* Keywords are words there too: Name takes let. */
/* There a token may end early, so that two may stand side by side that are read as one here. */
Text ::= Blank Sum
Sum ::= Term (("+" Blank | "-" Blank) Term)*
Term ::= "let" Blank Name Blank | Number Blank | "(" Blank Sum ")" Blank | '"' Blank | "/" Blank
Number ::= [0-9]+ ("." ([0-9] [0-9]?))?
Name ::= [a-z]+
Blank ::= [#x9-#xA#x20]*
`);
  });

  test("in Lark", () => {
    const { text, issues } = writeLark(grammar!);
    expect(text).toBe(`// What must stand beside other text is not said there: SameLine.
// Keywords are words there too: Name takes let.
start: sum
sum: term (("+" | "-") term)*
term: "let" NAME | NUMBER | "(" sum ")" | "\\"" | "/"

NUMBER: /[0-9]+(\\.[0-9]{1,2})?/
NAME: /[a-z]+/
SPACE: /[\\x09-\\x0A\\x20]+/
%ignore SPACE
`);
    expect(issues.map(({ code }) => code)).toEqual(["conditions", "keywords"]);
  });

  for (const [name, [, parse]] of Object.entries(notations)) {
    const write = { GBNF: writeGbnf, EBNF: writeEbnf, Lark: writeLark }[name];
    if (write === undefined) continue;
    test(`so that ${name} accepts what the grammar accepts`, () => {
      const { compiled } = compileGrammar(parse(write(grammar!).text).grammar!);
      const takes = (text: string) => recognise(compiled!, new TextEncoder().encode(text)).kind === "whole";
      const taken = ["1", " let a - 12.50\n", '("+/)', "let\na", "let let"];
      const refused = ["", "1 +", "let", "a", "1.234", "let A"];
      expect([...taken, ...refused].filter(takes)).toEqual(taken);
    });
  }

  test("in our own notation", () => {
    const again = parseGrammar(writeGrammar(grammar!)).grammar!;
    expect(withoutPlaces(again)).toEqual(withoutPlaces(grammar!));
  });
});
