import { expect, test } from "vitest";
import { isOnlyImports, neededNames } from "./requested-imports.ts";

test.each([
  ["", true],
  ['import { a, type B } from "./a.ts";\nimport * as c from "c";\nimport "d";\n', true],
  ['import {\n  a,\n  b,\n} from "a";\nimport data from "./a.json" with { type: "json" };', true],
  ['// Why.\nimport a from "a"\n/* both */\nconst { b } = require("b");', true],
  ["import os, sys\nfrom a.b import (\n    c,\n    d,\n)\nfrom e import f  # why\n", true],
  ["from . import f\n", true],
  ["import os\nos.remove('a')  # import b\n", false],
  ["using System;\nusing static A.B;\n", true],
  ["use std::{a, b};\n", true],
  ['import (\n\t"fmt"\n)\n', true],
  ['import { a } from "a";\nconst b = 1;', false],
  ["export function f() {}", false],
  ['import { a } from "a"; evil();', false],
])("isOnlyImports of %j is %s", (text, is) => {
  expect(isOnlyImports(text)).toBe(is);
});

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
