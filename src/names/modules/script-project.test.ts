import { describe, expect, it } from "vitest";
import { mayDeclareForAll, scriptProject } from "./script-project.ts";

interface Case {
  readonly what: string;
  /** Text files; of files without text only the names matter. */
  readonly files: Readonly<Record<string, unknown>>;
  /** The source files of the project; none if absent. */
  readonly scripts?: readonly string[];
  readonly optionsFrom?: string | undefined;
  /** Some of the resulting compiler options. */
  readonly options: Readonly<Record<string, unknown>>;
}

const cases: readonly Case[] = [
  {
    what: "without any configuration it is strict",
    files: { "a.ts": "", "lib/b.js": "", "notes.md": "" },
    scripts: ["a.ts", "lib/b.js"],
    optionsFrom: undefined,
    options: { strict: true, allowJs: true, checkJs: false, lib: ["esnext", "dom", "dom.iterable"], paths: {} },
  },
  {
    what: "its own strictness is kept, what is emitted is not",
    files: {
      "tsconfig.json": { compilerOptions: { strict: false, noImplicitAny: true, outDir: "dist", declaration: true } },
      "a.ts": "",
    },
    scripts: ["a.ts"],
    optionsFrom: "tsconfig.json",
    options: { strict: false, noImplicitAny: true, outDir: undefined, declaration: undefined, noEmit: true },
  },
  {
    what: "a configuration without strictness is not strict before version 6 of TypeScript",
    files: {
      "tsconfig.json": { compilerOptions: { noImplicitThis: true } },
      "package.json": { devDependencies: { typescript: "~5.4.0" } },
      "a.ts": "",
    },
    scripts: ["a.ts"],
    optionsFrom: "tsconfig.json",
    options: { strict: false, noImplicitThis: true },
  },
  {
    what: "and is from then on, as the service is",
    files: {
      "tsconfig.json": { compilerOptions: { noImplicitThis: true } },
      "package.json": { devDependencies: { typescript: "^6.0.0" } },
      "a.ts": "",
    },
    scripts: ["a.ts"],
    optionsFrom: "tsconfig.json",
    options: { strict: undefined, noImplicitThis: true },
  },
  {
    what: "what is extended and not there is taken for strict",
    files: {
      "tsconfig.json": { extends: "@tsconfig/strictest" },
      "package.json": { devDependencies: { typescript: "5.4.0" } },
      "a.ts": "",
    },
    scripts: ["a.ts"],
    optionsFrom: "tsconfig.json",
    options: { strict: true },
  },
  {
    what: "comments and trailing commas are read",
    files: { "tsconfig.json": `{ // why\n "compilerOptions": { "strict": true, }, }` },
    optionsFrom: "tsconfig.json",
    options: { strict: true },
  },
  {
    what: "what it extends is read first, and it wins",
    files: {
      "tsconfig.json": { extends: "./config/base", compilerOptions: { strictNullChecks: false } },
      "config/base.json": { compilerOptions: { strict: true, strictNullChecks: true, lib: ["es2020"] } },
    },
    optionsFrom: "tsconfig.json",
    options: { strict: true, strictNullChecks: false, lib: ["es2020"] },
  },
  {
    what: "of several that it extends the last wins; one that is not there is left out",
    files: {
      "tsconfig.json": { extends: ["./a.json", "./gone.json", "./b.json"] },
      "a.json": { compilerOptions: { strict: false, noImplicitThis: true } },
      "b.json": { compilerOptions: { strict: true } },
    },
    optionsFrom: "tsconfig.json",
    options: { strict: true, noImplicitThis: true },
  },
  {
    what: "one that extends itself is read once",
    files: { "tsconfig.json": { extends: "./tsconfig.json", compilerOptions: { strict: true } } },
    optionsFrom: "tsconfig.json",
    options: { strict: true },
  },
  {
    what: "one of a package is found beside the packages",
    files: {
      "tsconfig.json": { extends: "@tsconfig/node20/tsconfig.json" },
      "node_modules/@tsconfig/node20/tsconfig.json": { compilerOptions: { strict: true, lib: ["es2023"] } },
    },
    optionsFrom: "tsconfig.json",
    options: { strict: true, lib: ["es2023"] },
  },
  {
    what: "one that a package exports",
    files: {
      "tsconfig.json": { extends: "conf/app" },
      "node_modules/conf/package.json": { exports: { "./app": "./in/app.json" } },
      "node_modules/conf/in/app.json": { extends: "./base.json", compilerOptions: { noImplicitThis: true } },
      "node_modules/conf/in/base.json": { compilerOptions: { strict: false } },
    },
    optionsFrom: "tsconfig.json",
    options: { strict: false, noImplicitThis: true },
  },
  {
    what: "one of a package of the workspace that is not installed",
    files: {
      "apps/web/tsconfig.json": { extends: "@all/config/base" },
      "config/package.json": { name: "@all/config" },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: TypeScript's own variable.
      "config/base.json": { compilerOptions: { strict: false, paths: { "@/*": ["${configDir}/src/*"] } } },
    },
    optionsFrom: "apps/web/tsconfig.json",
    options: {
      strict: false,
      paths: { "@/*": ["./apps/web/src/*"], "@all/config/*": ["./config/src/*", "./config/*"] },
    },
  },
  {
    what: "a base that is inherited, for paths of its own",
    files: {
      "tsconfig.json": { extends: "./base.json", compilerOptions: { paths: { "@/*": ["lib/*"] } } },
      "base.json": { compilerOptions: { baseUrl: "src" } },
    },
    optionsFrom: "tsconfig.json",
    options: { paths: { "@/*": ["./src/lib/*"], "*": ["./src/*"] } },
  },
  {
    what: "of a solution the configuration with settings counts, and all are one project",
    files: {
      "tsconfig.json": { files: [], references: [{ path: "./packages/a" }] },
      "tsconfig.base.json": { compilerOptions: { strict: true, exactOptionalPropertyTypes: true } },
      "packages/a/tsconfig.json": { extends: "../../tsconfig.base.json", compilerOptions: { strict: false } },
      "packages/a/src/index.ts": "",
      "packages/b/src/index.ts": "",
    },
    scripts: ["packages/a/src/index.ts", "packages/b/src/index.ts"],
    optionsFrom: "tsconfig.base.json",
    options: { strict: true, exactOptionalPropertyTypes: true },
  },
  {
    what: "paths are relative to where they are written",
    files: {
      "tsconfig.json": { compilerOptions: { paths: { "@/*": ["./src/*"] } } },
      "packages/a/tsconfig.json": {
        compilerOptions: { baseUrl: "src", paths: { "~/*": ["parts/*", "../../../../out/*"] } },
      },
    },
    optionsFrom: "tsconfig.json",
    options: { paths: { "@/*": ["./src/*"], "~/*": ["./packages/a/src/parts/*"], "*": ["./packages/a/src/*"] } },
  },
  {
    what: "a base for all others is a path like any",
    files: { "tsconfig.json": { compilerOptions: { baseUrl: "." } } },
    optionsFrom: "tsconfig.json",
    options: { baseUrl: undefined, paths: { "*": ["./*"] } },
  },
  {
    what: "packages of the workspace are found at their sources",
    files: {
      "package.json": { name: "root" },
      "packages/a/package.json": { name: "@all/a" },
      "packages/a/src/index.ts": "",
      "packages/b/package.json": { name: "b" },
      "packages/b/lib/index.js": "",
      "packages/c/package.json": { name: "c" },
    },
    scripts: ["packages/a/src/index.ts", "packages/b/lib/index.js"],
    optionsFrom: undefined,
    options: {
      paths: {
        "@all/a": ["./packages/a/src/index.ts"],
        "@all/a/*": ["./packages/a/src/*", "./packages/a/*"],
        b: ["./packages/b/lib/index.js"],
        "b/*": ["./packages/b/src/*", "./packages/b/*"],
        "c/*": ["./packages/c/src/*", "./packages/c/*"],
      },
    },
  },
  {
    what: "JavaScript alone is checked where it says so",
    files: {
      "jsconfig.json": { compilerOptions: { checkJs: true } },
      "a.mjs": "",
      "b.cjs": "",
      "c.jsx": "",
      "d.min.js": "",
    },
    scripts: ["a.mjs", "b.cjs", "c.jsx"],
    optionsFrom: "jsconfig.json",
    options: { allowJs: true, checkJs: true },
  },
  {
    what: "what was built beside its source is left out",
    files: { "a.ts": "", "a.js": "", "b.tsx": "", "b.js": "", "c.mts": "", "c.mjs": "", "d.js": "" },
    scripts: ["a.ts", "b.tsx", "c.mts", "d.js"],
    optionsFrom: undefined,
    options: {},
  },
  {
    what: "elements are calls where the library that is called is there",
    files: {
      "tsconfig.json": { compilerOptions: { jsx: "react-jsx" } },
      "node_modules/react/package.json": { name: "react" },
    },
    optionsFrom: "tsconfig.json",
    options: { jsx: "react-jsx" },
  },
  {
    what: "elements are kept as they are where it is not",
    files: { "tsconfig.json": { compilerOptions: { jsx: "react-jsx", jsxImportSource: "preact" } } },
    optionsFrom: "tsconfig.json",
    options: { jsx: "preserve", jsxImportSource: "preact" },
  },
  {
    what: "a configuration that is no object has no effect",
    files: { "tsconfig.json": "[1, 2", "a.ts": "" },
    scripts: ["a.ts"],
    optionsFrom: undefined,
    options: { strict: true },
  },
];

describe("scriptProject makes one project of a workspace with", () => {
  it.each(cases)("$what", async ({ files, scripts = [], optionsFrom, options }) => {
    const project = await scriptProject({
      paths: Object.keys(files).filter((path) => !path.startsWith("node_modules/")),
      readText: async (path) => {
        const text = files[path];
        return text === undefined || typeof text === "string" ? text : JSON.stringify(text);
      },
    });
    const { compilerOptions, files: listed } = JSON.parse(project.config);
    expect(Object.fromEntries(Object.keys(options).map((name) => [name, compilerOptions[name]]))).toEqual(options);
    expect(project.optionsFrom).toBe(optionsFrom);
    expect(project.scripts).toEqual(scripts);
    expect(listed).toEqual(project.scripts.map((path) => `./${path}`));
  });
});

describe("mayDeclareForAll of", () => {
  const cases: readonly (readonly [what: string, path: string, text: string, expected: boolean])[] = [
    ["a declaration file", "a.d.ts", "export {};\n", true],
    ["a declaration file of a module kind", "a.d.mts", "", true],
    ["a declaration file of another extension", "a.d.css.ts", "export {};\n", true],
    ["a script that is no module", "a.ts", "var a = 1;\n", true],
    ["an empty script", "a.js", "", true],
    ["an augmentation of the global scope", "a.ts", "export {};\ndeclare global { var a: number }\n", true],
    ["an augmentation of a module", "a.ts", 'import "b";\ndeclare module "b" { interface B {} }\n', true],
    ["names that look like modules", "a.ts", "var imported = 1, exported = exports;\n", true],
    ["a module that imports", "a.ts", 'import { b } from "./b";\nb();\n', false],
    ["a module that exports", "a.mts", "const a = 1;\n  export { a };\n", false],
    ["an export assignment", "a.cts", "export = 1;\n", false],
    ["a CommonJS module that exports", "a.js", "exports.a = 1;\n", false],
    ["a CommonJS module that imports", "a.cjs", 'const a = require("./b");\n', false],
  ];
  it.each(cases)("%s", (_, path, text, expected) => {
    expect(mayDeclareForAll(path, text)).toBe(expected);
  });
});
