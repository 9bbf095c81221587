import { expect, test } from "vitest";
import { MemoryFileSystem } from "../../workspace/index.ts";
import { findDependencyTypes, importedModules } from "./dependency-types.ts";

test("lists the imported modules that are not the workspace's own", () => {
  const text = `
import a, { type B } from "zod";
import "side/effect";
import type { C } from '@scope/name/deep';
export * from "./near";
import d from "../up";
import e from "#alias";
import f from "node:fs/promises";
const g = require("cjs");
const h = await import("later");
import again from "zod";
import url from "https://example.org/x.js";
`;
  expect(importedModules(text)).toEqual([
    ...["zod", "side/effect", "@scope/name/deep", "node:fs/promises", "cjs", "later"],
  ]);
});

const files = {
  "/w/src/a.ts": "",
  "/w/node_modules/plain/package.json": "{}",
  "/w/node_modules/plain/index.d.ts": "export declare const plain: 1;",
  "/w/node_modules/typed/package.json": JSON.stringify({ types: "./lib/main.d.ts" }),
  "/w/node_modules/typed/lib/main.d.ts":
    "export * from './more.js';\nexport { x } from './folder';\nexport * from '../../../../etc/passwd';\nexport * from 'plain';",
  "/w/node_modules/typed/lib/more.d.ts": "export type More = 1;",
  "/w/node_modules/typed/lib/folder/index.d.ts": "export const x: 1;",
  "/w/node_modules/@scope/modern/package.json": JSON.stringify({
    exports: {
      ".": { import: { types: "./dist/index.d.mts", default: "./dist/index.mjs" }, require: "./dist/index.cjs" },
      "./deep": "./dist/deep.mjs",
    },
  }),
  "/w/node_modules/@scope/modern/dist/index.d.mts": "export const modern: 1;",
  "/w/node_modules/@scope/modern/dist/deep.d.mts": "export const deep: 1;",
  "/w/node_modules/patterns/package.json": JSON.stringify({
    exports: { "./*": { types: "./none/*.d.ts", default: "./dist/*.js" }, "./in/*": null },
  }),
  "/w/node_modules/patterns/dist/far/a.d.ts": "export * from './b.ts';",
  "/w/node_modules/patterns/dist/far/b.d.ts": "export const b: 1;",
  "/w/node_modules/patterns/dist/in/a.d.ts": "",
  "/w/node_modules/main/package.json": JSON.stringify({ main: "./lib/main.js" }),
  "/w/node_modules/main/lib/main.d.ts": "export const main: 1;",
  "/w/node_modules/sources/package.json": JSON.stringify({ main: "./src/index.ts" }),
  "/w/node_modules/sources/src/index.ts": "export const own = 1;",
  "/w/node_modules/untyped/package.json": "{}",
  "/w/node_modules/untyped/index.js": "",
  "/w/node_modules/@types/untyped/package.json": "{}",
  "/w/node_modules/@types/untyped/index.d.ts": "export const untyped: 1;",
  "/w/node_modules/@types/node/package.json": JSON.stringify({ types: "index.d.ts" }),
  "/w/node_modules/@types/node/fs/promises.d.ts": "declare module 'fs/promises' {}",
  "/w/node_modules/broken/package.json": "{ not json",
  "/w/node_modules/outside/package.json": JSON.stringify({ types: "../../../etc/passwd.d.ts" }),
  "/etc/passwd.d.ts": "",
  "/w/packages/p/node_modules/plain/package.json": "{}",
  "/w/packages/p/node_modules/plain/index.d.ts": "export declare const nearer: 1;",
};

test.each([
  ["src", "plain", "node_modules/plain/index.d.ts"],
  ["packages/p/src", "plain", "packages/p/node_modules/plain/index.d.ts"],
  [
    "",
    "typed",
    "node_modules/typed/lib/main.d.ts node_modules/typed/lib/more.d.ts node_modules/typed/lib/folder/index.d.ts",
  ],
  ["src", "@scope/modern", "node_modules/@scope/modern/dist/index.d.mts"],
  ["src", "@scope/modern/deep", "node_modules/@scope/modern/dist/deep.d.mts"],
  ["src", "patterns/far/a", "node_modules/patterns/dist/far/a.d.ts node_modules/patterns/dist/far/b.d.ts"],
  ["src", "patterns/in/a", ""],
  ["src", "patterns", ""],
  ["src", "main", "node_modules/main/lib/main.d.ts"],
  ["src", "sources", ""],
  ["src", "untyped", "node_modules/@types/untyped/index.d.ts"],
  ["src", "node:fs/promises", "node_modules/@types/node/fs/promises.d.ts"],
  ["src", "broken", ""],
  ["src", "outside", ""],
  ["src", "missing", ""],
])("from %j, %s is declared by %s", async (folder, specifier, expected) => {
  const fileSystem = new MemoryFileSystem(files);
  const found = await findDependencyTypes([{ specifier, folder }], { root: "/w", fileSystem, maxBytes: 10_000 });
  expect(found.join(" ")).toBe(expected);
});

test("limits the found files in bytes and number", async () => {
  const fileSystem = new MemoryFileSystem(files);
  const modules = [
    { specifier: "plain", folder: "" },
    { specifier: "typed", folder: "" },
  ];
  const plain = "node_modules/plain/index.d.ts";
  expect(await findDependencyTypes(modules, { root: "/w", fileSystem, maxBytes: 60 })).toEqual([plain]);
  const few = await findDependencyTypes(modules, { root: "/w", fileSystem, maxBytes: 10_000, maxFiles: 1 });
  expect(few).toEqual([plain, "node_modules/typed/lib/main.d.ts"]);
});
