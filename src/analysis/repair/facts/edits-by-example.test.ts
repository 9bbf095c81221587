import { expect, test } from "vitest";
import type { ScriptNode } from "../../../names/script-node.ts";
import { treeOf } from "../../fixtures/repair-notation.ts";
import { exampleEdits, learnRewrites, rewritten } from "./edits-by-example.ts";

/**
 * `BEFORE => AFTER; …` are the examples, each an expression in a statement; then a place, and its
 * new text, or `-`.
 */
const cases: readonly (readonly [examples: string, place: string, expected: string])[] = [
  // One example: the parts of the match vary.
  ["f(a, b) => f(b, a)", "f(x, y())", "f(y(), x)"],
  ["f(a, b) => f({ a, b })", "f(x, y)", "f({ a: x, b: y })"],
  ["f(a) => f({ a, c })", "f(x)", "-"],
  ["f(a) => f(a, 0)", "f(g(1))", "f(g(1), 0)"],
  ["f(a) => f(a, context)", "f(x)", "-"],
  ["s.open(a) => s.start({ path: a })", "t.u.open(p + 1)", "t.u.start({ path: p + 1 })"],
  ["new Ring(a) => Ring.of(a)", "new Ring(2)", "-"],
  ["f(a) => f(a.id)", "f(x)", "f(x.id)"],
  ["f(a) => f(a.id)", "f(x + y)", "f((x + y).id)"],
  ["f(a) => f(await a)", "f(x.y)", "f(await x.y)"],
  ["f(a) => f(a, 0)", "f(x + y)", "f(x + y, 0)"],
  ["f(a) => f(a, 0)", "f(\n  x,\n)", "f(x, 0)"],
  ["<F a={1} /> => <F b={1} />", "<F a={x} />", "<F b={x} />"],
  ["<F a={1} on /> => <F a={1} />", "<F a={x + y}\n on />", "<F a={x + y} />"],
  ["<F a b /> => <F c />", "<F ab />", "-"],
  ["f(a) => f(a, 0)", "g(x)", "-"],
  ["f(a) => f(a, 0)", "f(x, y)", "-"],
  ["f({ a: true }) => f({ a: true, b: false })", "f({ a: false })", "-"],
  ["f(a, b) => f(a)", "f(x, y())", "f(x)"],
  // Two examples: their differences vary, and the rest is the same everywhere.
  ["f(a) => f(a, context); f(b) => f(b, context)", "f(x)", "f(x, context)"],
  ["f(a, 1) => f(1, a, 1); f(b, 2) => f(2, b, 2)", "f(x, 3)", "f(3, x, 3)"],
  ["f(a, 1) => g(a); f(b, 1) => g(b)", "f(x, 2)", "-"],
  ["f(a, 1) => g(a); f(b, 1) => g(b)", "f(x, 1)", "g(x)"],
  ["f(a) => f(a, c); f(b) => f(b, d)", "f(x)", "-"],
  ["f(a) => g(a); f(b) => h(b)", "f(x)", "-"],
  ["f(a) => a.b; f(c) => c.d", "f(x)", "-"],
  ["f(a) => f({ a }); f(b) => f({ b })", "f(x)", "-"],
  ["f(a, a) => g(a); f(b, b) => g(b)", "f(x, y)", "-"],
  ["f(a, a) => g(a); f(b, b) => g(b)", "f(x.y, x.y)", "g(x.y)"],
];

test.each(cases)("learnRewrites applies the examples %s to %s", (examples, place, expected) => {
  const learnt = learnRewrites(
    examples.split("; ").flatMap((example) => {
      const [before = "", after = ""] = example.split(" => ");
      return exampleEdits(
        { node: treeOf(before).program as never, text: before },
        { node: treeOf(after).program as never, text: after },
      );
    }),
  );
  const expression = (treeOf(place).program.body[0] as unknown as ScriptNode)["expression"] as ScriptNode;
  const node = (expression["openingElement"] ?? expression) as ScriptNode;
  expect(rewritten(learnt, { node, text: place }) ?? "-").toBe(expected);
});
