import { afterAll, describe, expect, test } from "vitest";
import { openSyntax } from "../../syntax/node/index.ts";
import { toUnifiedDiff } from "../../text/index.ts";
import { BlockReader } from "../graph/block-reader.ts";
import { ExportIndex } from "../repair/export-index.ts";
import { mendWorkspace } from "../repair/mend-workspace.ts";
import { parseScriptTree } from "./parse-script-tree.ts";
import { filesOfTree } from "./typescript-files.ts";
import { TypeScriptSource } from "./typescript-source.ts";

const syntax = openSyntax();
const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
afterAll(() => syntax[Symbol.dispose]());

/** The files of a workspace: `--- a.ts` in front of each; `[old > new]` is what a change makes of it. */
function sides(marked: string): Map<string, { readonly before: string; readonly after: string }> {
  const parts = marked.split(/^--- (\S+)\n/m).slice(1);
  const side = (text: string, kept: string) => text.replaceAll(/\[([^[\]>]*) > ([^[\]]*)\]/g, kept);
  return new Map(
    parts.flatMap((part, index) =>
      index % 2 === 1 ? [] : [[part, { before: side(parts[index + 1]!, "$1"), after: side(parts[index + 1]!, "$2") }]],
    ),
  );
}

/** Mends what the change breaks: the lines that came and went, by file, then what is left: `left NAME CODE`. */
async function mended(marked: string): Promise<string[]> {
  const files = sides(marked);
  const texts = new Map([...files].map(([path, { before }]) => [path, before] as const));
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
    const answer = await mendWorkspace({
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
      toUnifiedDiff({ path, before: files.get(path)!.after, after: text })
        .split("\n")
        .filter((line) => /^[-+](?![-+])/.test(line)),
    );
    return [...lines, ...answer.left.map(({ block, finding }) => `left ${block.name} ${finding.code}`)];
  } finally {
    await checker[Symbol.asyncDispose]();
  }
}

describe("what follows from a change is done", () => {
  test("a renamed function, through a re-export and another name", async () => {
    const lines = await mended(`--- sum.ts
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

  test("parameters in another order, and a variable of the new one's name; what nobody can know is left", async () => {
    const lines = await mended(`--- draw.ts
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

  test("a variable of the right name and the wrong type is not passed", async () => {
    const lines = await mended(`--- draw.ts
export interface Pen { readonly width: number }
export function draw([x: number > x: number, pen: Pen]) { return x; }
--- use.ts
import { draw } from "./draw.ts";
export function one(pen: string) { return pen + draw(1); }
`);
    expect(lines).toEqual(["left one 2554"]);
  });

  test("a member that its type asks for, where its neighbours say how it is given", async () => {
    const lines = await mended(`--- node.ts
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

  test("a type parameter of the same name is handed on", async () => {
    const lines = await mended(`--- node.ts
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

  test("a member that went is not handed on any more; what somebody wants stays", async () => {
    const lines = await mended(`--- node.ts
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

  test("what moved is imported from where it is", async () => {
    const lines = await mended(`--- old.ts
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
