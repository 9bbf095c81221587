import { afterEach, describe, expect, it } from "vitest";
import { openSyntax } from "../../syntax/node/index.ts";
import { BlockReader } from "../graph/block-reader.ts";
import { WorkspaceGraph } from "../graph/workspace-graph.ts";
import { parseScriptTree } from "./parse-script-tree.ts";
import { filesOfTree } from "./typescript-files.ts";
import { TypeScriptSource } from "./typescript-source.ts";

const left: TypeScriptSource[] = [];

afterEach(async () => {
  for (const source of left.splice(0)) await source[Symbol.asyncDispose]();
});

const project: Readonly<Record<string, string>> = {
  "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, lib: ["es2022"], types: [] } }),
  "size.ts": "export interface Size { value: number }\n",
  "shape.ts": `import type { Size } from "./size.ts";
export class Shape { area(): Size { return { value: 1 } } scale() { return 2 } }
export function draw(shape: Shape): void { shape.area() }
export function pair() { return { a: 1, b: 2 } }
`,
  "barrel.ts": `export * from "./shape.ts";\n`,
  "far.ts": `import { Shape } from "./barrel.ts";\nexport const far = new Shape().area().value;\n`,
  "user.ts": `import { draw } from "./barrel.ts";\nexport function use() { draw(null!) }\n`,
  "other.ts": `import { missing } from "./barrel.ts";\nimport { late } from "./late.ts";\nexport const other = missing;\n`,
  "lone.ts": "export const lone = 1;\n",
  "wide.ts": "export {};\ndeclare global { interface Wide { size: number } }\nexport function wide() { return 1 }\n",
};

/** One change of a file: a text in it that is another now; a file that is gone, or new. */
type Change =
  | readonly [path: string, before: string, after: string]
  | readonly [path: string]
  | readonly [path: string, text: string];

const cases: readonly (readonly [what: string, change: Change, asked: string])[] = [
  ["a comment", ["lone.ts", "export", "// why\nexport"], "lone.ts"],
  ["a body of a function that says its type", ["shape.ts", "shape.area()", "shape.scale()"], "shape.ts"],
  ["a body that gives the same type as before", ["shape.ts", "return 2", "return 1 + 1"], "shape.ts"],
  ["a body that gives another type", ["shape.ts", "return 2", 'return "2"'], "shape.ts far.ts user.ts"],
  ["a body that gives members, which may be declared elsewhere", ["shape.ts", "a: 1", "a: 3"], "shape.ts"],
  ["a signature", ["shape.ts", "shape: Shape", "shape?: Shape"], "shape.ts user.ts"],
  ["a type that a signature names", ["size.ts", "number", "string"], "size.ts shape.ts far.ts user.ts"],
  ["a name that nobody took comes", ["lone.ts", "export", "export const more = 2;\nexport"], "lone.ts"],
  [
    "a name that was missing comes",
    ["shape.ts", "export class", "export const missing = 1;\nexport class"],
    "shape.ts barrel.ts other.ts",
  ],
  ["a name goes", ["shape.ts", "function draw", "function paint"], "shape.ts barrel.ts user.ts"],
  ["a file goes", ["size.ts"], "shape.ts far.ts user.ts"],
  ["a file comes that was missing", ["late.ts", "export const late = 1;\n"], "late.ts other.ts"],
  ["a file comes that nobody names", ["new.ts", "export const other = 1;\n"], "new.ts"],
  ["the syntax breaks behind all", ["lone.ts", "1;", "1; } ("], "lone.ts"],
  ["something global comes", ["lone.ts", "export", "declare global { interface Window {} }\nexport"], "all"],
  ["something global changes", ["wide.ts", "size: number", "size: string"], "all"],
  ["what stands beside something global", ["wide.ts", "return 1", "return 1 + 1"], "wide.ts"],
  ["the configuration", ["tsconfig.json", "true", "false"], "all"],
];

async function opened() {
  const texts = new Map(Object.entries(project));
  const readText = async (path: string) => texts.get(path);
  const source = await TypeScriptSource.open({
    ...{ root: "/tree", paths: [...texts.keys()], files: filesOfTree("/tree", texts), readText },
  });
  left.push(source);
  const reader = new BlockReader({ parseScript: parseScriptTree, syntax: openSyntax() });
  return { graph: new WorkspaceGraph({ reader, sources: [source] }), readText, scripts: [...source.scripts] };
}

describe("who is asked anew after an edit", () => {
  it.each(cases)("%s", async (_what, change, expected) => {
    const { graph, readText, scripts } = await opened();
    await graph.build(scripts, readText);
    const [path, before, after] = change;
    const text = after === undefined ? before : project[path]!.replace(before!, after);
    const { asked } = await graph.update(new Map([[path, text]]));
    expect([...asked].sort()).toEqual((expected === "all" ? scripts : expected.split(" ")).toSorted());
  });
});

describe("building", () => {
  it("tells how far it is, and everything that it asked", async () => {
    const { graph, readText, scripts } = await opened();
    const told: string[] = [];
    const { asked } = await graph.build(scripts, readText, {
      onProgress: (at) => told.push(`${at.asked}/${at.files}`),
    });
    expect(told).toEqual(["8/8"]);
    expect([...asked].sort()).toEqual(scripts.toSorted());
  });

  it("that was stopped is finished by the next update", async () => {
    const { graph, readText, scripts } = await opened();
    const stop = new AbortController();
    const stopped = graph.build(scripts, readText, { signal: stop.signal, onProgress: () => undefined });
    stop.abort(new Error("enough"));
    await expect(stopped).rejects.toThrow("enough");
    await graph.build(scripts, readText);
    const { asked } = await graph.update(new Map([["lone.ts", "export const lone = 2;\n"]]));
    expect(asked).toEqual(["lone.ts"]);
  });
});
