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
    ["S = A", "1: error: Declare A, or write what is meant: S asks for it, and no rule or token is called so."],
    ['S = "a"\nA = "b"', "2: warning: Ask for A somewhere or take it out: no way leads to it from S."],
    ['S = "a" S', "1: error: Give S a way to end: each way through it needs itself again."],
    [
      'S = "s" | A\nA = "(" B ")"\nB = A | "b" B',
      "2: warning: Give A a way to end: each way through it needs B, which never ends.",
      "3: warning: Give B a way to end: each way through it needs A, which never ends.",
    ],
    [
      'S = (A "a")* A? (A % "b" | "c")\nA = A',
      "2: warning: Give A a way to end: each way through it needs itself again.",
    ],
    ['token T = /a/\nS = "s"', "1: warning: Ask for T in a rule, or declare it by `never` if nothing shall take it."],
    ['token T = /a/\nsplit U = /b/ as T "s"\nS = "s"'],
    ["trivia T = /a/\nS = T", "2: error: Declare T by `token`: S asks for it, but it is trivia."],
    ["never T = /a/\nS = T", "2: error: Declare T by `token`: S asks for it, but it is what nothing takes."],
    ['S = "s" end', "1: error: Take end out of S: the end of the text stands in conditions alone."],
    ['word T\nS = "s"', "1: error: Declare the token T, which `word` names."],
    [
      'mode main = T "t"\nS = "s"',
      "1: error: Declare the token T, which the mode main looks for.",
      '1: warning: Take "t" out of the mode main: no rule asks for it.',
    ],
    ['require V = next "t"\nS = V "s"', '1: warning: Take "t" out of the condition V: no rule asks for it.'],
    ['require V = next T\nS = V "s"', "1: error: Declare the token T, which the condition V names."],
    [
      'require V = next W\nrequire W = glued\nS = V W "s"',
      "1: error: Take W out of the condition V: it has no text, so it cannot be looked for.",
    ],
    [
      'require V = glued\nrequire W = newline\nS = "s" (V | W "x"? | W V)* "t"',
      "3: error: Put text between the conditions in S: V could be asked for there any number of times in a row.",
    ],
    [
      'require V = glued\nS = "s" A\nA = B "a" | "b"\nB = V V A | "c"',
      "4: error: Put text between the conditions in B: V could be asked for there any number of times in a row.",
    ],
    [
      'require V = glued\nS = "s" S V | "t"',
      "2: error: Put text between the conditions in S: V could be asked for there any number of times in a row.",
    ],
    ['require V = glued\nrequire W = newline\nS = V W V "s" (V "t" | "u" W)* V'],
    ['insert V = newline\nS = ("s" V | V "t" V)*'],
    [
      'require V = newline, glued\nS = V "s"',
      "1: error: Take a part out of V: nothing stands glued behind a line break.",
    ],
    ['require V = glued\nS = "s"', "1: warning: Ask for V in a rule, or take it out."],
    [
      'layout Line In Out\nsuspend "(" ")"\nS = "(" S? ")" Line | Group In "s" Out\nGroup = "(" S ")"',
      '3: error: Let S end with ")", and write what follows it in a rule that asks for S.',
    ],
    [
      'layout Line In Out\nsuspend "(" ")"\nS = "(" ")" | "(" S Close | Line In "s" Out\nClose = "," ")" | ")"',
      '4: error: Write ")" in the rule that opens what it closes, not in Close alone.',
    ],
    ['layout Line In Out\nsuspend "{" "}"\nS = Head ":" "s" "}" | Line In "s" Out\nHead = "{" "s"'],
    [
      'layout Line In Out\nS = "s" | Line In S Out ";"',
      "2: error: Let S end with Out, and write what follows it in a rule that asks for S.",
    ],
    [
      'layout Line In Out\nsuspend "(" "|", "|" ")"\nS = "(" S "|" | "|" Line In Out ")"',
      '1: error: Make "|" either an opening or a closing bracket.',
      '3: error: Let S end with "|", and write what follows it in a rule that asks for S.',
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

describe("checkGrammar reports faults of grammars that no notation made", () => {
  const a: Expression = { kind: "literal", text: "a" };
  const rules = [{ name: "S", expression: a }];
  const withLexical = (lexical: Partial<LexicalSource>): GrammarSource => {
    const grammar = grammarOf(rules);
    return { ...grammar, lexical: { ...grammar.lexical, ...lexical } };
  };
  const pattern = { kind: "text", text: "a" } as const;
  const cases: readonly (readonly [title: string, source: GrammarSource, ...issues: string[]])[] = [
    [
      "no start",
      { ...grammarOf(rules), start: "T" },
      "error: Write a rule T: it is what a whole text is made of.",
      "warning: Ask for S somewhere or take it out: no way leads to it from T.",
    ],
    [
      "a name for two things",
      withLexical({ tokens: [{ name: "S", kind: "token", pattern }] }),
      "error: Choose another name for one of the two things called S.",
      "warning: Ask for S in a rule, or declare it by `never` if nothing shall take it.",
    ],
    [
      "a name that is taken",
      withLexical({ tokens: [{ name: "end", kind: "never", pattern }] }),
      "error: Choose another name than end, which is the end of the text.",
    ],
    [
      "conditions that say nothing",
      withLexical({
        virtuals: [
          { name: "V", kind: "require", when: {} },
          { name: "W", kind: "insert", when: { newline: "without" } },
        ],
      }),
      "error: Say when V may be taken: `newline`, `no newline`, `glued` or `next …`.",
      "error: Say when W may be taken: `newline` or `next …`.",
      "warning: Ask for V in a rule, or take it out.",
      "warning: Ask for W in a rule, or take it out.",
    ],
  ];
  for (const [title, source, ...issues] of cases) test(title, () => expect(issuesOf(source)).toEqual(issues));
});
