import { expect, test } from "vitest";
import { neededNames } from "./needed-names.ts";

const promptText = "class Complex { real } func value key metadata Map numpy np total";

test.each<[newText: string, names: readonly string[]]>([
  ["function f(): Complex { return new Complex(); }", ["Complex"]],
  ["return known(Complex, func());", ["Complex", "func"]],
  ["return c.Complex + c?.func;", []],
  ["return { Complex: 1, func };", ["func"]],
  ["return [...func()];", ["func"]],
  ["const Complex = 1; return Complex;", []],
  ["const { Complex, func } = x; return Complex;", []],
  ["(func, value) => func(value)", []],
  ["function f(value: Complex) { return value; }", ["Complex"]],
  ["def f(value, total=np.zero):\n    return value + total", ["np"]],
  ["for value in func(): pass", ["func"]],
  ["total = 1", []],
  ['return "Complex" // func', []],
  ["return this.#value;", []],
  ["return never_heard();", []],
])("neededNames finds the names in %j", (newText, names) => {
  expect(neededNames({ fileBefore: "known known2", newText, promptTexts: [promptText] })).toEqual(names);
});
