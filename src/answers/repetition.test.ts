import fc from "fast-check";
import { expect, test } from "vitest";
import { tryRepetition, withoutRepetition } from "./repetition.ts";

const once = (text: string) => text.slice(0, tryRepetition(text));

test.each([
  ["a ".repeat(10), "a"],
  ["a ".repeat(9), "a ".repeat(9)],
  [`const x = 1;\n${"f(a);\n".repeat(6)}`, "const x = 1;\nf(a);"],
  ["f(a);\n".repeat(3), "f(a);\n".repeat(3)],
  ["f(a);\n".repeat(4), "f(a);"],
  ["x = 1\n".repeat(8), "x = 1"],
  [`let x\n${"x = 1\n".repeat(4)}x =`, "let x\nx = 1"],
  ["  foo();\n\n".repeat(8), "  foo();"],
  ["f()\ny = 2\n".repeat(4), "f()\ny = 2"],
  ["i++;\n".repeat(4), "i++;"],
  ["f(1);\nf(2);\nf(3);\nf(4);\nf(5);", "f(1);\nf(2);\nf(3);\nf(4);\nf(5);"],
  ["0, 0, 1,\n".repeat(4), "0, 0, 1,\n".repeat(4)],
  ["vec(0, 0),\n".repeat(4), "vec(0, 0),\n".repeat(4)],
  ["<br>\n".repeat(6), "<br>\n".repeat(6)],
  ["| - | - |\n".repeat(4), "| - | - |\n".repeat(4)],
  ["null\n".repeat(6), "null\n".repeat(6)],
  ["}\n".repeat(4), "}\n".repeat(4)],
  [`[${"0, ".repeat(20)}`, "[0,"],
  ["a = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];", "a = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];"],
  ["// --------------------------------------", "// --------------------------------------"],
  ["", ""],
  ["ter((((", "ter"],
  ["a();\nter( ( (", "a();\nter"],
  ["f([{(", "f"],
  ["f((a", "f((a"],
  ["f((", "f(("],
  ["f((((a", "f((((a"],
  ["[[[", "[[["],
])("%j is said once as %j", (text, expected) => expect(once(text)).toBe(expected));

test("law: a repeated long period is kept once", () => {
  const words = fc.array(fc.constantFrom("a", "b", "c", "(", ")", ";"), { minLength: 10, maxLength: 20 });
  fc.assert(
    fc.property(words, fc.integer({ min: 5, max: 8 }), (round, times) => {
      const text = Array.from({ length: times }, () => round.join(" ")).join("\n");
      return once(text).length <= round.join(" ").length + 2;
    }),
  );
});

test.each([
  [`const x = 1;\n${"f(a);\n".repeat(6)}`, "const x = 1;\nf(a);"],
  ["a = 1;", "a = 1;"],
  [`a = [${"0, ".repeat(20)}`, undefined],
  [`f();\na = [${"0, ".repeat(20)}`, "f();"],
])("%j is offered as %j", (text, expected) => expect(withoutRepetition(text)).toBe(expected));
