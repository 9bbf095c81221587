import { describe, expect, test } from "vitest";
import { recognise } from "../hole/recognise.ts";
import { compileGrammar } from "../tables/compile-grammar.ts";
import { printGrammarIssue } from "../tables/grammar-issue.ts";
import { importTreeSitter } from "./tree-sitter.ts";
import { writeGrammar } from "./write-grammar.ts";

// Nodes as tree-sitter's own language writes them.
const seq = (...members: unknown[]) => ({ type: "SEQ", members: members.map(node) });
const choice = (...members: unknown[]) => ({ type: "CHOICE", members: members.map(node) });
const optional = (member: unknown) => choice(member, { type: "BLANK" });
const repeat = (content: unknown) => ({ type: "REPEAT", content: node(content) });
const repeat1 = (content: unknown) => ({ type: "REPEAT1", content: node(content) });
const symbol = (name: string) => ({ type: "SYMBOL", name });
const pattern = (value: string, flags?: string) => ({
  type: "PATTERN",
  value,
  ...(flags === undefined ? {} : { flags }),
});
const token = (content: unknown) => ({ type: "TOKEN", content: node(content) });
const immediate = (content: unknown) => ({ type: "IMMEDIATE_TOKEN", content: node(content) });
const prec = (value: number, content: unknown) => ({ type: "PREC_LEFT", value, content: node(content) });
const alias = (content: unknown) => ({ type: "ALIAS", named: true, value: "other", content: node(content) });
const node = (value: unknown) => (typeof value === "string" ? { type: "STRING", value } : value);

const blanks = { extras: [pattern("\\s")] };
const words = { word: "word", extras: [pattern("\\s")] };
const word = pattern("[a-z]+");

type Grammar = Readonly<Record<string, unknown>>;

const cases: readonly (readonly [
  title: string,
  grammar: Grammar,
  overlay: string | undefined,
  taken: readonly string[],
  refused: readonly string[],
])[] = [
  [
    "rules of all kinds",
    { rules: { s: seq("a", optional("b"), repeat("c"), repeat1(choice("d", prec(1, alias("e"))))) } },
    undefined,
    ["ad", "abccde"],
    ["a", "abb", "bd"],
  ],
  [
    "white space between tokens",
    { ...blanks, rules: { s: repeat1(symbol("n")), n: pattern("\\d+") } },
    undefined,
    ["1 2", " 12\n"],
    ["a"],
  ],
  ["flags of patterns", { rules: { s: pattern("ab?", "i") } }, undefined, ["a", "AB"], ["b"]],
  [
    "what a token is made of",
    { ...blanks, rules: { s: token(seq("0x", repeat1(pattern("[0-9]")))) } },
    undefined,
    ["0x1"],
    ["0x", "0 x1"],
  ],
  [
    "tokens that stand right behind others",
    { ...blanks, rules: { s: seq("f", immediate("(")) } },
    undefined,
    ["f("],
    ["f ("],
  ],
  [
    "texts between quotes are no words",
    {
      ...words,
      rules: {
        s: choice(symbol("text"), repeat1(symbol("word"))),
        text: seq(
          '"',
          repeat(choice(immediate(prec(1, pattern('[^"\\\\{]+'))), symbol("hole"), symbol("escape"))),
          '"',
        ),
        hole: seq("{", symbol("s"), "}"),
        escape: immediate(seq("\\", pattern("."))),
        word,
      },
    },
    undefined,
    ["a b", '" a { "c" } \\" "', '"{a b}"', '""'],
    ['"a', "a\\n", '"{"'],
  ],
  [
    "keywords are no words",
    { ...words, rules: { s: choice(seq("let", symbol("word")), symbol("word")), word } },
    undefined,
    ["let a", "lets"],
    ["let", "let let", "leta b"],
  ],
  [
    "keywords that may be words, where the grammar lists which may not",
    { ...words, reserved: { global: [node("let")] }, rules: { s: seq(choice("let", "get"), symbol("word")), word } },
    undefined,
    ["let get", "get get"],
    ["get let"],
  ],
  [
    "line breaks that end statements",
    { ...blanks, rules: { s: repeat(seq("x", choice(pattern("\\n"), ";", "\0"))) } },
    undefined,
    ["x;x\nx", "x\n\n x\n", ""],
    ["x x", "x;;"],
  ],
  [
    "closing brackets that look like a shift",
    {
      ...words,
      rules: {
        s: choice(
          seq(symbol("word"), optional(seq("<", symbol("s"), ">"))),
          seq(symbol("s"), choice(">>", ">="), symbol("s")),
        ),
        word,
      },
    },
    undefined,
    ["a<b<c>>", "a >> b", "a<b> >= c"],
    ["a > > b", "a<b<c>", "a > = b"],
  ],
  [
    "tokens that may be empty",
    { rules: { s: seq("[", token(pattern("x*")), "]") } },
    undefined,
    ["[]", "[xx]"],
    ["[y]"],
  ],
  [
    "what an external scanner finds, from an overlay",
    { ...blanks, externals: [symbol("raw")], rules: { s: repeat1(choice(symbol("raw"), "x")) } },
    'include "grammar.json"\ntoken raw = /#[a-z]+#/',
    ["#a# x", "x#b#"],
    ["#a", "#A#"],
  ],
  [
    "an overlay replaces rules by tokens and tokens by rules, and adds to them",
    { ...blanks, rules: { s: seq(symbol("a"), symbol("b")), a: seq("a", "a"), b: pattern("b+") } },
    'include "grammar.json"\ntoken a = /aa/\nb = "b" "c"\ns |= "s"',
    ["aa b c", "s"],
    ["a a b c", "aab"],
  ],
];

describe("importTreeSitter", () => {
  for (const [title, grammar, overlay, taken, refused] of cases) {
    test(title, () => {
      const { grammar: source, issues } = importTreeSitter({ name: "test", ...grammar }, overlay);
      expect(issues.map((issue) => printGrammarIssue(issue))).toEqual([]);
      const { compiled, issues: more } = compileGrammar(source!);
      expect(more.map((issue) => printGrammarIssue(issue))).toEqual([]);
      const takes = (text: string) => recognise(compiled!, new TextEncoder().encode(text)).kind === "whole";
      expect([...taken, ...refused].filter(takes)).toEqual(taken);
    });
  }
});

describe("importTreeSitter reports what it can't import", () => {
  const messages: readonly (readonly [grammar: unknown, message: string])[] = [
    [[], "Give the value of a src/grammar.json: it has a `name` and `rules`."],
    [{ name: "x", rules: {} }, "The grammar has no rules."],
    [{ name: "x", rules: { s: 1 } }, "The rule s is no node with a `type`."],
    [{ name: "x", rules: { s: { type: "MAGIC" } } }, "The rule s has a node of the unknown type MAGIC."],
    [{ name: "x", rules: { s: symbol("t") } }, "There is no rule and no token called t."],
    [
      { name: "x", externals: [symbol("t")], rules: { s: symbol("t") } },
      "Say in an overlay what t is: an external scanner finds it, and the grammar does not tell how.",
    ],
    [{ name: "x", rules: { s: pattern("a(?!b)") } }, "The pattern /a(?!b)/ of the rule s: There is no look-around"],
  ];
  for (const [grammar, message] of messages) {
    test(message, () => {
      const { grammar: source, issues } = importTreeSitter(grammar);
      expect(source).toBeUndefined();
      expect(issues.map((issue) => issue.message).join("\n")).toContain(message);
    });
  }
});

test("writeGrammar prints an imported grammar readably", () => {
  const rules = {
    s: seq("(", repeat(choice(symbol("word"), symbol("number"))), ")"),
    word,
    number: token(pattern("\\d+")),
  };
  const { grammar } = importTreeSitter({ name: "lisp", ...words, rules });
  expect(writeGrammar(grammar!)).toBe(`grammar lisp

token word = /[a-z]+/
token number = /[0-9]+/
trivia white_space = /[\\t-\\r \\u{a0}\\u{1680}\\u{2000}-\\u{200a}\\u{2028}\\u{2029}\\u{202f}\\u{205f}\\u{3000}\\u{feff}]+/
word word
newline /[\\n\\r]/

s = "(" (word | number)* ")"
`);
});
