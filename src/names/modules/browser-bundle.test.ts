import { createContext, runInContext } from "node:vm";
import { build } from "vite";
import { expect, test } from "vitest";

test("a browser resolves an import, without anything of Node", async () => {
  const entry = `${import.meta.dirname}/module-resolver.ts`;
  const built = await build({
    ...{ configFile: false, logLevel: "silent" },
    build: { write: false, target: "es2022", lib: { entry, formats: ["iife"], name: "emend" } },
  });
  const { code } = (built as Extract<typeof built, readonly unknown[]>)[0]!.output[0];
  const page = `${code};
    const files = new Map([
      ["tsconfig.json", '{ "extends": "conf" }'],
      ["node_modules/conf/package.json", "{}"],
      ["node_modules/conf/tsconfig.json", '{ "compilerOptions": { "paths": { "@/*": ["../../src/*"] } } }'],
      ["src/b.ts", ""],
      ["lib/package.json", '{ "name": "lib", "exports": { "./*": "./dist/*.js" } }'],
      ["lib/src/c.ts", ""],
    ]);
    const resolver = new emend.ModuleResolver({
      layout: 0,
      paths: () => files.keys(),
      has: (path) => files.has(path),
      textOf: (path) => files.get(path),
    });
    ["@/b", "lib/c", "./src/b.js"].map((specifier) => resolver.resolve(specifier, "a.ts")).join(" ");`;
  // The only globals that the resolver takes of a page, with what `workspace` makes when it is
  // loaded.
  const globals = { URL, TextDecoder, TextEncoder };
  expect(runInContext(page, createContext(globals))).toBe("src/b.ts lib/src/c.ts src/b.ts");
}, 60_000);
