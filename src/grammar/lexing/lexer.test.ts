import { describe, expect, test } from "vitest";
import { buildLexer } from "./build-lexer.ts";
import { Lexer } from "./lexer.ts";
import { parsePattern } from "./parse-pattern.ts";
import type { Pattern } from "./pattern.ts";

const encoder = new TextEncoder();
const patternOf = (source: string): Pattern => (parsePattern(source) as { pattern: Pattern }).pattern;
const terminals = ["end", "Name", "Number", '"if"', '"in"', '"."', '"..."', '"?"'];
const { lex } = buildLexer(
  {
    tokens: [
      { name: "Name", pattern: patternOf("[a-zé]+"), kind: "token" },
      { name: "Number", pattern: patternOf("[0-9]+"), kind: "token" },
      { name: "Split", pattern: patternOf("\\?[0-9]"), kind: "token", splitsInto: [{ literal: "?" }, "Number"] },
      { name: "Space", pattern: patternOf("[ \\n]+"), kind: "trivia" },
    ],
    word: "Name",
    reserved: ["if"],
    modes: [],
    virtuals: [],
    newline: patternOf("\\n"),
  },
  terminals,
);
const lexer = new Lexer(lex!);

describe("the longest match", () => {
  // The lexeme is between the marks: `[` where it starts, `]` where it ends.
  const cases: readonly (readonly [marked: string, kind: string])[] = [
    ["[if] x", "match"],
    ["[if]", "open"],
    ["a [b] c", "match"],
    ["[...].", "match"],
    ["[.].x", "match"],
    ["[.].", "open"],
    ["[.]", "open"],
    ["[?1]2", "match"],
    ["[?1]", "match"],
    ["[]!", "none"],
    ["[]", "open"],
    ["a[ \n]b", "match"],
    ["[aé]!", "match"],
  ];
  for (const [marked, kind] of cases) {
    test(`${JSON.stringify(marked)} is ${kind}`, () => {
      const bytes = encoder.encode(marked.replace(/[[\]]/g, ""));
      const start = marked.indexOf("[");
      const munch = lexer.longestMatch(0, bytes, start, bytes.length);
      const end = encoder.encode(marked.slice(0, marked.indexOf("]")).replace("[", "")).length;
      expect([munch.kind, munch.end]).toEqual([kind, end]);
      expect(munch.match > 0).toBe(end > start);
      expect(munch.isBrokenLine).toBe(marked.includes("\n"));
    });
  }
});

test("a lexeme goes on from the state it has come to", () => {
  const whole = encoder.encode("né+");
  // Cut within the second character.
  const first = lexer.longestMatch(0, whole, 0, 2);
  expect(first).toMatchObject({ kind: "open", end: 1 });
  const rest = lexer.longestMatchFrom(first.state, whole, 2, whole.length);
  expect(rest).toEqual(lexer.longestMatch(0, whole, 0, whole.length));
});

describe("what can be reached", () => {
  const cases: readonly (readonly [text: string, reachable: string])[] = [
    ["", 'Name Number "if" "in" "." "..." "?"'],
    ["i", 'Name "if" "in"'],
    ["if", 'Name "if"'],
    ["in", 'Name "in"'],
    ["inn", "Name"],
    [".", '"." "..."'],
    ["..", '"..."'],
    ["?", '"?"'],
    ["?1", '"?"'],
    [" ", ""],
  ];
  for (const [text, reachable] of cases) {
    test(JSON.stringify(text), () => {
      const { state } = lexer.longestMatch(0, encoder.encode(text), 0, text.length);
      const bits = lexer.reachableTerminals(state);
      const names = terminals.filter((_, terminal) => (bits[terminal >> 5]! >> (terminal & 31)) & 1);
      expect(names.join(" ")).toBe(reachable);
      expect(lexer.canGoOn(state)).toBe(text !== "?1" && text !== "...");
    });
  }
});
