import { describe, expect, test } from "vitest";
import { compileGrammar } from "../tables/compile-grammar.ts";
import { type GrammarNotation, readGrammar } from "./read-grammar.ts";
import { importTreeSitter } from "./tree-sitter.ts";

const levels = 60_000;
const inside = (open: string, middle: string, close: string, count = levels) =>
  open.repeat(count) + middle + close.repeat(count);
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");
const treeSitter = (open: string, close: string) =>
  `{"name": "x", "rules": {"s":\n${inside(open, '{"type": "BLANK"}', close)}}}`;

/** The notation, what nests, its text, and the line from 0 that the issue names. */
const deepGrammars: readonly (readonly [GrammarNotation, string, string, number])[] = [
  ["gbnf", "groups", `root ::= ${inside("(", '"a"', ")")}`, 0],
  ["gbnf", "brackets that stay open", `root ::= ${"(".repeat(levels)}`, 0],
  ["gbnf", "repetitions", `root ::= "a"${"*".repeat(levels)}`, 0],
  ["gbnf", "counts", `root ::= "a"${"{1}".repeat(levels)}`, 0],
  ["ebnf", "groups", `S ::= "b"\nT ::= ${inside("(", '"a"', ")")}`, 1],
  ["ebnf", "repetitions", `S ::= "a"${"?".repeat(levels)}`, 0],
  ["ebnf", "options of ISO", `s = ${inside("[", '"a"', "]")};`, 0],
  ["ebnf", "repetitions of ISO", `s = ${inside("{", '"a"', "}")};`, 0],
  ["lark", "groups of a rule", `start: ${inside("(", '"a"', ")")}`, 0],
  ["lark", "options", `start: ${inside("[", '"a"', "]")}`, 0],
  ["lark", "groups of a terminal", `start: A\nA: ${inside("(", '"a"', ")")}`, 1],
  ["lark", "a pattern", `start: /${inside("(", "a", ")")}/`, 0],
  ["lark", "terminals in terminals", `start: T0\n${lines(500, (i) => `T${i}: T${i + 1} "a"`)}\nT500: "b"`, 201],
  ["emend", "groups", `S = ${inside("(", '"a"', ")")}`, 0],
  ["emend", "repetitions", `S = "a"${"*".repeat(levels)}`, 0],
  ["emend", "parameters", `S = ${inside("A<", '"a"', ">")}\nA<x> = x`, 0],
  ["emend", "a pattern", `token T = /${inside("(", "a", ")")}/\nS = T`, 0],
  [
    "emend",
    "fragments in fragments",
    `fragment F0 = /a/\n${lines(300, (i) => `fragment F${i + 1} = /(b{F${i}}|c)?d/`)}\ntoken T = /{F300}/\nS = T`,
    68,
  ],
  ["tree-sitter", "sequences", treeSitter('{"type": "SEQ", "members": [', "]}"), 1],
  ["tree-sitter", "precedences", treeSitter('{"type": "PREC", "content": ', "}"), 1],
  ["tree-sitter", "lists", inside("[", "", "]"), 0],
];

describe("row 19: a grammar that nests too deep is an issue with its place", () => {
  test.each(deepGrammars)("row 19: %s: %s", (notation, _, text, line) => {
    const { grammar, issues } = readGrammar(text, { notation, name: "x" });
    expect(grammar).toBeUndefined();
    expect(issues[0]).toMatchObject({ severity: "error", line, column: expect.any(Number) });
  });

  test.each<[GrammarNotation, string]>([
    ["gbnf", `root ::= ${inside("(", '"a"', ")", 90)}`],
    ["ebnf", `S ::= ${inside("(", '"a"', ")", 90)}`],
    ["lark", `start: ${inside("(", '"a"', ")", 90)}`],
    ["emend", `S = ${inside("(", '"a"', ")", 90)}`],
    ["emend", `token T = /${inside("(", "a", ")", 90)}/\nS = T`],
  ])("%s that nests 90 deep is read", (notation, text) => {
    const { grammar, issues } = readGrammar(text, { notation, name: "x" });
    expect(issues).toEqual([]);
    expect(compileGrammar(grammar!).compiled).toBeDefined();
  });

  test.each([
    ["gbnf", `root ::= r0\n${lines(400, (i) => `r${i} ::= r${i + 1}`)}\nr400 ::= "a"`],
    ["lark", `start: A\nA: "a"\n${lines(2_000, (i) => `%extend A: "b${i}"`)}`],
  ] as const)("%s with a long chain is read", (notation, text) => {
    expect(readGrammar(text, { notation, name: "x" }).grammar).toBeDefined();
  });

  test("row 19: nested includes are limited", () => {
    const read = (file: string) => `include "${file}x"`;
    const { issues } = readGrammar('include "a"', { notation: "emend", name: "x", read });
    expect(issues[0]).toMatchObject({ severity: "error", line: 0, message: expect.stringContaining("include") });
  });

  test("row 19: a JSON value that nests too deep is refused", () => {
    let node: unknown = { type: "BLANK" };
    for (let i = 0; i < levels; i++) node = { type: "SEQ", members: [node] };
    expect(importTreeSitter({ name: "x", rules: { s: node } }).issues[0]).toMatchObject({ code: "too-deep" });
  });
});
