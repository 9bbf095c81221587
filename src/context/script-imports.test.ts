import { expect, test } from "vitest";
import { scriptImportsOf } from "./script-imports.ts";

const blanks = " ".repeat(100_000);

// What takes longer than the length of a line allows would not end within a test's time.
test.each([`import${blanks}`, `import a${blanks}`, `import type${blanks}b`, `import${blanks}a from "a"`])(
  "a wide line does not hold up the reading of imports",
  (text) => {
    const names = scriptImportsOf(`${text};\nimport { c } from "b";\n`).flatMap((found) => JSON.stringify(found));
    expect(names.join()).toContain('"b"');
  },
);

test.each([
  ['import a, { type b as c } from "./m";', ["default a", "b c"]],
  ['const a = require("./m");', ["* a"]],
  ['const { a: b } = require("./m");', ["a b"]],
  ['import a = require("./m");', ["* a"]],
])("%s imports names", (text, names) => {
  const found = scriptImportsOf(text);
  expect(found.map(({ specifier }) => specifier)).toEqual(["./m"]);
  expect(found.flatMap((one) => one.names.map(({ imported, local }) => `${imported} ${local}`))).toEqual(names);
});
