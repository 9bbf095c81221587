import { afterAll, describe, expect, test } from "vitest";
import { openSyntax } from "../../syntax/node/index.ts";
import { BlockReader } from "../graph/block-reader.ts";
import { DependencyGraph } from "../graph/dependency-graph.ts";
import { type AffectedBlock, analyseImpact, workLikelihood } from "../impact/impact-analysis.ts";
import { parseScriptTree } from "./parse-script-tree.ts";
import { filesOfTree } from "./typescript-files.ts";
import { TypeScriptSource } from "./typescript-source.ts";

const syntax = openSyntax();
const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
afterAll(() => syntax[Symbol.dispose]());

/**
 * The files of a workspace, each under its name in a line of its own: `--- a.ts`. In `[old > new]` the first is what stands there, and
 * the second what a change makes of it.
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

/** The blocks of the work list, the likeliest first, as `name certainty wave`; `-` where the checker does not name it. */
async function workOn(marked: string): Promise<string[]> {
  const affected = await affectedBy(marked);
  return affected
    .filter(({ likelihood, isTouched }) => likelihood >= workLikelihood && !isTouched)
    .map(({ block, witness }) => `${block.name} ${witness ? `${witness.certainty} ${witness.wave}` : "-"}`);
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
      witness: { checker, before },
    };
    const { affected } = await analyseImpact(request);
    // The texts are as they were: a second time it says the same.
    expect((await analyseImpact(request)).affected).toEqual(affected);
    return affected;
  } finally {
    await checker[Symbol.asyncDispose]();
  }
}

describe("analyseImpact with TypeScript", () => {
  const cases: readonly (readonly [title: string, workspace: string, expected: readonly string[]])[] = [
    [
      "a name is followed through a barrel to those who say it",
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
      "who says a name that went is asked, though the checker complains of the import alone",
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
      "what is handed through leads to the callers",
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
      "so does what is handed through and is too much",
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
      "a parameter that a lost member is compared with leads to the callers",
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
      "who gives nothing but a lost member leads to the callers, who gives more than that does not",
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
      "a literal that must fit is found, though it names nothing",
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
      "an argument more, where a variable of its name is at hand, follows",
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
      "an argument more, where none is at hand, may go up to the callers",
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
      "what is written otherwise affects nobody",
      "--- a.ts\nexport const a = [\"b\" > 'b'];\n--- b.ts\nimport { a } from './a.ts';\nexport const b = a;\n",
      [],
    ],
  ];
  for (const [title, workspace, expected] of cases) {
    test(title, async () => expect(await workOn(workspace)).toEqual(expected), 30_000);
  }

  test("a package that is still to be installed is no fault of the change, a forgotten file is", async () => {
    const affected = await affectedBy(`--- a.ts
[ > import { made } from "missing";
import { two } from "./two.ts";
]export const a = [1 > made(two)];
--- b.ts
import { a } from "./a.ts";
export const b = a;
`);
    const wrong = affected.filter(({ witness }) => witness !== undefined);
    expect(wrong.map(({ block, witness }) => `${block.name} ${witness!.codes}`)).toEqual(["./two.ts 2307"]);
  }, 30_000);
});
