import { expect, test } from "vitest";
import { parseScriptTree } from "../../names/node/parse-script-tree.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { BlockReader } from "../graph/block-reader.ts";

const goal = { kind: "tsx", source: "module" } as const;

test.each([
  ["ternaries", `${"a?b:".repeat(10_000)}c`],
  ["members", `a${".b".repeat(10_000)}`],
  ["sums", `a${"+b".repeat(10_000)}`],
  ["else if", `if(a){b}${"else if(a){b}".repeat(10_000)}`],
  ["brackets", `${"(".repeat(60_000)}a${")".repeat(60_000)}`],
])("row 14: a script of 10,000 nested %s has no tree, and its blocks are read all the same", async (_, text) => {
  expect(parseScriptTree(text, goal)).toBeUndefined();
  const syntax = openSyntax();
  const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
  await reader.load(["a.tsx"]);
  expect(() => reader.tryBlocks("a.tsx", text)).not.toThrow();
  syntax[Symbol.dispose]();
});

test("row 14: a script with the nesting of real code has a tree", () => {
  const text = `${"if (a) {\n".repeat(60)}f(1 + 2 + 3);\n${"}\n".repeat(60)}`;
  expect(parseScriptTree(text, goal)?.program.body).toHaveLength(1);
});

test("row 14: a reader with a limit leaves longer texts out", () => {
  const noSyntax = { load: async () => false, tryParse: () => undefined, tryParseInSlices: async () => undefined };
  const reader = new BlockReader({ parseScript: parseScriptTree, syntax: noSyntax, maxCharacters: 40 });
  expect(reader.tryBlocks("a.ts", "function f() { return 1; }")).toHaveLength(1);
  expect(reader.tryBlocks("a.ts", "function f() { return 1; }\n".repeat(2))).toBeUndefined();
  expect(reader.tryScript("a.ts", "function f() { return 1; }\n".repeat(2))).toBeUndefined();
});
