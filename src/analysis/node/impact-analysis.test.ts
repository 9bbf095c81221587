import { afterAll, describe, expect, test } from "vitest";
import { parseScriptTree } from "../../names/node/parse-script-tree.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { BlockReader } from "../graph/block-reader.ts";
import { DependencyGraph } from "../graph/dependency-graph.ts";
import { type AffectedBlock, analyseImpact, workLikelihood } from "../impact/impact-analysis.ts";
import { filesOfTree } from "./typescript-files.ts";
import { TypeScriptSource } from "./typescript-source.ts";

const syntax = openSyntax();
const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
afterAll(() => syntax[Symbol.dispose]());

/**
 * The files of a workspace, each after a line with its name: `--- a.ts`. `[old > new]` is a change:
 * the text before and after.
 */
function sides(marked: string): Map<string, { readonly before: string; readonly after: string }> {
  const parts = marked.split(/^--- (\S+)\n/m).slice(1);
  const files = new Map<string, { readonly before: string; readonly after: string }>();
  for (let index = 0; index < parts.length; index += 2) {
    const text = parts[index + 1]!;
    const side = (kept: "$1" | "$2") => text.replaceAll(/\[([^[\]>]*) > ([^[\]]*)\]/g, kept);
    files.set(parts[index]!, { before: side("$1"), after: side("$2") });
  }
  return files;
}

/**
 * The blocks of the work list, the most likely first, as `name certainty wave`; `-` for a block
 * without a diagnostic.
 */
async function workOn(marked: string): Promise<string[]> {
  const affected = await affectedBy(marked);
  return affected
    .filter(({ likelihood, isTouched }) => likelihood >= workLikelihood && !isTouched)
    .map(({ block, checked }) => `${block.name} ${checked ? `${checked.certainty} ${checked.wave}` : "-"}`);
}

async function affectedBy(marked: string): Promise<readonly AffectedBlock[]> {
  const files = sides(marked);
  const texts = new Map([...files].map(([path, { before }]) => [path, before] as const));
  const paths = [...texts.keys()];
  const checker = await TypeScriptSource.open({
    root: "/made-up",
    paths,
    readText: async (path) => texts.get(path),
    files: filesOfTree("/made-up", texts),
  });
  try {
    const blocksOf = (path: string, text: string) => reader.tryBlocks(path, text) ?? [];
    const references = await checker.referencesOf(paths);
    const graph = new DependencyGraph();
    graph.update(
      paths.map((path, index) => ({ path, blocks: blocksOf(path, texts.get(path)!), references: references[index]! })),
    );
    const before = await checker.errorsOf(undefined);
    const request = {
      changed: new Map([...files].filter(([, side]) => side.before !== side.after)),
      graphs: { before: graph },
      textOf: (path: string) => texts.get(path),
      blocksOf,
      treeOf: (path: string, text: string) => reader.tryScript(path, text),
      checker: { checker, before },
    };
    const { affected } = await analyseImpact(request);
    // The texts are restored: a second analysis has the same result.
    expect((await analyseImpact(request)).affected).toEqual(affected);
    return affected;
  } finally {
    await checker[Symbol.asyncDispose]();
  }
}

describe("analyseImpact with TypeScript", () => {
  const cases: readonly (readonly [title: string, workspace: string, expected: readonly string[]])[] = [
    [
      "a renamed function is followed through a barrel to its users",
      `--- sum.ts
export function [total > sumOf](values: number[]): number { return values.length; }
--- index.ts
export { total } from "./sum.ts";
--- use.ts
import { total } from "./index.ts";
export const three = total([1, 2, 3]);
export const other = 3;
`,
      ["./sum.ts follows 1", "./index.ts follows 2", "three follows 3"],
    ],
    [
      "a user of a removed name is in the work list although only the import has a diagnostic",
      `--- sum.ts
export const one = 1;
[export function total(text: string): number { return text.length; } > ]
--- use.ts
import { one, total } from "./sum.ts";
export const three = total("one");
export const two = one + one;
`,
      ["./sum.ts error 1", "three -"],
    ],
    [
      "a value that is passed on leads to the callers",
      `--- paint.ts
export function paint(colour: [string > number]): void { console.log(colour); }
export function frame(colour: string): void { paint(colour); }
--- page.ts
import { frame } from "./paint.ts";
export function page(): void { frame("red"); }
`,
      ["frame error 1", "page -"],
    ],
    [
      "a value that is passed on and is one too many leads to the callers",
      `--- fail.ts
export function fail([text: string, start: number, end: number > node: object, text: string]): never { throw new Error(text); }
export function failAt(node: { start: number; end: number }, text: string): never {
  const { start } = node;
  const end = node.end;
  return fail(text, start, end);
}
--- check.ts
import { failAt } from "./fail.ts";
export function check(node: { start: number; end: number }): void { failAt(node, "no"); }
`,
      ["failAt error 1", "check -"],
    ],
    [
      "a parameter that is compared with a removed member leads to the callers",
      `--- options.ts
export interface Options { type: string[; name: string > ] }
--- reader.ts
import type { Options } from "./options.ts";
export function read(all: Options[], name: string): Options | undefined { return all.find((one) => one.name === name); }
--- app.ts
import { read } from "./reader.ts";
export const first = read([], "first");
`,
      ["read error 1", "first -"],
    ],
    [
      "a caller that passes only a removed member is in the work list, one that passes more is not",
      `--- options.ts
export interface Options { type: string[; join?: { alias: string } > ] }
export function aliasOf(options?: Options): string | undefined { if (options?.join) return options.join.alias; return undefined; }
export function isOptions(options: Options): boolean { return options.join !== undefined || options.type !== ""; }
--- app.ts
import { aliasOf, isOptions } from "./options.ts";
export const alias = aliasOf({ type: "a" });
export const isOne = isOptions({ type: "a" });
`,
      ["aliasOf error 1", "isOptions error 1", "alias -"],
    ],
    [
      "a literal that must fit a changed type is found although it names nothing",
      `--- options.ts
export interface Options { width: number[ > ; height: number] }
export function draw(options: Options): number { return options.width; }
--- picture.ts
import { draw } from "./options.ts";
export const picture = draw({ width: 3 });
`,
      ["picture error 1"],
    ],
    [
      "a missing argument follows when a variable of its name is in scope",
      `--- log.ts
export function log(text: string[ > , level: number]): void { console.log(text); }
--- app.ts
import { log } from "./log.ts";
export function app(level: number): void { log("on " + level); }
export function idle(): void { app(1); }
`,
      ["app follows 1"],
    ],
    [
      "a missing argument without a variable in scope may lead to the callers",
      `--- log.ts
export function log(text: string[ > , level: number]): void { console.log(text); }
--- app.ts
import { log } from "./log.ts";
export function app(): void { log("on"); }
export function main(): void { app(); }
`,
      ["app error 1", "main guess 2"],
    ],
    [
      "a change of formatting affects no block",
      "--- a.ts\nexport const a = [\"b\" > 'b'];\n--- b.ts\nimport { a } from './a.ts';\nexport const b = a;\n",
      [],
    ],
  ];
  for (const [title, workspace, expected] of cases) {
    test(title, async () => expect(await workOn(workspace)).toEqual(expected), 30_000);
  }

  test("a package that is not installed yet is no diagnostic of the change, a missing file is", async () => {
    const affected = await affectedBy(`--- a.ts
[ > import { made } from "missing";
import { two } from "./two.ts";
]export const a = [1 > made(two)];
--- b.ts
import { a } from "./a.ts";
export const b = a;
`);
    const wrong = affected.filter(({ checked }) => checked !== undefined);
    expect(wrong.map(({ block, checked }) => `${block.name} ${checked!.codes}`)).toEqual(["./two.ts 2307"]);
  }, 30_000);
});
