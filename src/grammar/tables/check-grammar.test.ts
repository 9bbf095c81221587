import { describe, expect, test } from "vitest";
import { grammarOf } from "../fixtures/small-languages.ts";
import { parseGrammar } from "../notations/emend-notation.ts";
import { checkGrammar } from "./check-grammar.ts";
import { printGrammarIssue } from "./grammar-issue.ts";
import type { Expression, GrammarSource, LexicalSource } from "./grammar-source.ts";

function issuesOf(source: GrammarSource): string[] {
  return checkGrammar(source).map((issue) => printGrammarIssue(issue));
}

describe("checkGrammar reports", () => {
  const cases: readonly (readonly [text: string, ...issues: string[]])[] = [
    ['S = "a" S | "b"'],
    ["S = A", "1: error: Declare A, or correct the name: S uses it, but no rule or token has this name."],
    ['S = "a"\nA = "b"', "2: warning: Use A in a rule, or remove it: it is not reachable from S."],
    ['S = "a" S', "1: error: Add an alternative to S that ends: each of its alternatives contains S."],
    [
      'S = "s" | A\nA = "(" B ")"\nB = A | "b" B',
      "2: warning: Add an alternative to A that ends: each of its alternatives contains B, which derives no text.",
      "3: warning: Add an alternative to B that ends: each of its alternatives contains A, which derives no text.",
    ],
    [
      'S = (A "a")* A? (A % "b" | "c")\nA = A',
      "2: warning: Add an alternative to A that ends: each of its alternatives contains A.",
    ],
    ['token T = /a/\nS = "s"', "1: warning: Use T in a rule, or declare it by `never` if no rule is to accept it."],
    ['token T = /a/\nsplit U = /b/ as T "s"\nS = "s"'],
    ["trivia T = /a/\nS = T", "2: error: Declare T by `token`: S uses it, but it is declared by `trivia`."],
    ["never T = /a/\nS = T", "2: error: Declare T by `token`: S uses it, but it is declared by `never`."],
    ['S = "s" end', "1: error: Remove end from S: the end of the text is only allowed in conditions."],
    ['word T\nS = "s"', "1: error: Declare the token T, which `word` names."],
    [
      'mode main = T "t"\nS = "s"',
      "1: error: Declare the token T, which the mode main contains.",
      '1: warning: Remove "t" from the mode main: no rule uses it.',
    ],
    ['require V = next "t"\nS = V "s"', '1: warning: Remove "t" from the condition V: no rule uses it.'],
    ['require V = next T\nS = V "s"', "1: error: Declare the token T, which the condition V names."],
    [
      'require V = next W\nrequire W = glued\nS = V W "s"',
      "1: error: Remove W from the condition V: it has no text, so the lexer cannot match it.",
    ],
    [
      'require V = glued\nrequire W = newline\nS = "s" (V | W "x"? | W V)* "t"',
      "3: error: Add text between the conditions in S: V can repeat there without limit.",
    ],
    [
      'require V = glued\nS = "s" A\nA = B "a" | "b"\nB = V V A | "c"',
      "4: error: Add text between the conditions in B: V can repeat there without limit.",
    ],
    [
      'require V = glued\nS = "s" S V | "t"',
      "2: error: Add text between the conditions in S: V can repeat there without limit.",
    ],
    ['require V = glued\nrequire W = newline\nS = V W V "s" (V "t" | "u" W)* V'],
    ['insert V = newline\nS = ("s" V | V "t" V)*'],
    [
      'require V = newline, glued\nS = V "s"',
      "1: error: Remove `newline` or `glued` from V: no terminal is glued after a line break.",
    ],
    ['require V = glued\nS = "s"', "1: warning: Use V in a rule, or remove it."],
    [
      'layout Line In Out\nsuspend "(" ")"\nS = "(" S? ")" Line | Group In "s" Out\nGroup = "(" S ")"',
      '3: error: End S with ")", and move what follows it to a rule that uses S.',
    ],
    [
      'layout Line In Out\nsuspend "(" ")"\nS = "(" ")" | "(" S Close | Line In "s" Out\nClose = "," ")" | ")"',
      '4: error: Move ")" from Close to the rule that contains the opening bracket.',
    ],
    ['layout Line In Out\nsuspend "{" "}"\nS = Head ":" "s" "}" | Line In "s" Out\nHead = "{" "s"'],
    [
      'layout Line In Out\nS = "s" | Line In S Out ";"',
      "2: error: End S with Out, and move what follows it to a rule that uses S.",
    ],
    [
      'layout Line In Out\nsuspend "(" "|", "|" ")"\nS = "(" S "|" | "|" Line In Out ")"',
      '1: error: Make "|" either an opening or a closing bracket.',
      '3: error: End S with "|", and move what follows it to a rule that uses S.',
    ],
  ];
  for (const [text, ...issues] of cases) {
    test(text.replaceAll("\n", " ⏎ "), () => {
      const { grammar, issues: syntax } = parseGrammar(text);
      expect(syntax).toEqual([]);
      expect(issuesOf(grammar!)).toEqual(issues);
    });
  }
});

describe("checkGrammar reports faults of grammars that are not written in the notation", () => {
  const a: Expression = { kind: "literal", text: "a" };
  const rules = [{ name: "S", expression: a }];
  const withLexical = (lexical: Partial<LexicalSource>): GrammarSource => {
    const grammar = grammarOf(rules);
    return { ...grammar, lexical: { ...grammar.lexical, ...lexical } };
  };
  const pattern = { kind: "text", text: "a" } as const;
  const cases: readonly (readonly [title: string, source: GrammarSource, ...issues: string[]])[] = [
    [
      "a missing start rule",
      { ...grammarOf(rules), start: "T" },
      "error: Add the rule T: it is the start rule.",
      "warning: Use S in a rule, or remove it: it is not reachable from T.",
    ],
    [
      "a name with two declarations",
      withLexical({ tokens: [{ name: "S", kind: "token", pattern }] }),
      "error: Rename one of the two declarations of S.",
      "warning: Use S in a rule, or declare it by `never` if no rule is to accept it.",
    ],
    [
      "a reserved name",
      withLexical({ tokens: [{ name: "end", kind: "never", pattern }] }),
      "error: Rename end: the name is reserved for the end of the text.",
    ],
    [
      "conditions without a test",
      withLexical({
        virtuals: [
          { name: "V", kind: "require", when: {} },
          { name: "W", kind: "insert", when: { newline: "without" } },
        ],
      }),
      "error: Give V a condition: `newline`, `no newline`, `glued` or `next …`.",
      "error: Give W a condition: `newline` or `next …`.",
      "warning: Use V in a rule, or remove it.",
      "warning: Use W in a rule, or remove it.",
    ],
  ];
  for (const [title, source, ...issues] of cases) test(title, () => expect(issuesOf(source)).toEqual(issues));
});
