import { expect, test } from "vitest";
import { beginsOperand, closerOf, codeTokens, operandEnd } from "./example-tokens.ts";

/**
 * Reads a text with `|` before an operand: its tokens and the index of the first one after the
 * mark.
 */
function read(marked: string) {
  const tokens = codeTokens(marked.replace("|", ""));
  return { tokens, from: tokens.list.findIndex(({ start }) => start >= marked.indexOf("|")) };
}

test.each([
  ["an argument up to the next", "f(|a.b(1, [2]), c)", "a.b(1, [2])"],
  ["the last argument up to the bracket", "f(a, |() => g('x, y'))", "() => g('x, y')"],
  ["an element of a list", "[a, |{ b, c }]", "{ b, c }"],
  ["an assigned value up to the semicolon", "const a = |b + c; d", "b + c"],
  ["a returned value up to the end of the line", "return |b\nc", "b"],
  ["undefined where it is empty", "f(|)", undefined],
  ["undefined where it continues in other lines", "f(|() => {\n})", undefined],
  ["undefined without an end", "f(|a", undefined],
])("an operand is %s", (_, marked, expected) => {
  const { tokens, from } = read(marked);
  const end = operandEnd(tokens, from);
  const operand =
    end === undefined ? undefined : tokens.source.slice(tokens.list[from]!.start, tokens.list[end - 1]!.end);
  expect(operand).toBe(expected);
});

test.each([
  ["f(|a)", true],
  ["f(a, |b)", true],
  ["a = |b", true],
  ["() => |b", true],
  ["return |b", true],
  ["a + |b", false],
  ["a.|b", false],
  ["a |b", false],
])("whether an operand may begin at the mark in %s: %s", (marked, expected) => {
  const { tokens, from } = read(marked);
  expect(beginsOperand(tokens, from)).toBe(expected);
});

test.each([
  ["f (", ")"],
  ["f ( [ ] , {", undefined],
  ["computed ( ( ) =>", ")"],
  ["[ a ,", "]"],
  ["f ( )", undefined],
  [") (", undefined],
])("the closing bracket of the tokens %s is %s", (tokens, closer) => {
  expect(closerOf(tokens.split(" "))).toBe(closer);
});
