import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blockId, type CodeBlock } from "../../analysis/index.ts";
import { WorkspaceAnalysis } from "../../analysis/node/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { minimalEdit } from "../../text/index.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { disk, systemClock } from "../../workspace/node/index.ts";
import { defaultNextEditSettings } from "../engine/settings.ts";
import { NextEditWorkspace } from "./next-edit-workspace.ts";

/**
 * A change as `⟦old→new⟧` in `a.ts`, whose imports the other files lack: `FILE: TEXT` names what it
 * takes of another file by `$FILE.NAME`. Then the files in which the change causes errors, in the
 * order of the impact analysis.
 */
const cases: readonly (readonly [name: string, files: readonly string[], broken: string])[] = [
  ["a required argument", ["a: export function f(x: number⟦→, y: string⟧) {}", "b: $a.f(1);", "c: $a.f(2);"], "b c"],
  ["a removed parameter", ["a: export function f(x: number⟦, y: string→⟧) {}", "b: $a.f(1, '');", "c: $a;"], "b"],
  ["another type of a parameter", ["a: export function f(x: ⟦number→string⟧) {}", "c: $a.f(1);", "b: $a.f(2);"], "b c"],
  ["an optional argument", ["a: export function f(x: number⟦→, y?: string⟧) {}", "b: $a.f(1);"], ""],
  [
    "another result",
    ["a: export const f = (): ⟦number→string⟧ => 0 as never;", "b: export const n: number = $a.f();"],
    "b",
  ],
  [
    "a result that may be missing",
    ["a: export declare const f: () => string⟦→ | undefined⟧;", "b: $a.f().at(0);"],
    "b",
  ],
  [
    "a promise",
    ["a: export declare const f: () => ⟦string→Promise<string>⟧;", "b: $a.f().at(0);", "c: void $a.f();"],
    "b",
  ],
  ["a renamed function", ["a: export function ⟦f→g⟧(x: number) {}", "b: $a.f(1);", "c: $a.f(2);"], "b c"],
  ["a removed export", ["a: ⟦export →⟧function f(x: number) {}", "b: $a.f(1);"], "b"],
  ["a renamed type", ["a: export interface ⟦T→U⟧ { x: number }", "b: export const t: $a.T = { x: 1 };"], "b"],
  [
    "a required property",
    ["a: export interface T { x: number⟦→; y: number⟧ }", "b: export const t: $a.T = { x: 1 };"],
    "b",
  ],
  [
    "a removed property",
    ["a: export interface T { x: number⟦; y: number→⟧ }", "b: export const y = (t: $a.T) => t.y;"],
    "b",
  ],
  ["a renamed property", ["a: export interface T { ⟦x→z⟧: number }", "b: export const x = (t: $a.T) => t.x;"], "b"],
  [
    "another type of a property",
    ["a: export interface T { x: ⟦number→string⟧ }", "b: export const x = (t: $a.T): number => t.x;"],
    "b",
  ],
  [
    "a read-only property",
    ["a: export interface T { ⟦→readonly ⟧x: number }", "b: export const s = (t: $a.T) => { t.x = 1; };"],
    "b",
  ],
  [
    "an optional property",
    ["a: export interface T { x⟦→?⟧: number }", "b: export const x = (t: $a.T): number => t.x;"],
    "b",
  ],
  ["a removed case of a union", ["a: export type T = 'p'⟦ | 'q'→⟧;", "b: export const t: $a.T = 'q';"], "b"],
  ["another case of a union", ["a: export type T = 'p'⟦→ | 'q'⟧;", "b: export const s = (t: $a.T): 'p' => t;"], "b"],
  [
    "a type parameter",
    ["a: export interface T⟦→<X>⟧ { x: ⟦unknown→X⟧ }", "b: export const s = (t: $a.T) => t.x;"],
    "b",
  ],
  [
    "an abstract method",
    ["a: export abstract class C { ⟦→abstract m(): void;⟧ }", "b: export class D extends $a.C {}"],
    "b",
  ],
  ["a private member", ["a: export class C { ⟦→private ⟧m() {} }", "b: new $a.C().m();"], "b"],
  [
    "a parameter of a constructor",
    ["a: export class C { constructor(x: number⟦→, y: number⟧) {} }", "b: new $a.C(1);"],
    "b",
  ],
  [
    "a renamed method",
    ["a: export class C { ⟦m→n⟧() {} }", "b: new $a.C().m();", "c: export const m = (c: $a.C) => c.m();"],
    "b c",
  ],
  ["a method that takes more", ["a: export class C { m(⟦→x: number⟧) {} }", "b: new $a.C().m();"], "b"],
  ["a changed enum", ["a: export enum E { P⟦, Q→⟧ }", "b: export const e = $a.E.Q;"], "b"],
  [
    "a change that a file passes on",
    [
      "a: export declare const f: () => ⟦number→string⟧;",
      "b: export const g = () => $a.f();",
      "c: export const n: number = $b.g();",
    ],
    "c",
  ],
  [
    "a type that another contains",
    [
      "a: export interface T { x: number⟦→; y: number⟧ }",
      "b: export interface U { t: $a.T }",
      "c: export const u: $b.U = { t: { x: 1 } };",
    ],
    "c",
  ],
  [
    "errors that were there",
    ["a: export function f(x: number⟦→, y: string⟧) {}", "b: export const n: number = '';", "c: $a.f(1);"],
    "c",
  ],
  [
    "two places in a file",
    [
      "a: export function f(x: number⟦→, y: string⟧) {}",
      "b: export const p = () => $a.f(1); export const q = () => $a.f(2);",
    ],
    "b",
  ],
  [
    "the changed file itself",
    ["a: export function f(x: number⟦→, y: string⟧) {} export const p = () => f(1);", "b: $a.f(2);"],
    "a b",
  ],
];

const marks = /⟦([^⟦→⟧]*)→([^⟦→⟧]*)⟧/g;
let root: string;
let workspace: NextEditWorkspace;
let analysis: WorkspaceAnalysis;
const syntax = openSyntax();

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "emend-places-")));
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const options = { strict: true, module: "nodenext", noEmit: true, allowImportingTsExtensions: true, types: [] };
  put("tsconfig.json", JSON.stringify({ compilerOptions: options }));
  const files = new Map<string, { readonly language: string }>([["tsconfig.json", { language: "jsonc" }]]);
  for (const index of cases.keys())
    for (const [path, text] of textsOf(index)) {
      put(path, text.replace(marks, "$1"));
      files.set(path, { language: "typescript" });
    }
  const types = { ...defaultNextEditSettings, typesMs: 60_000 };
  workspace = new NextEditWorkspace({
    ...{ root, fileSystem: disk, clock: systemClock, syntax, settings: types, yieldThread: () => setImmediate() },
  });
  analysis = await WorkspaceAnalysis.open({
    root,
    files,
    about: ["tsconfig.json", "0/a.ts"],
    fileSystem: disk,
    syntax,
  });
  await workspace.ready;
}, 120_000);

afterAll(async () => {
  await analysis[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
  syntax[Symbol.dispose]();
  removeFolder(root);
});

/** The files of a case with the marks of its change, in a folder of its own. */
function textsOf(index: number): ReadonlyMap<string, string> {
  return new Map(
    cases[index]![1].map((file) => {
      const [, name, body] = /^(\w): (.*)$/s.exec(file)!;
      const imports: string[] = [];
      const text = body!.replaceAll(/\$(\w)\.?(\w*)/g, (_, from: string, taken: string) => {
        const line = `import { ${taken} } from "./${from}.ts";\n`;
        if (taken !== "" && !imports.includes(line)) imports.push(line);
        return taken;
      });
      return [`${index}/${name}.ts`, `${imports.join("")}${text}\n`] as const;
    }),
  );
}

/** The block of an offset: the smallest around it. */
function blockAt(path: string, text: string, offset: number): CodeBlock | undefined {
  const around = analysis.blocksOf(path, text).filter(({ range }) => range.start <= offset && offset < range.end);
  return around.sort((one, other) => one.range.end - one.range.start - (other.range.end - other.range.start))[0];
}

const numbered = cases.map(([name, , broken], index) => [name, index, broken] as const);

test.each(numbered)(
  "all places of next edits with an error are those of the impact analysis: %s",
  async (_, index, broken) => {
    const path = `${index}/a.ts`;
    const marked = textsOf(index).get(path)!;
    const [before, after] = [marked.replace(marks, "$1"), marked.replace(marks, "$2")];
    const { affected } = await analysis.at(new Map([[path, { before, after }]])).impact();
    const impact = affected.filter(({ checked, isTouched }) => checked?.wave === 1 && !isTouched);
    const filesOf = (paths: readonly string[]) =>
      [...new Set(paths)].map((one) => one.replace(/^\d+\/(\w)\.ts$/, "$1"));
    expect(filesOf(impact.map(({ block }) => block.path)).join(" ")).toBe(broken);

    workspace.open(path, before);
    workspace.change(path, before, minimalEdit(before, after));
    await workspace.typesFor(path);
    await workspace.settled();
    const document = { uri: `file://${root}/${path}`, language: "typescript", version: 1, text: after };
    const request = { document, path, offset: after.length, trigger: "invoked", isExhaustive: true } as const;
    const outcome = await workspace.suggest(request);
    const places = outcome.kind === "offered" ? [outcome.suggestion, ...outcome.suggestion.others] : [];
    workspace.change(path, after, minimalEdit(after, before));
    workspace.engine.replaced();
    workspace.close(path);

    const errors = places.flatMap(({ error }) => error ?? []);
    expect(places.slice(0, errors.length).every(({ error }) => error !== undefined)).toBe(true);
    expect(filesOf(errors.map((error) => error.path)).join(" ")).toBe(broken);
    const textNow = (file: string) => (file === path ? after : workspace.files.textOf(file)!);
    const blocks = errors.map((error) => blockId(blockAt(error.path, textNow(error.path), error.start)!));
    expect([...new Set(blocks)].sort()).toEqual(impact.map(({ block }) => blockId(block)).sort());
  },
);
