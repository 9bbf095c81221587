import { afterAll, describe, expect, test } from "vitest";
import { languageOf } from "../languages/index.ts";
import { closing } from "./node/fixtures/closing.ts";
import { fixtures } from "./node/fixtures/read-fixtures.ts";
import { openSyntax, readGrammar } from "./node/open-syntax.ts";
import { createSyntax } from "./syntax.ts";

const syntax = openSyntax();
afterAll(() => {
  expect(syntax.openTrees).toBe(0);
  syntax[Symbol.dispose]();
});

/** Each error as its code and its text; for an empty range `|` and the text after it. */
async function issues(path: string, text: string, over = syntax): Promise<string[]> {
  const found = await over.syntaxErrors({ uri: path, language: languageOf(path).id, text });
  for (const { end } of found) expect(end).toBeLessThanOrEqual(text.length);
  return found.map(({ code, start, end }) => `${code} ${text.slice(start, end) || `|${text.slice(start, start + 6)}`}`);
}

describe("valid text has none", () => {
  for (const fixture of fixtures) {
    test(fixture.name, async () => expect(await syntax.syntaxErrors(fixture)).toEqual([]));
  }
});

describe("scripts", () => {
  const cases: readonly (readonly [path: string, text: string, expected: readonly string[]])[] = [
    ["a.ts", 'const a = "😀é漢"; let b = §;', ["unexpected §"]],
    ["a.ts", '\uFEFFconst a = "😀";\r\nlet b = };\r\n', ["unexpected }"]],
    ["a.ts", "\uFEFF#!/usr/bin/env node\nlet a = };", ["unexpected }"]],
    ["a.ts", "const a;", ["missing a"]],
    ["a.ts", "f(1", ["missing |"]],
    ["a.ts", "const a = 1 /* never closed", ["missing /* never closed"]],
    ["a.ts", "const a: number = <any>b;", []],
    ["a.js", "const a: number = b;", ["missing a", "missing |: numb"]],
    ["a.js", "const a = <p>it's</p>;", []],
    ["a.tsx", "const a = <any>b;", ["unexpected b;"]],
    ["a.d.ts", "export const a: number;", []],
    ["a.d.ts", "export const a: number = 1;", ["invalid 1"]],
    ["a.ts", "await f(); export {};", []],
    ["a.js", "if (x) return;", ["misplaced return"]],
    ["a.js", "const x = require('x'); if (x) return;", []],
    ["a.mjs", "return 1;", ["misplaced return"]],
    ["a.cjs", "return 1;", []],
    ["a.ts", "\ud83d", ["unexpected \ud83d"]],
    ["a.ts", "", []],
  ];
  for (const [path, text, expected] of cases) {
    test(`${path}: ${JSON.stringify(text)}`, async () => expect(await issues(path, text)).toEqual(expected));
  }

  test("syntaxErrors uses the parse tree where there is no script parser", async () => {
    const plain = closing(createSyntax({ readGrammar }));
    expect(await issues("a.ts", "let b = };", plain)).toEqual(["unexpected = }"]);
  });
});

describe("other languages", () => {
  const cases: readonly (readonly [path: string, text: string, expected: readonly string[]])[] = [
    ["a.py", 'x = "😀"\ny = (1,\n', ["unexpected y = (1,"]],
    ["a.py", "def f(:\n  pass\n", ["missing |:\n  pa"]],
    ["a.go", "package a\nfunc f() { return 1 + }\n", ["unexpected +"]],
    ["a.rs", "fn f() { let x = 1 }", ["missing | }"]],
    ["a.java", "class A { int f() { return 1 } }", ["missing | } }"]],
    ["a.c", "int main(void) { return 0; ", ["missing | "]],
    ["a.json", '{"a": 1,}', ["unexpected ,"]],
    ["a.json", '{"a": 1} // no', ["invalid // no"]],
    ["a.json", "1 2", ["invalid 2"]],
    ["a.jsonc", '{"a": [1, 2, ], // yes\n}', []],
    ["a.jsonc", '{"a": 1,,}', ["unexpected ,,"]],
    ["a.css", "a { color: red;", ["missing |"]],
    ["a.md", "((((", []],
    // A gap of the grammar: a brace in a string takes the declaration for a selector.
    ["a.css", 'a { content: "{}"; }', ['unexpected a { content: "{}"; }', 'unexpected : "']],
  ];
  for (const [path, text, expected] of cases) {
    test(`${path}: ${JSON.stringify(text)}`, async () => expect(await issues(path, text)).toEqual(expected));
  }

  test("syntaxErrors uses a given tree of the same text, and ignores one of another text", async () => {
    const tree = closing((await syntax.parse({ language: "json", text: "[" }))!);
    expect(await syntax.syntaxErrors({ uri: "a.json", language: "json", text: "[" }, { tree })).toHaveLength(1);
    expect(await syntax.syntaxErrors({ uri: "a.json", language: "json", text: "[]" }, { tree })).toEqual([]);
  });
});
