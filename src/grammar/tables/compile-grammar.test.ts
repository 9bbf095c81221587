import { describe, expect, test } from "vitest";
import { compileText } from "../fixtures/compile-text.ts";
import { parseGrammar } from "../notations/emend-notation.ts";
import { compileGrammar } from "./compile-grammar.ts";
import type { CompiledGrammar } from "./compiled-grammar.ts";
import { printGrammarIssue } from "./grammar-issue.ts";

/** The names of the modes that are tried after these terminals, which are all shifted. */
function modesAfter({ tables, modesOf, lex }: CompiledGrammar, ...names: string[]): string {
  let state = 0;
  for (const name of names) {
    const terminal = tables.terminals.indexOf(name);
    state = tables.shift[state * tables.terminals.length + terminal]!;
    expect(state, `a state after ${name}`).not.toBe(0);
  }
  return [...modesOf[state]!].map((mode) => lex.modes[mode]!.name).join(" ");
}

describe("compileGrammar: a state has the modes of the tokens that it can take", () => {
  const division = compileText(`
token Name = /[a-z]+/
token RegExp = /\\/[^\\/\\n]+\\//
trivia Space = /[ \\n]+/
mode main
mode regexp = main - "/" + RegExp
insert End = newline | next end
require SameLine = no newline
S = Statement*
Statement = Operand ("/" Operand)* End | "return" (SameLine Operand)? ";" | "break" SameLine? ";"
Operand = Name | RegExp | "(" Operand ")"
`);
  const cases: readonly (readonly [title: string, after: readonly string[], modes: string])[] = [
    ["all of a place in one mode", [], "regexp"],
    ["behind a condition", ['"return"'], "regexp"],
    ["behind what may be left out, once more what a reduction leads to", ["Name"], "main regexp"],
    ["the first where nothing else is looked for", ['"break"'], "main"],
  ];
  for (const [title, after, modes] of cases) test(title, () => expect(modesAfter(division, ...after)).toBe(modes));
});

test("compileGrammar: a state has as few modes as possible", () => {
  const tokens = ["A", "B", "C", "D", "E", "F"].map((name) => `token ${name} = /${name}/\n`).join("");
  const modes = "mode middle = C D\nmode left = A B C\nmode right = D E F\n";
  expect(modesAfter(compileText(`${tokens}${modes}S = (A | B | C | D | E | F)*`))).toBe("left right");
});

describe("compileGrammar: a `same` symbol must occur twice in a rule", () => {
  test.each([
    ["a token", 'same Name\nS = "<" Name ">" S* "/" Name', undefined],
    ["a rule", 'same Path\nS = "<" Path ">" S* "/" Path\nPath = Name | Path "." Name', undefined],
    ["not what is held once", 'same Name\nS = "<" Name ">"', "same-once"],
    ["not what nothing declares", 'same Title\nS = "<" Name ">"', "same-once"],
    ["not a name for a token", 'same Title\nS = "<" Title ">" S* "/" Title\nTitle = Name', "same-once"],
  ])("%s", (_, text, code) => {
    const { grammar, issues } = parseGrammar(`grammar g\ntoken Name = /[a-z]+/\n${text}\n`);
    expect(issues).toEqual([]);
    const { compiled, issues: found } = compileGrammar(grammar!);
    expect(found.map((issue) => issue.code)).toEqual(code === undefined ? [] : [code]);
    expect(compiled?.same?.length).toBe(code === undefined ? 1 : undefined);
  });
});

test("compileGrammar turns conditions and layout into numbers of terminals", () => {
  const { tables, virtuals, layout } = compileText(`
trivia Space = /\\s+/
require Near = glued, next not "(" "["
insert Stop = newline | next end ")"
layout Line In Out
suspend "(" ")"
S = "a" Near? Stop Line? Group | "b"
Group = "(" "[" S ")" | In S Out
`);
  const number = (name: string): number => tables.terminals.indexOf(name);
  const among = (bits: ArrayLike<number>): string[] => tables.terminals.filter((_, t) => bits[t] !== 0);
  expect(tables.terminals[0]).toBe("end");
  expect(virtuals).toMatchObject([
    { terminal: number("Near"), kind: "require", glued: true },
    { terminal: number("Stop"), kind: "insert", newline: "with" },
  ]);
  expect(among(virtuals[0]!.nextNotIn!)).toEqual(['"("', '"["']);
  expect(among(virtuals[1]!.nextIn!)).toEqual(["end", '")"']);
  expect(layout).toMatchObject({ newline: number("Line"), indent: number("In"), dedent: number("Out") });
  expect([layout!.bracket[number('"("')], layout!.bracket[number('")"')]]).toEqual([1, 2]);
  expect(among(layout!.bracket)).toEqual(['"("', '")"']);
});

describe("compileGrammar reports", () => {
  const cases: readonly (readonly [title: string, text: string, issue: string])[] = [
    ["a rule that is missing", "S = A", "error: Declare A"],
    ["a token that matches the empty text", "token T = /a*/\nS = T", "error: T matches the empty text"],
    [
      "a mode that is not used",
      'token T = /t/\nmode main + T\nmode idle = main + T\nS = T "s"',
      "warning: Take the mode idle out",
    ],
    [
      "too many modes",
      `mode m0\n${Array.from({ length: 32 }, (_, i) => `mode m${i + 1} = m0`).join("\n")}\nS = "s"`,
      "error: Make do with 32 modes; the grammar has 33.",
    ],
  ];
  for (const [title, text, issue] of cases) {
    test(title, () => {
      const { compiled, issues } = compileGrammar(parseGrammar(text).grammar!);
      expect(
        issues.map((each) => printGrammarIssue({ code: each.code, severity: each.severity, message: each.message })),
      ).toContainEqual(expect.stringContaining(issue));
      expect(compiled === undefined).toBe(issue.startsWith("error"));
    });
  }
});
