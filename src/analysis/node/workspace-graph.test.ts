import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { parseScriptTree } from "../../names/node/parse-script-tree.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { BlockReader } from "../graph/block-reader.ts";
import { WorkspaceGraph } from "../graph/workspace-graph.ts";
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

/** A change of one file: a replaced text, a removed file or a new one. */
type Change =
  | readonly [path: string, before: string, after: string]
  | readonly [path: string]
  | readonly [path: string, text: string];

const cases: readonly (readonly [what: string, change: Change, resolved: string])[] = [
  ["a comment changes", ["lone.ts", "export", "// why\nexport"], "lone.ts"],
  [
    "the body of a function with an annotated result changes",
    ["shape.ts", "shape.area()", "shape.scale()"],
    "shape.ts",
  ],
  ["a body with the same inferred type changes", ["shape.ts", "return 2", "return 1 + 1"], "shape.ts"],
  ["a body with another inferred type changes", ["shape.ts", "return 2", 'return "2"'], "shape.ts far.ts user.ts"],
  ["a body that returns members, which may be declared elsewhere, changes", ["shape.ts", "a: 1", "a: 3"], "shape.ts"],
  ["a signature changes", ["shape.ts", "shape: Shape", "shape?: Shape"], "shape.ts user.ts"],
  ["a type in a signature changes", ["size.ts", "number", "string"], "size.ts shape.ts far.ts user.ts"],
  ["an export that no file imports is added", ["lone.ts", "export", "export const more = 2;\nexport"], "lone.ts"],
  [
    "an export that was missing is added",
    ["shape.ts", "export class", "export const missing = 1;\nexport class"],
    "shape.ts barrel.ts other.ts",
  ],
  ["an export is removed", ["shape.ts", "function draw", "function paint"], "shape.ts barrel.ts user.ts"],
  ["a file is removed", ["size.ts"], "shape.ts far.ts user.ts"],
  ["a file that was missing is added", ["late.ts", "export const late = 1;\n"], "late.ts other.ts"],
  ["a file that no file imports is added", ["new.ts", "export const other = 1;\n"], "new.ts"],
  ["a syntax error is added after all code", ["lone.ts", "1;", "1; } ("], "lone.ts"],
  ["a global declaration is added", ["lone.ts", "export", "declare global { interface Window {} }\nexport"], "all"],
  ["a global declaration changes", ["wide.ts", "size: number", "size: string"], "all"],
  ["code beside a global declaration changes", ["wide.ts", "return 1", "return 1 + 1"], "wide.ts"],
  ["the configuration changes", ["tsconfig.json", "true", "false"], "all"],
];

async function opened() {
  const texts = new Map(Object.entries(project));
  const readText = async (path: string) => texts.get(path);
  const source = await TypeScriptSource.open({
    ...{ root: "/tree", paths: [...texts.keys()], files: filesOfTree("/tree", texts), readText },
  });
  left.push(source);
  const reader = new BlockReader({ parseScript: parseScriptTree, syntax: openSyntax() });
  return {
    graph: new WorkspaceGraph({ reader, sources: [source], yieldThread: () => setImmediate() }),
    readText,
    scripts: [...source.scripts],
  };
}

describe("WorkspaceGraph requests references again only for the files that it must when", () => {
  it.each(cases)("%s", async (_what, change, expected) => {
    const { graph, readText, scripts } = await opened();
    await graph.build(scripts, readText);
    const [path, before, after] = change;
    const text = after === undefined ? before : project[path]!.replace(before!, after);
    const { resolved } = await graph.update(new Map([[path, text]]));
    expect([...resolved].sort()).toEqual((expected === "all" ? scripts : expected.split(" ")).toSorted());
  });
});

describe("WorkspaceGraph.build", () => {
  it("reports its progress and the files that it requested", async () => {
    const { graph, readText, scripts } = await opened();
    const reported: string[] = [];
    const { resolved } = await graph.build(scripts, readText, {
      onProgress: (at) => reported.push(`${at.resolved}/${at.files}`),
    });
    expect(reported).toEqual(["8/8"]);
    expect([...resolved].sort()).toEqual(scripts.toSorted());
  });

  it("that was aborted is completed by the next update", async () => {
    const { graph, readText, scripts } = await opened();
    const stop = new AbortController();
    const stopped = graph.build(scripts, readText, { signal: stop.signal, onProgress: () => undefined });
    stop.abort(new Error("enough"));
    await expect(stopped).rejects.toThrow("enough");
    await graph.build(scripts, readText);
    const { resolved } = await graph.update(new Map([["lone.ts", "export const lone = 2;\n"]]));
    expect(resolved).toEqual(["lone.ts"]);
  });
});
