import { expect, test } from "vitest";
import { scriptNames } from "../names/index.ts";
import { parseScriptTree } from "../names/node/index.ts";
import { type ModuleExports, type ScriptImport, scriptExportsOf, scriptImportsOf } from "./script-imports.ts";

const blanks = " ".repeat(100_000);

// What takes longer than the length of a line allows would not end within a test's time.
const comments = "\rimport {//a".repeat(20_000);
test.each([`import${blanks}`, `import a${blanks}`, `import type${blanks}b`, `import${blanks}a from "a"`, comments])(
  "a wide line does not hold up the reading of imports",
  (text) => {
    const names = scriptImportsOf(`${text};\nimport { c } from "b";\n`).flatMap((found) => JSON.stringify(found));
    expect(names.join()).toContain('"b"');
  },
);

/** Modules that the patterns read as the tree is read. */
const modules = [
  'import a, { type b as c } from "./m";',
  'import a, * as b from "./m";\nimport type { C } from "./c";',
  'import "./effect";\nimport {} from "./none";\nimport d from "./d";',
  'import {\n  a, // it\'s one: `{`\n  /* {@link b}; (c) = "d" */ b,\n  d as e, // }\n} from "./m";',
  'const a = require("./m");\nconst { b: c, d } = require("./n");',
  'const {\n  a, // "{"\n  b: c = 1,\n} = require("./m");',
  'import a = require("./m");',
  'export * from "./a";\nexport type * from "./b";\nexport*from"./c";\nexport type * as d from "./d";\nexport * as e from "./e";',
  'export { a, b as c } from "./m";\nexport type { D } from "./d";\nconst e = 1;\nexport { e, e as f };',
  'export {\n  // the {one}\n  a,\n  /** @see {@link a} */\n  b as c, // or /* this\n} from "./m";\nexport const d = 1;',
  "export function a() {}\nexport class B {}\nexport interface C {}\nexport type D = 1;\nexport enum E {}\nexport const f = 1;",
  "function a() {}\nmodule.exports = { a, b: 1 };",
  "function a() {}\nmodule.exports = {\n  a, // {a}\n  b: 1,\n};",
];

test.each(modules)("%j has the imports and exports that its tree has", (text) => {
  const table = scriptNames(parseScriptTree(text, { kind: "ts", source: "module" })!);
  const imported = table.bindings.flatMap(({ imported, name }) =>
    imported === undefined ? [] : [`${imported.source} ${imported.name} ${name}`],
  );
  const exported = [
    ...table.bindings.flatMap(({ isExported, name }) => (isExported ? [name] : [])),
    ...table.uses.flatMap(({ role, name }) => (role === "exports" ? [name] : [])),
  ];
  expect(shownImports(scriptImportsOf(text))).toEqual(imported.sort());
  expect(shownExports(scriptExportsOf(text))).toEqual([...new Set([...exported, ...stars(table.passedOn)])].sort());
});

function shownImports(imports: readonly ScriptImport[]): readonly string[] {
  return imports
    .flatMap(({ specifier, names }) => names.map(({ imported, local }) => `${specifier} ${imported} ${local}`))
    .sort();
}

function shownExports({ names, stars: passedOn }: ModuleExports): readonly string[] {
  return [...names.keys(), ...stars(passedOn)].sort();
}

function stars(modules: readonly string[]): readonly string[] {
  return modules.map((module) => `* ${module}`);
}

test("exports say what they are called inside and where they come from", () => {
  const { names } = scriptExportsOf(
    'export { a as b, c } from "./m";\nexport * as d from "./d";\nexport default class E {}\nconst f = 1;\nexport { f as g };\n',
  );
  expect(Array.from(names, ([name, { local, from }]) => `${name} ${local} ${from ?? ""}`)).toEqual([
    "b a ./m",
    "c c ./m",
    "d * ./d",
    "default E ",
    "g f ",
  ]);
});
