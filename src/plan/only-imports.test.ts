import { expect, test } from "vitest";
import { isOnlyImports } from "./only-imports.ts";

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
