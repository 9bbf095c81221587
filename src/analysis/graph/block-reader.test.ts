import { afterAll, expect, test } from "vitest";
import { parseScriptTree } from "../../names/node/parse-script-tree.ts";
import { openSyntax } from "../../syntax/node/open-syntax.ts";
import { BlockReader } from "./block-reader.ts";

const syntax = openSyntax();
afterAll(() => {
  expect(syntax.openTrees).toBe(0);
  syntax[Symbol.dispose]();
});

const reader = new BlockReader({ parseScript: parseScriptTree, syntax });

test("BlockReader reads the blocks of files in several languages", async () => {
  const files = { "a.ts": "type A = 1", "b.py": "def f(): pass", "c.tsx": "const d = <e />", "d.txt": "words" };
  await reader.load(Object.keys(files));
  const found = Object.entries(files).map(([path, text]) => reader.tryBlocks(path, text)?.map(({ name }) => name));
  expect(found).toEqual([["A"], ["f"], ["d"], undefined]);
});

test("BlockReader reads a script with syntax errors with its grammar", async () => {
  await reader.load(["a.ts"]);
  expect(reader.tryBlocks("a.ts", "function f() {}\nconst a = {;\nclass B {}")?.map(({ name }) => name)).toContain("f");
});

test.each([
  ["a.cs", (n: number) => `int value${n} = other${n} + ${n};\n`],
  ["a.java", (n: number) => `class Work${n} { int run(int a) { return a; } }\n`],
  ["a.py", (n: number) => `def work${n}(a):\n    return a\n`],
])("row 14: BlockReader reads a long %s in slices, with the blocks that it has at once", async (path, routine) => {
  let pauses = 0;
  const yieldThread = async () => {
    pauses += 1;
  };
  const slicing = new BlockReader({ parseScript: parseScriptTree, syntax, yieldThread });
  await slicing.load([path]);
  const text = Array.from({ length: 2_000 }, (_, n) => routine(n)).join("");
  expect(await slicing.tryBlocksInSlices(path, text)).toEqual(slicing.tryBlocks(path, text));
  expect(pauses).toBeGreaterThan(5);
});

test.each([
  ["short", 10, 0],
  ["long", 1_000, 1],
])("row 14: BlockReader pauses behind a %s script", async (_, count, expected) => {
  let pauses = 0;
  const yieldThread = async () => {
    pauses += 1;
  };
  const slicing = new BlockReader({ parseScript: parseScriptTree, syntax, yieldThread });
  expect(await slicing.tryBlocksInSlices("a.ts", "const value = 1;\n".repeat(count))).toHaveLength(count);
  expect(pauses).toBe(expected);
});

test("BlockReader counts a byte order mark in offsets", () => {
  const text = "\uFEFF// of f\nexport function f(a: 1) {}";
  const [block] = reader.tryBlocks("a.ts", text)!;
  const cut = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
  expect(cut(block!.range)).toBe("// of f\nexport function f(a: 1) {}");
  expect(cut(block!.ownRange)).toBe("export function f(a: 1) {}");
  expect(cut(block!.nameRange!)).toBe("f");
  expect(cut(block!.signature[0]!)).toBe("export function f(a: 1) ");
  expect(cut(block!.parts![0]!.range)).toBe("a: 1");
  expect(reader.tryScript("a.ts", text)!.program.body.map(cut)).toEqual(["export function f(a: 1) {}"]);
  expect(reader.tryBlocks("a.js", "\uFEFF#!/usr/bin/env node\nlet a;")!.map(({ name }) => name)).toEqual(["a"]);
});

test("BlockReader returns undefined for a file whose grammar is not loaded", () => {
  expect(new BlockReader({ parseScript: parseScriptTree, syntax }).tryBlocks("a.rs", "fn f() {}")).toBeUndefined();
});
