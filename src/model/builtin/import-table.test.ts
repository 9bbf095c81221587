import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { law } from "../../text/edit.laws.ts";
import { anySource, lex } from "./builtin.laws.ts";
import { ImportTable, resolveSpecifier, writeSpecifier } from "./import-table.ts";
import { Vocabulary } from "./vocabulary.ts";

// A tree of files is written as `path: line / line | path: line`, and what is offered as
// `specifier share%`.

const vocabulary = new Vocabulary();

function count(table: ImportTable, path: string, text: string, by: 1 | -1): void {
  const { tokens } = lex(text, "typescript", vocabulary);
  table.count(vocabulary, Int32Array.from(tokens), 0, tokens.length, path, by);
}

function readTree(tree: string): ImportTable {
  const table = new ImportTable();
  for (const [, path, lines] of tree.matchAll(/([^ |]+): ([^|]+)/g))
    count(table, path!, lines!.replaceAll(" / ", "\n"), 1);
  return table;
}

function show(table: ImportTable, names: string, path: string): string {
  const offered = table.specifiers(names.split(" "), path);
  return offered.map(({ text, share }) => `${text} ${Math.round(share * 100)}%`).join(", ");
}

describe("an import table offers, for names in a file", () => {
  it.each([
    // What other files import, rewritten for this one.
    ["a.ts: import { x } from 'lib';", "x", "b.ts", "lib 100%"],
    ["src/a.ts: import { x } from './lib/x';", "x", "src/b.ts", "./lib/x 100%"],
    ["src/a.ts: import { x } from './lib/x';", "x", "src/lib/b.ts", "./x 100%"],
    ["src/a.ts: import { x } from './lib/x';", "x", "test/deep/b.ts", "../../src/lib/x 100%"],
    ["src/deep/a.ts: import { x } from '../x.js';", "x", "src/b.ts", "./x.js 100%"],
    ["a.ts: import x, { y as z } from 'lib';", "z", "b.ts", "lib 100%"],
    ["a.ts: import type { X } from 'lib';", "X", "b.ts", "lib 100%"],
    ["a.ts: import * as x from 'node:fs';", "x", "b.ts", "node:fs 100%"],
    ["a.ts: import { / x, / y, / } from '@scope/lib/sub';", "y", "b.ts", "@scope/lib/sub 100%"],
    ["a.ts: export { x } from './x';", "x", "b/b.ts", "../x 100%"],
    ["a.ts: import { get, map } from 'lib';", "map", "b.ts", "lib 100%"],
    ["a.ts: import { get, map } from 'lib';", "get", "b.ts", "lib 100%"],
    // A file is not offered itself, with its ending or without.
    ["a.ts: import { x } from './x.ts'", "x", "x.ts", ""],
    ["a.ts: import { x } from './x'", "x", "x.ts", ""],
    ["a.ts: import { x } from './x.js'", "x", "x.ts", ""],
    // What files export.
    ["src/x.ts: export const x = 1;", "x", "src/a.ts", "./x 100%"],
    ["src/x.d.ts: export declare function x(): void;", "x", "a.ts", "./src/x 100%"],
    ["x.ts: export default async function x() {}", "x", "a.ts", "./x 100%"],
    ["x.ts: export abstract class X {", "X", "a.ts", "./x 100%"],
    ["x.ts: export const x = 1;", "x", "x.ts", ""],
    // Several names vote; the best comes first.
    ["a.ts: import { x, y } from 'l' | b.ts: import { x } from 'm'", "x y", "c.ts", "l 67%, m 33%"],
    ["a.ts: import { x } from 'm' | b.ts: import { x } from 'l'", "x", "c.ts", "l 50%, m 50%"],
    // What is no import.
    ["a.ts: import('lib').then(x)", "x", "b.ts", ""],
    ["a.ts: import x = require('lib')", "x", "b.ts", ""],
    ["a.ts: import x / from 'lib'", "x", "b.ts", ""],
    ["a.ts: import { x } from 'lib", "x", "b.ts", ""],
    ["a.ts: import { x", "x", "b.ts", ""],
    ["a.ts: const x = 1; / f(export, x)", "x", "b.ts", ""],
    ["a.py: import { x } from 'lib'", "x", "b.ts", ""],
    // Known failures: names that are words of the clause itself, names that are keywords elsewhere,
    // lists of exports.
    ["a.ts: import { from } from 'lib';", "from", "b.ts", ""],
    ["x.ts: export function get() {}", "get", "b.ts", ""],
    ["x.ts: const x = 1; / export { x };", "x", "b.ts", ""],
  ])("%s: %s in %s: %s", (tree, names, path, expected) => {
    expect(show(readTree(tree), names, path)).toBe(expected);
  });

  it("at most eight specifiers", () => {
    const tree = Array.from({ length: 12 }, (_, i) => `a${i}.ts: import { x } from 'lib${i}';`).join(" | ");
    expect(readTree(tree).specifiers(["x"], "b.ts")).toHaveLength(8);
  });
});

describe("an import table of learnt files", () => {
  const names = "load save user order total Order items find".split(" ");
  const state = (table: ImportTable): unknown =>
    names.map((name) => [table.has(name), show(table, name, "src/deep/here.ts")]);

  law("is as before when what was counted is taken back", [anySource, anySource], (before, text) => {
    const table = new ImportTable();
    count(table, "src/a.ts", before, 1);
    const expected = state(table);
    count(table, "src/lib/b.ts", text, 1);
    count(table, "src/lib/b.ts", text, -1);
    expect(state(table)).toEqual(expected);
    count(table, "src/a.ts", before, -1);
    expect(names.filter((name) => table.has(name))).toEqual([]);
  });
});

describe("a specifier of an import", () => {
  const anyPath = fc
    .array(fc.constantFrom("a", "b", "c", "lib.e"), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join("/"));

  law("leads back to its target from every file", [anyPath, anyPath], (target, path) => {
    const specifier = writeSpecifier(`/${target}`, `${path}.ts`);
    const found = specifier === undefined ? undefined : resolveSpecifier(specifier, `${path}.ts`);
    expect(found).toBe(target === path ? undefined : `/${target}`);
  });

  it.each([
    ["./x", "a/b.ts", "/a/x"],
    ["../x", "a/b.ts", "/x"],
    [".", "a/b.ts", "/a"],
    ["./", "a/b.ts", "/a"],
    ["..", "a/b/c.ts", "/a"],
    ["../../../x", "a/b.ts", undefined],
    ["lib/x", "a/b.ts", "lib/x"],
  ])("%s in %s is %s", (specifier, path, target) => {
    expect(resolveSpecifier(specifier, path)).toBe(target);
  });
});
