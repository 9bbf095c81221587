import { expect, test } from "vitest";
import { Lexer } from "../../src/model/builtin/lexer.ts";
import { Vocabulary } from "../../src/model/builtin/vocabulary.ts";
import { tokensOf, tokensWithin } from "./true-tokens.ts";

/** The tokens between `|` and `^`, each with the offset at which it begins. */
function check(marked: string, expected: string): void {
  const start = marked.indexOf("|");
  const text = marked.replace("|", "").replace("^", "");
  const vocabulary = new Vocabulary();
  const tokens = tokensOf(new Lexer(vocabulary), vocabulary, "typescript", text);
  const within = tokensWithin(tokens, start, marked.indexOf("^") - 1);
  expect(within.map((token) => `${token.name}@${token.start}`).join(" "), marked).toBe(expected);
  expect(vocabulary.size).toBe(0);
}

test("the tokens that a stretch of a line touches", () => {
  check("|foo.bar^", "foo@0 .@3 bar@4");
  check("fo|o.bar^", "foo@0 .@3 bar@4");
  check("foo|.bar^", ".@3 bar@4");
  check("foo.|bar^;", "bar@4");
  check("a = |b^\nc = d", "b@4");
  check("x |=> y^", "=>@2 y@5");
  check("x =|> y^", "=>@2 y@5");
  check("foo|^", "");
});
