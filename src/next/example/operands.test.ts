import { expect, test } from "vitest";
import { codeTokens } from "./code-tokens.ts";
import { beginsOperand, closerOf, operandEnd } from "./operands.ts";

/** A text with `|` where something may begin, as tokens and the index of the first one behind it. */
function read(marked: string) {
  const tokens = codeTokens(marked.replace("|", ""));
  return { tokens, from: tokens.list.findIndex(({ start }) => start >= marked.indexOf("|")) };
}

test.each([
  ["an argument up to the next", "f(|a.b(1, [2]), c)", "a.b(1, [2])"],
  ["the last up to the bracket", "f(a, |() => g('x, y'))", "() => g('x, y')"],
  ["an element of a list", "[a, |{ b, c }]", "{ b, c }"],
  ["what a name is given up to the semicolon", "const a = |b + c; d", "b + c"],
  ["what is given back up to the end of the line", "return |b\nc", "b"],
  ["nothing", "f(|)", undefined],
  ["nothing that goes on in other lines", "f(|() => {\n})", undefined],
  ["nothing without an end", "f(|a", undefined],
])("an operand is %s", (_, marked, expected) => {
  const { tokens, from } = read(marked);
  const end = operandEnd(tokens, from);
  const said = end === undefined ? undefined : tokens.source.slice(tokens.list[from]!.start, tokens.list[end - 1]!.end);
  expect(said).toBe(expected);
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
])("whether one may begin in %s: %s", (marked, expected) => {
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
])("what closes %s is %s", (said, closer) => {
  expect(closerOf(said.split(" "))).toBe(closer);
});
