import { afterAll, describe, expect, test } from "vitest";
import { parseScriptTree } from "../../names/node/parse-script-tree.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { toUnifiedDiff } from "../../text/index.ts";
import { BlockReader } from "../graph/block-reader.ts";
import { ExportIndex } from "../repair/export-index.ts";
import { propagateRepairs } from "../repair/propagate-repairs.ts";
import { filesOfTree } from "./typescript-files.ts";
import { TypeScriptSource } from "./typescript-source.ts";

const syntax = openSyntax();
const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
afterAll(() => syntax[Symbol.dispose]());

/** A file before and after a change; `undefined` where there is no file. */
interface Sides {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * The files of a workspace: `--- a.ts` before each, `--- a.ts => b.ts` for a moved one;
 * `[old > new]` is a change.
 */
function sides(marked: string): Map<string, Sides> {
  const parts = marked.split(/^--- (\S+(?: => \S+)?)\n/m).slice(1);
  const side = (text: string, kept: string) => text.replaceAll(/\[([^[\]>]*) > ([^[\]]*)\]/g, kept);
  return new Map(
    parts.flatMap((part, index): [path: string, sides: Sides][] => {
      if (index % 2 === 1) return [];
      const [path, movedTo] = part.split(" => ") as [path: string, movedTo?: string];
      const [before, after] = [side(parts[index + 1]!, "$1"), side(parts[index + 1]!, "$2")];
      if (movedTo === undefined) return [[path, { before, after }]];
      return [
        [path, { before, after: undefined }],
        [movedTo, { before: undefined, after }],
      ];
    }),
  );
}

/**
 * Repairs what the change breaks: the removed and added lines by file, then the remaining
 * diagnostics: `left NAME CODE`.
 */
async function repairedLines(marked: string): Promise<string[]> {
  const files = sides(marked);
  const texts = new Map([...files].flatMap(([path, { before }]) => (before === undefined ? [] : [[path, before]])));
  const paths = [...texts.keys()];
  const blocksOf = (path: string, text: string) => reader.tryBlocks(path, text) ?? [];
  const exports = new ExportIndex();
  for (const path of paths) exports.update(path, blocksOf(path, texts.get(path)!));
  const checker = await TypeScriptSource.open({
    root: "/made-up",
    paths,
    readText: async (path) => texts.get(path),
    files: filesOfTree("/made-up", texts),
  });
  try {
    const before = await checker.errorsOf(undefined);
    const answer = await propagateRepairs({
      checker,
      before,
      changed: new Map([...files].filter(([, side]) => side.before !== side.after)),
      textOf: (path) => texts.get(path),
      blocksOf,
      treeOf: (path, text) => reader.tryScript(path, text),
      exports,
    });
    expect(await checker.errorsOf(undefined)).toEqual(before);
    const lines = [...answer.texts].flatMap(([path, text]) =>
      toUnifiedDiff({ path, before: files.get(path)!.after ?? "", after: text ?? "" })
        .split("\n")
        .filter((line) => /^[-+](?![-+])/.test(line)),
    );
    return [...lines, ...answer.remaining.map(({ block, finding }) => `left ${block.name} ${finding.code}`)];
  } finally {
    await checker[Symbol.asyncDispose]();
  }
}

describe("propagateRepairs follows a change", () => {
  test("a renamed function is repaired through a re-export and an alias", async () => {
    const lines = await repairedLines(`--- sum.ts
export function [sum > total](a: number) { return a; }
--- index.ts
export { sum } from "./sum.ts";
--- use.ts
import { sum } from "./index.ts";
import { sum as add } from "./sum.ts";
// sum is not touched here
export const said = "sum" + sum(1) + add(2);
`);
    expect(lines).toEqual([
      '-export { sum } from "./sum.ts";',
      '+export { total } from "./sum.ts";',
      '-import { sum } from "./index.ts";',
      '-import { sum as add } from "./sum.ts";',
      '+import { total } from "./index.ts";',
      '+import { total as add } from "./sum.ts";',
      '-export const said = "sum" + sum(1) + add(2);',
      '+export const said = "sum" + total(1) + add(2);',
    ]);
  });

  test("reordered parameters are repaired with a variable of the new one's name; unknown arguments are left", async () => {
    const lines = await repairedLines(`--- draw.ts
export interface Pen { readonly width: number }
export function draw([x: number, label: string > label: string, x: number, pen: Pen]) { return label + x; }
--- use.ts
import { draw, type Pen } from "./draw.ts";
export function one(pen: Pen) { return draw(1, "a"); }
export function two() { return draw(2, "b"); }
`);
    expect(lines).toEqual([
      '-export function one(pen: Pen) { return draw(1, "a"); }',
      '+export function one(pen: Pen) { return draw("a", 1, pen); }',
      "left two 2554",
    ]);
  });

  test("a variable of the right name and the wrong type is not passed as an argument", async () => {
    const lines = await repairedLines(`--- draw.ts
export interface Pen { readonly width: number }
export function draw([x: number > x: number, pen: Pen]) { return x; }
--- use.ts
import { draw } from "./draw.ts";
export function one(pen: string) { return pen + draw(1); }
`);
    expect(lines).toEqual(["left one 2554"]);
  });

  test("a missing member is added when its siblings show its value", async () => {
    const lines = await repairedLines(`--- node.ts
export interface Node {
  readonly kind: string;
  readonly cascade: boolean | undefined;
[ >   readonly temporary: boolean | undefined;
]}
--- copy.ts
import type { Node } from "./node.ts";
export function copy(node: Node): Node {
  return {
    kind: "drop",
    cascade: node.cascade,
  };
}
`);
    expect(lines).toEqual(["+    temporary: node.temporary,"]);
  });

  test("a type parameter of the same name is passed as a type argument", async () => {
    const lines = await repairedLines(`--- node.ts
export interface Node[ > <T>] { readonly kind: string }
export interface Tree<T> { readonly top: Node[ > <T>]; readonly value: T }
--- copy.ts
import type { Node } from "./node.ts";
export function copy<T>(node: Node): Node { return { kind: node.kind }; }
export function other(node: Node) { return node.kind; }
`);
    expect(lines).toEqual([
      "-export function copy<T>(node: Node): Node { return { kind: node.kind }; }",
      "+export function copy<T>(node: Node<T>): Node<T> { return { kind: node.kind }; }",
      "left other 2314",
    ]);
  });

  test("a removed member is no longer passed on; one that is still required stays", async () => {
    const lines = await repairedLines(`--- node.ts
export interface Node {
  readonly kind: string;
[  readonly ignore: boolean;
 > ]}
--- copy.ts
import type { Node } from "./node.ts";
export const copy = (node: Node): Node => ({ kind: node.kind, ignore: node.ignore });
export const made: Node = { kind: "made", ignore: true };
`);
    expect(lines).toEqual([
      "-export const copy = (node: Node): Node => ({ kind: node.kind, ignore: node.ignore });",
      "+export const copy = (node: Node): Node => ({ kind: node.kind });",
      "left made 2353",
    ]);
  });

  test.each([
    ["export *", 'export * from "./money";', 'export * from "./cash";'],
    ["a list", 'export { cents } from "./money";', 'export { cents } from "./cash";'],
    ["export * beside others", 'export const one = 1;\nexport * from "./money";', 'export * from "./cash";'],
  ])(
    "row 25: importers of a barrel are not changed when the barrel is repaired: %s",
    async (_name, barrel, repaired) => {
      const lines = await repairedLines(`--- app/a.ts
import { cents } from "../lib";
export const a = cents(1);
--- app/b.ts
import { cents as c } from "../lib/outer";
export const b = c(1);
--- lib/index.ts
${barrel}
--- lib/money.ts => lib/cash.ts
export function cents(n: number) { return n * 100; }
--- lib/outer.ts
export { cents } from "./index";
`);
      expect(lines).toEqual([`-${barrel.split("\n").at(-1)}`, `+${repaired}`]);
    },
  );

  test("row 25: importers of a barrel that no longer re-exports a moved file import that file", async () => {
    const lines = await repairedLines(`--- app/a.ts
import { cents } from "../lib";
export const a = cents(1);
--- lib/index.ts
export const one = 1;
[export * from "./money";
 > ]
--- lib/money.ts => lib/cash.ts
export function cents(n: number) { return n * 100; }
`);
    expect(lines).toEqual(['-import { cents } from "../lib";', '+import { cents } from "../lib/cash";']);
  });

  test("the import of a moved file gets its new path", async () => {
    const lines = await repairedLines(`--- old.ts
export const a = 1;
[export function ring() {} > ]
--- new.ts
[ > export function ring() {}]
--- use.ts
import { a, ring } from "./old.ts";
ring();
export const b = a;
`);
    expect(lines).toEqual([
      '-import { a, ring } from "./old.ts";',
      '+import { a } from "./old.ts";',
      '+import { ring } from "./new.ts";',
    ]);
  });
});
