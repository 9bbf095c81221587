import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseScriptTree } from "../../names/node/parse-script-tree.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { lawRuns, lawTimeoutMs } from "../../text/node/fixtures/law-runs.ts";
import { BlockReader } from "../graph/block-reader.ts";
import { WorkspaceGraph } from "../graph/workspace-graph.ts";
import { filesOfTree } from "./typescript-files.ts";
import { TypeScriptSource } from "./typescript-source.ts";

/**
 * Files made of slots; each slot contains one of several texts. The first text of each is the
 * project before any edit.
 */
const slots: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "shape.ts": [
    [
      "export interface Shape { area(): Size; name?: string }",
      "export interface Shape { size(): Size }",
      "export interface Form { area(): Size }",
      "export type Shape = Named & { area(): Size };",
      "interface Shape { area(): Size }",
      "",
    ],
    [
      "export interface Size { value: number }",
      "export interface Size { value: string; unit: string }",
      "export type Size = Named;",
    ],
    ["export interface Named { label: string }", "export interface Named { label: string; value: number }"],
    [
      "export const unit = { value: 1, label: 'm' };",
      "export const unit: Size = { value: 2 };",
      "export const one = 1;",
    ],
  ],
  "base.ts": [
    ['import type { Shape, Size } from "./shape.ts";', 'import type { Size } from "./index.ts";', ""],
    [
      "export class Base { area(): Size { return null! } grow() { return this.area() } }",
      "export class Base { area(): Size { return undefined! } grow() { return 1 } }",
      "export class Base { grow() { return this } protected hidden?: Shape }",
      "export abstract class Base { abstract area(): Size; label = 'base' }",
    ],
    ["export type Maker = (from: Size) => Base;", "export type Maker = { make(from: Shape): Base };", ""],
  ],
  "circle.ts": [
    ['import { Base } from "./base.ts";', 'import { Base } from "./index.ts";', 'import Base from "./extra.ts";'],
    ['import type { Shape } from "./index.ts";', ""],
    [
      "export class Circle extends Base implements Shape { override area() { return { value: this.radius } } constructor(readonly radius = 1) { super() } }",
      "export class Circle extends Base { grow() { return new Circle() } radius = 2 }",
      "export class Circle implements Shape { area() { return super.area() } radius }",
      "export class Circle { area = () => ({ value: 1, unit: 'm' }) }",
    ],
  ],
  "make.ts": [
    ['import { Circle } from "./circle.ts";', 'import { Circle } from "./index.ts";'],
    ['import * as all from "./index.ts";', 'import * as all from "./shape.ts";', ""],
    [
      "export function make() { return new Circle() }",
      "export function make() { const made = new Circle(); return made }",
      "export function make() { return new Circle().area() }",
      "export function make() { return { ...all.unit } }",
      "export function make(): all.Shape { return null! }",
      "export function make() { class Inner { area() { return all.unit } } return new Inner() }",
    ],
    ["export const twice = () => [make(), make()] as const;", "const twice = () => make(); export { twice };", ""],
    [
      "export function first<T>(from: readonly T[]) { return from[0]! }",
      "export function first(from: readonly all.Shape[]) { return from[0]! }",
    ],
  ],
  "index.ts": [
    [
      'export * from "./shape.ts";',
      'export type { Shape, Size } from "./shape.ts";',
      'export { unit as Shape } from "./shape.ts";',
    ],
    [
      'export * from "./base.ts";',
      'export { Base } from "./base.ts";',
      'import { Base } from "./base.ts"; export { Base };',
      "",
    ],
    [
      'export { Circle } from "./circle.ts";',
      'export * as round from "./circle.ts";',
      'export { Circle as Round } from "./circle.ts";',
    ],
  ],
  "extra.ts": [
    ['import { make } from "./make.ts";', ""],
    [
      "export default class Extra { area() { return make() } }",
      "export default make;",
      'export const later = () => import("./kit");',
    ],
    [
      "declare global { interface Settings { size: number } }",
      "declare global { interface Settings { scale: string } }",
      "",
    ],
  ],
  "use.ts": [
    [
      'import { make, twice, first } from "./make.ts";',
      'import { make, first } from "./make.ts"; import { twice } from "./kit";',
    ],
    [
      'import { type Shape, Base, unit } from "./index.ts";',
      'import { round, type Size as Shape, Circle } from "./index.ts";',
    ],
    [
      "export const area = make().area().value; export const grown = twice()[0].grow();",
      "export const { label, value } = make(); export const area = first(twice()).area();",
      "export let settings: Settings; settings.size; settings.scale;",
    ],
    [
      "export const literal: Shape = { area: () => ({ value: 1 }), name: 'one' };",
      "export const literal = { area: make, size: unit } satisfies Partial<Shape>;",
      "export function show({ name, area }: Shape) { return area().value }",
    ],
    [
      "export class Mine extends Base { area() { return unit } }",
      "export const made = new Base().grow().radius;",
      "} broken (",
    ],
  ],
  "kit.ts": [
    ['export * from "./make.ts";', 'import { make } from "./make.ts"; export const twice = make;'],
    [
      'export type Kit = typeof import("./use.ts");',
      "export const tool = literal; export let literal: Kit; type Kit = ReturnType<typeof make>;",
    ],
  ],
  "kit/index.ts": [['export * from "../base.ts"; export const twice = () => 1;', "export {};"]],
  "plain.js": [
    ['import { make } from "./make.ts";', 'import { Circle as make } from "./index.ts";'],
    [
      "/** @returns {import('./shape.ts').Shape} */ export function plain() { return make() }",
      "export function plain() { this.area = make }",
      "export function plain() { return [make] } plain.area = make;",
    ],
  ],
  "old.cjs": [
    ['const { make } = require("./make.ts");', 'const { plain: make } = require("./plain.js");'],
    ["module.exports = { old: make };", "exports.old = () => make().area;"],
  ],
};

/** Files that are missing at first. */
const absent = new Set(["kit/index.ts"]);

/** An edit: another text for a slot, or an added or removed file. */
type Edit =
  | { readonly path: string; readonly slot: number; readonly text: number }
  | { readonly path: string; readonly slot: undefined };

/** The texts of a project during its edits. */
class Project {
  readonly chosen = new Map(Object.entries(slots).map(([path, all]) => [path, all.map(() => 0)]));
  readonly present = new Set(Object.keys(slots).filter((path) => !absent.has(path)));

  apply(edit: Edit): void {
    if (edit.slot === undefined) {
      if (!this.present.delete(edit.path)) this.present.add(edit.path);
    } else this.chosen.get(edit.path)![edit.slot] = edit.text;
  }

  text(path: string): string | undefined {
    if (!this.present.has(path)) return undefined;
    return slots[path]!.map((texts, slot) => texts[this.chosen.get(path)![slot]!]).join("\n");
  }

  texts(): Map<string, string | undefined> {
    return new Map(Object.keys(slots).map((path) => [path, this.text(path)]));
  }
}

const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .constantFrom(
        ...Object.entries(slots).flatMap(([path, all]) =>
          all.map((texts, slot) => ({ path, slot, count: texts.length })),
        ),
      )
      .chain(({ path, slot, count }) => fc.nat(count - 1).map((text) => ({ path, slot, text }))),
  },
  { weight: 1, arbitrary: fc.constantFrom(...Object.keys(slots)).map((path) => ({ path, slot: undefined })) },
);

/** A graph as one text: its blocks and edges, sorted. */
function printed({ graph }: WorkspaceGraph): string[] {
  const blocks = [...graph.paths].flatMap((path) =>
    graph.blocksOf(path).map(({ kind, name }) => `${path} ${kind} ${name}`),
  );
  const edges = Array.from(
    graph.edges(),
    ({ from, relation, to, isInSignature }) => `${from} ${relation} ${to}${isInSignature ? " !" : ""}`,
  );
  return [...blocks.sort(), ...edges.sort()];
}

const config = JSON.stringify({ compilerOptions: { strict: true, lib: ["es2022"], types: [] } });
const runs = lawRuns(12);

describe("WorkspaceGraph with updates", () => {
  const reader = new BlockReader({ parseScript: parseScriptTree, syntax: openSyntax() });
  let source: TypeScriptSource;

  beforeAll(async () => {
    const texts = new Map([["tsconfig.json", config]]);
    source = await TypeScriptSource.open({
      ...{ root: "/tree", paths: ["tsconfig.json"], files: filesOfTree("/tree", texts) },
      readText: async (path) => texts.get(path),
    });
  });
  afterAll(() => source[Symbol.asyncDispose]());

  const built = async (project: Project) => {
    const graph = new WorkspaceGraph({ reader, sources: [source], yieldThread: () => setImmediate() });
    await graph.build([...project.present], async (path) => project.text(path));
    return graph;
  };

  const sequences = fc.array(fc.array(edit, { minLength: 1, maxLength: 2 }), { minLength: 3, maxLength: 6 });

  it("reports all files that any edits reach: the diagnostics of all others are unchanged", {
    timeout: lawTimeoutMs(600_000),
  }, async () => {
    const errors = async () => {
      const found = await source.errorsOf(undefined);
      return Array.from(found, ({ path, start, code, message }) => ({
        path,
        error: `${path} ${start} ${code} ${message}`,
      }));
    };
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(sequences, async (sequence) => {
        const project = new Project();
        await source.update(project.texts());
        const graph = await built(project);
        for (const edits of sequence) {
          const before = await errors();
          const paths = edits.map(({ path }) => path);
          const reached = [graph.reachOf(paths)];
          for (const one of edits) project.apply(one);
          await graph.update(new Map(paths.map((path) => [path, project.text(path)])));
          reached.push(graph.reachOf(paths));
          if (reached.includes(undefined)) continue;
          const isOther = ({ path }: { readonly path: string }) => !reached.some((some) => some!.includes(path));
          expect((await errors()).filter(isOther)).toEqual(before.filter(isOther));
          compared += 1;
        }
      }),
      { seed: 20_261_122, numRuns: runs, endOnFailure: false },
    );
    expect(compared).toBeGreaterThan(runs / 4);
  });

  it("equals a graph that is built from scratch, after any edits", { timeout: lawTimeoutMs(600_000) }, async () => {
    await fc.assert(
      fc.asyncProperty(sequences, async (sequence) => {
        const project = new Project();
        await source.update(project.texts());
        const graph = await built(project);
        for (const edits of sequence) {
          for (const one of edits) project.apply(one);
          await graph.update(new Map(edits.map(({ path }) => [path, project.text(path)])));
          expect(printed(graph)).toEqual(printed(await built(project)));
        }
      }),
      { seed: 20_261_122, numRuns: runs, endOnFailure: false },
    );
  });
});
