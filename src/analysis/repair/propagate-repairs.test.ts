import { afterAll, expect, test } from "vitest";
import { parseScriptTree } from "../../names/node/parse-script-tree.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { BlockReader } from "../graph/block-reader.ts";
import { filesOfTree } from "../node/typescript-files.ts";
import { TypeScriptSource } from "../node/typescript-source.ts";
import { ExportIndex } from "./export-index.ts";
import { propagateRepairs } from "./propagate-repairs.ts";

const syntax = openSyntax();
const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
afterAll(() => syntax[Symbol.dispose]());

type Files = Readonly<Record<string, string>>;

interface Case {
  readonly name: string;
  readonly before: Files;
  /** The change: new texts; an empty file is removed. */
  readonly change: Files;
  /** The new texts of other files, without unchanged ones. */
  readonly repaired: Files;
  /** The blocks that are left to do. */
  readonly left?: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: "imports of a moved file get its new path",
    before: {
      "src/ring.ts": 'import { one } from "./one";\nexport const ring = () => one;\n',
      "src/one.ts": "export const one = 1;\n",
      "src/use.ts": 'import { ring } from "./ring";\nexport * from "./ring";\nexport const two = ring() + 1;\n',
      "src/lazy.ts": 'export const lazy = () => import("./ring").then(({ ring }) => ring());\n',
    },
    change: { "src/ring.ts": "", "lib/ring.ts": 'import { one } from "./one";\nexport const ring = () => one;\n' },
    repaired: {
      "lib/ring.ts": 'import { one } from "../src/one";\nexport const ring = () => one;\n',
      "src/use.ts":
        'import { ring } from "../lib/ring";\nexport * from "../lib/ring";\nexport const two = ring() + 1;\n',
      "src/lazy.ts": 'export const lazy = () => import("../lib/ring").then(({ ring }) => ring());\n',
    },
  },
  {
    name: "an import of a package that is not installed is ignored, an import of a missing file is left to do",
    before: { "one.ts": "export const one = 1;\n" },
    change: { "one.ts": 'import { z } from "zod";\nimport { two } from "./two";\nexport const one = z(two);\n' },
    repaired: {},
    left: ["one.ts|import:./two"],
  },
  {
    name: "calls of a renamed function get its new parameter where a variable has its name, and otherwise only the new name",
    before: {
      "ring.ts": "export function ring(a: number): number {\n  return a;\n}\n",
      "use.ts":
        'import { ring } from "./ring";\nexport const use = (log: string) => log + ring(1);\nexport const other = ring(2);\n',
    },
    change: { "ring.ts": "export function loop(a: number, log: string): number {\n  return a + log.length;\n}\n" },
    repaired: {
      "use.ts":
        'import { loop } from "./ring";\nexport const use = (log: string) => log + loop(1, log);\nexport const other = loop(2);\n',
    },
    left: ["use.ts|variable:other"],
  },
  {
    name: "a rename that causes a new error elsewhere is reverted",
    before: {
      "ring.ts": "export function ring(a: number): number {\n  return a;\n}\n",
      "use.ts": 'import { ring } from "./ring";\nexport const use: (a: number) => number = ring;\n',
    },
    change: { "ring.ts": "export function loop(a: number): string {\n  return String(a);\n}\n" },
    repaired: {},
    left: ["use.ts|import:./ring"],
  },
  {
    name: "implementations and calls follow the changed parameters of an interface",
    before: {
      "base.ts": "export interface Base {\n  run(name: string, count: number): void;\n}\n",
      "own.ts":
        'import type { Base } from "./base";\nexport class Own implements Base {\n  run(name: string, count: number): void {\n    void [name, count];\n  }\n}\nexport const go = (base: Base, n: number) => base.run("a", n);\n',
    },
    change: { "base.ts": "export interface Base {\n  run(count: number, name: string): void;\n}\n" },
    repaired: {
      "own.ts":
        'import type { Base } from "./base";\nexport class Own implements Base {\n  run(count: number, name: string): void {\n    void [name, count];\n  }\n}\nexport const go = (base: Base, n: number) => base.run(n, "a");\n',
    },
  },
  {
    name: "an override that calls its base gets the new parameter of the base",
    before: {
      "base.ts": "export class Base {\n  run(name: string): string {\n    return name;\n  }\n}\n",
      "own.ts":
        'import { Base } from "./base";\nexport class Own extends Base {\n  override run(own: string): string {\n    return super.run(own.trim());\n  }\n}\nexport const go = (base: Base, count: number) => base.run("a") + count;\n',
    },
    change: {
      "base.ts":
        "export class Base {\n  run(name: string, count: number): string {\n    return name.repeat(count);\n  }\n}\n",
    },
    repaired: {
      "own.ts":
        'import { Base } from "./base";\nexport class Own extends Base {\n  override run(own: string, count: number): string {\n    return super.run(own.trim(), count);\n  }\n}\nexport const go = (base: Base, count: number) => base.run("a", count) + count;\n',
    },
  },
  {
    name: "a value that is a promise now is awaited at its declaration, in async functions",
    before: {
      "read.ts": "export function read(): { size: number } {\n  return { size: 1 };\n}\n",
      "use.ts":
        'import { read } from "./read";\nexport async function use() {\n  const found = read();\n  return found.size;\n}\nexport function now() {\n  return read().size;\n}\n',
    },
    change: { "read.ts": "export async function read(): Promise<{ size: number }> {\n  return { size: 1 };\n}\n" },
    repaired: {
      "use.ts":
        'import { read } from "./read";\nexport async function use() {\n  const found = await read();\n  return found.size;\n}\nexport function now() {\n  return read().size;\n}\n',
    },
    left: ["use.ts|function:now"],
  },
  {
    name: "a call is repaired by the declaration where the example of another call is rejected",
    before: {
      "ring.ts":
        "export function ring(a: number, b: string | { name: string }): string {\n  return a + String(b);\n}\n",
      "one.ts": 'import { ring } from "./ring";\nexport const one = (n: number, o: { name: string }) => ring(n, o);\n',
      "two.ts": 'import { ring } from "./ring";\nexport const two = ring(1, "a");\n',
    },
    change: {
      "ring.ts": "export function ring(b: string, a: number): string {\n  return a + b;\n}\n",
      "one.ts":
        'import { ring } from "./ring";\nexport const one = (n: number, o: { name: string }) => ring(o.name, n);\n',
    },
    repaired: { "two.ts": 'import { ring } from "./ring";\nexport const two = ring("a", 1);\n' },
  },
  {
    name: "a renamed string literal is replaced, and a comparison with a removed one is deleted",
    before: {
      "kind.ts": 'export type Kind = "ring-a" | "loop" | "old";\n',
      "use.ts":
        'import type { Kind } from "./kind";\nexport const kind: Kind = "ring-a";\nexport const isRound = (k: Kind) => k === "ring-a" || k === "loop" || k === "old";\n',
    },
    change: { "kind.ts": 'export type Kind = "ringA" | "loop";\n' },
    repaired: {
      "use.ts":
        'import type { Kind } from "./kind";\nexport const kind: Kind = "ringA";\nexport const isRound = (k: Kind) => k === "ringA" || k === "loop";\n',
    },
  },
];

test.each(cases)("propagated repairs: $name", async ({ before: files, change, repaired, left = [] }) => {
  const config =
    '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler", "noEmit": true } }';
  const before = new Map([...Object.entries(files), ["tsconfig.json", config] as const]);
  const checker = await TypeScriptSource.open({
    root: "/made-up",
    paths: [...before.keys()],
    readText: async (path) => before.get(path),
    files: filesOfTree("/made-up", before),
  });
  try {
    const errors = await checker.errorsOf(undefined);
    expect(errors).toEqual([]);
    const blocksOf = (path: string, text: string) => reader.tryBlocks(path, text) ?? [];
    const exports = new ExportIndex();
    for (const [path, text] of before) exports.update(path, blocksOf(path, text));
    const changed = new Map(
      Object.entries(change).map(([path, text]) => [
        path,
        { before: before.get(path), after: text === "" ? undefined : text },
      ]),
    );
    const made = await propagateRepairs({
      checker,
      before: errors,
      changed,
      textOf: (path) => before.get(path),
      blocksOf,
      treeOf: (path, text) => reader.tryScript(path, text),
      exports,
    });
    const seeded = { ...files, ...change };
    expect(
      Object.fromEntries([...made.texts].filter(([path, text]) => text !== undefined && text !== seeded[path])),
    ).toEqual(repaired);
    const names = made.remaining.map(({ block: { path, kind, name } }) => `${path}|${kind}:${name}`);
    expect([...new Set(names)]).toEqual(left);
    // The checker is restored to its state.
    expect(await checker.errorsOf(undefined)).toEqual([]);
  } finally {
    await checker[Symbol.asyncDispose]();
  }
});
