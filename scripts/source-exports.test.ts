import { expect, test } from "vitest";
import { importsOf, layerOf } from "./source-exports.ts";

const entries = new Map([["emend/text", "src/text/index.ts"]]);

test.each([
  ['import { a, b as c } from "../text/index.ts";', ["src/text/index.ts", "a", "b"]],
  ['import type { A } from "../text/edit.ts";', ["src/text/edit.ts", "A"]],
  ['import * as text from "../text/index.ts";', ["src/text/index.ts", "*"]],
  ['export { a } from "./lines.ts";', ["src/next/lines.ts", "a"]],
  ['export * from "./lines.ts";', ["src/next/lines.ts", "*"]],
  ['const text = await import("../text/index.ts");', ["src/text/index.ts", "*"]],
  ['type A = import("../text/index.ts").A;', ["src/text/index.ts", "A"]],
  ['import { Edit } from "emend/text";', ["src/text/index.ts", "Edit"]],
  ['import { readFile } from "node:fs/promises";', undefined],
  ['const text = "import { a } from \\"./lines.ts\\"";', undefined],
])("importsOf reads %s", (text, expected) => {
  const found = importsOf("/work", "src/next/engine.ts", text, entries);
  expect(found.map(({ target, names }) => [target, ...names])).toEqual(expected === undefined ? [] : [expected]);
});

test.each([
  ["src/text/edit.ts", "text"],
  ["src/model/node/chat-server.ts", "model"],
  ["bench/next.ts", undefined],
])("layerOf(%j) is %j", (path, layer) => expect(layerOf(path)).toBe(layer));
