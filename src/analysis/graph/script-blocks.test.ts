import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { languageOf, scriptKindOf } from "../../languages/index.ts";
import { parseScriptTree } from "../../names/node/parse-script-tree.ts";
import { tryScriptTree } from "../../names/script-node.ts";
import type { CodeBlock } from "./code-block.ts";
import { scriptBlocks } from "./script-blocks.ts";

function blocksOf(text: string, path = "a.ts"): CodeBlock[] {
  const tree = tryScriptTree(parseScriptTree, { path, text, kind: scriptKindOf(languageOf(path), path)! });
  return scriptBlocks(path, text, tree!);
}

/** Each block as `kind name`, followed by `+` if other files can refer to it. */
function names(text: string, path?: string): string[] {
  return blocksOf(text, path).map(({ kind, name, isExported }) => `${kind} ${name}${isExported ? "+" : ""}`);
}

describe("scriptBlocks reads the blocks of", () => {
  const cases: readonly (readonly [text: string, ...blocks: readonly string[]])[] = [
    ["import a, { b } from './x'\nimport type { C } from './x'", "import ./x", "import ./x#2"],
    ["import fs = require('fs')", "import fs"],
    ["export * from './a'\nexport { b } from './b'\nexport { c }", "export ./a+", "export ./b+", "export {}+"],
    ["export default a + b", "export default+"],
    ["export default function () {}", "function default+"],
    ["export default class A {}", "class A+"],
    ["export = a\nclass a {}", "export default+", "class a+"],
    ["const f = () => 1\nexport { f }", "function f+", "export {}+"],
    ["function f(): void\nfunction f(a?: 1) {}\nimport 'x'", "function f", "import x"],
    ["var a = 1, { b, c } = d\nimport 'x'", "variable a,{ b, c }", "import x"],
    ["export const A = class { x = 1 }", "class A+", "field A.x+"],
    [
      "export class A { constructor(readonly a: 1) {} #b = 1; private c() {} get d() {} set d(_) {} static {} [k: string]: 1 }",
      ...[
        "class A+",
        "constructor A.constructor+",
        "field A.#b",
        "method A.c",
        "accessor A.get d+",
        "accessor A.set d+",
      ],
      ...["statement A.static{}", "field A.[index]+"],
    ],
    [
      "export class A { [Symbol.iterator]() {} 'b-c' = 1 }",
      "class A+",
      "method A.[Symbol.iterator]+",
      "field A.'b-c'+",
    ],
    ["export interface A { b: 1 }\nexport enum C { D }\ntype E = 1", "interface A+", "enum C+", "type E"],
    ["export namespace N { export const a = 1; const b = 2 }", ...["namespace N+", "variable N.a+", "variable N.b"]],
    ["declare module 'x' { interface A {} }", "namespace 'x'+", "interface 'x'.A+"],
    ["declare global { interface A {} }\nexport {}", "namespace global+", "interface global.A+", "export {}+"],
    [
      "describe('a', () => { const b = 1; it('c', () => {}); it('c', () => {}); describe.skip('d', () => {}) }); import 'x'",
      ...["test describe('a')", "variable describe('a') > b", "test describe('a') > it('c')"],
      ...["test describe('a') > it('c')#2", "test describe('a') > describe('d')", "import x"],
    ],
    ["test.each([1])('n', () => {})\nimport 'x'", "test test('n')", "import x"],
    ["describe('later')\nimport 'x'", "test describe('later')", "import x"],
    ["'use strict';\nif (a)\n  b();;\nimport 'x'", "statement `'use strict';`", "statement `if (a) b();`", "import x"],
    [
      "module.exports = { a, b: c }\nfunction a() {}\nfunction b() {}\nfunction c() {}",
      ...["statement `module.exports = { a, b: c }`", "function a+", "function b", "function c+"],
    ],
    ["function f() {}", "function f+"],
    ["#!/usr/bin/env node\nimport 'x'", "import x"],
  ];
  test.each(cases)("%j", (text, ...blocks) => {
    expect(names(text)).toEqual(blocks);
  });

  test("scriptBlocks exports all declarations of a declaration file", () => {
    expect(names("declare function f(): void;\nexport {};", "a.d.ts")).toEqual(["function f+", "export {}+"]);
  });
});

describe("scriptBlocks marks the ranges of", () => {
  /** `«` and `»` mark a block's own range, `[` and `]` its signatures. */
  const cases: readonly (readonly [name: string, marked: string])[] = [
    ["f", "// of f\n«[export function f(a: 1): 2 ]{ return a }»"],
    ["f", "«[function f(): 1;]\n[function f() ]{}»"],
    ["f", "«[const f = async (a) => ]a»"],
    ["v", "«[export const v: number] = 1»"],
    ["v", "«[const v = [1]]»".replace("[1]", "{ a: 1 }")],
    ["C", "«[@d\nexport class C extends B {]» a = 1 }"],
    ["C.m", "class C { /** m */ «[@d m() ]{}» }"],
    ["C.f", "class C { «[f = (a) => ]({})» }"],
    ["C.constructor", "class C { «[constructor(private a = 1) ]{ }» }"],
    ['describe("a")', '«[describe("a", () => {]» it("b") })'],
  ];
  test.each(cases)("%s in %j", (name, marked) => {
    const text = marked.replaceAll(/[«»]|(?<=[«\n])\[|\](?=[»{( a=])|\](?=\n\[)/g, "");
    const block = blocksOf(text).find((one) => one.name === name)!;
    const marks = [
      [block.ownRange.start, "«"],
      ...block.signature.flatMap(({ start, end }) => [
        [start, "["],
        [end, "]"],
      ]),
      [block.ownRange.end, "»"],
    ] as [number, string][];
    // The order of marks at the same place.
    const order = "«[]»";
    marks.sort(([a, x], [b, y]) => b - a || order.indexOf(y) - order.indexOf(x));
    expect(marks.reduce((shown, [at, mark]) => shown.slice(0, at) + mark + shown.slice(at), text)).toBe(marked);
  });

  test("scriptBlocks includes the comments directly above a block and no others", () => {
    const text = "/* far */\n\n// near\n/** nearer */\nfunction f() {} // behind\nconst g = 1";
    expect(blocksOf(text).map(({ range }) => text.slice(range.start, range.end))).toEqual([
      "// near\n/** nearer */\nfunction f() {}",
      "const g = 1",
    ]);
  });
});

describe("scriptBlocks reads the parts of a signature of", () => {
  const cases: readonly (readonly [text: string, parts: string])[] = [
    ["function f(a, { b, c: d }, ...e) {}", "a b c e"],
    ["function f(this: X, a = 1, [b]) {}", "this a [b]"],
    ["interface I { a: 1; 'b-c'?(): 2; new(): 3; (): 4; [i: string]: 5; get d(): 6 }", "a b-c new() () [index] d"],
    ["type T = { a: 1 } & ({ b: 2 } | 'c')", "a b c"],
    ["enum E { A, 'B' = 2 }", "A B"],
    ["const o = { a, b: 1, ...c, [d]: 2 } satisfies O", "a b ...c [d]"],
    ["const { a, b: [c] } = d", "a c"],
    ["import a, { b as c } from 'x'", "default b"],
    ["import * as a from 'x'", "*"],
    ["export { a as b, c as default } from 'x'", "b default"],
    ["export * as a from 'x'", "a"],
  ];
  test.each(cases)("%s: %s", (text, parts) => {
    expect(
      blocksOf(text)[0]!
        .parts!.map(({ name }) => name)
        .join(" "),
    ).toBe(parts);
  });

  test("scriptBlocks gives the range of a block's name", () => {
    for (const text of ["export async function* f() {}", "const f: F = () => 1", "class f<T> {}", "enum f {}"]) {
      const [{ nameRange } = { nameRange: undefined }] = blocksOf(text);
      expect(text.slice(nameRange!.start, nameRange!.end)).toBe("f");
    }
  });
});

test("tryScriptTree returns undefined for text that cannot be parsed", () => {
  expect(tryScriptTree(parseScriptTree, { path: "a.ts", text: "const a = {;", kind: "ts" })).toBeUndefined();
});

test("law: own ranges are disjoint and ascending in every file of this folder and contain the signatures", () => {
  const folder = join(import.meta.dirname, "..");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  expect(files.length).toBeGreaterThan(20);
  for (const file of files) {
    let at = 0;
    for (const { ownRange, range, signature, parts } of blocksOf(readFileSync(join(folder, file), "utf8"), file)) {
      expect(ownRange.start).toBeGreaterThanOrEqual(at);
      expect(range.start).toBeLessThanOrEqual(ownRange.start);
      for (const inner of [...signature, ...(parts ?? []).map((part) => part.range)]) {
        expect(inner.start).toBeGreaterThanOrEqual(ownRange.start);
        expect(inner.end).toBeLessThanOrEqual(ownRange.end);
      }
      at = ownRange.end;
    }
  }
});
