import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseScriptTree } from "../../names/node/parse-script-tree.ts";
import { tryScriptTree } from "../../names/script-node.ts";
import { blockFinder } from "../graph/dependency-graph.ts";
import type { FileReferences } from "../graph/reference.ts";
import { scriptBlocks } from "../graph/script-blocks.ts";
import { filesOfTree } from "./typescript-files.ts";
import { TypeScriptSource } from "./typescript-source.ts";

/** The files of all cases. */
const common: Readonly<Record<string, string>> = {
  "shape.ts": `export interface Shape { area(): number; name?: string }
export type Options = { deep: boolean; on?: Listener } | undefined;
export type Listener = (event: Event1) => void;
export interface Event1 { at: number }
export class Base { area() { return 1 } #own = 1; static make() { return new Base() } get size() { return this.#own } }
export enum Color { Red, Green }
export function draw(shape: Shape, options?: Options) {}
export const unit = 1;
export default function main() {}
`,
  "barrel.ts": `export * from "./shape.ts"; export { draw as paint } from "./shape.ts"; export * as shapes from "./shape.ts";`,
  "global.ts": "export interface Symbol { own: 1 }",
  // Before `a.ts` in the order of the program.
  "_clash.d.ts": "interface Clash { own: 1 } declare var Clash: any;",
  "deeper.ts": `export * from "./barrel.ts";`,
};

const config = JSON.stringify({
  compilerOptions: { strict: true, lib: ["es2022"], types: [], experimentalDecorators: true, jsx: "preserve" },
});

/**
 * The case, a file with \`¦\` before a place (\`a.ts\` unless its first line names it), and what
 * the place refers to: roles and blocks.
 */
type Case = readonly [what: string, marked: string, refersTo: string];

const cases: readonly Case[] = [
  // Roles.
  ["a call", `import { draw } from "./shape.ts"; ¦draw(null!)`, "call function draw"],
  ["a name in an import", `import { ¦draw } from "./shape.ts";`, "import function draw"],
  ["a call through parentheses", `import { draw } from "./shape.ts"; (¦draw)!(null!)`, "call function draw"],
  [
    "only the last name of a chain is a call",
    `import { Base } from "./shape.ts"; Base.¦make().area()`,
    "call method Base.make",
  ],
  ["the name before the dot is a value", `import { Base } from "./shape.ts"; ¦Base.make()`, "value class Base"],
  ["a new", `import { Base } from "./shape.ts"; new ¦Base()`, "instantiate class Base"],
  ["a type", `import { Shape } from "./shape.ts"; let s: ¦Shape`, "type interface Shape"],
  ["a type of a value", `import { unit } from "./shape.ts"; let s: typeof ¦unit`, "type variable unit"],
  ["a base", `import { Base } from "./shape.ts"; class C extends ¦Base {}`, "extend class Base"],
  [
    "an interface",
    `import { Shape } from "./shape.ts"; class C implements ¦Shape { area() { return 1 } }`,
    "extend interface Shape",
  ],
  ["a member of an enum", `import { Color } from "./shape.ts"; Color.¦Red`, "value enum Color"],
  ["a tag", "import { draw } from './shape.ts'; ¦draw``", "call function draw"],
  ["a decorator", `import { draw } from "./shape.ts"; @¦draw class C {}`, "call function draw"],
  ["an accessor", `import { Base } from "./shape.ts"; new Base().¦size`, "value accessor Base.get size"],
  ["a private name", `class C { #own = 1; go() { this.¦#own } }`, "value field C.#own"],
  ["a name in brackets", `import { Base } from "./shape.ts"; new Base()[¦"size"]`, "value accessor Base.get size"],
  [
    "a name in the brackets of a type",
    `import { Base } from "./shape.ts"; let a: Base[¦"area"]`,
    "type method Base.area",
  ],
  // Aliases.
  ["an import through export *", `import { draw } from "./deeper.ts"; ¦draw(null!)`, "call function draw"],
  ["an import under another name", `import { paint } from "./barrel.ts"; ¦paint(null!)`, "call function draw"],
  ["an import through export * as", `import { shapes } from "./barrel.ts"; shapes.¦draw(null!)`, "call function draw"],
  ["a member of a namespace import", `import * as s from "./shape.ts"; s.¦unit`, "value variable unit"],
  ["a default import", `import run from "./shape.ts"; ¦run()`, "call function main"],
  ["a type import", `import type { Shape } from "./shape.ts"; let s: ¦Shape`, "type interface Shape"],
  ["an import x = require", `a.cts\nimport s = require("./shape.ts"); s.¦unit`, "value variable unit"],
  ["an import type", `let s: import("./shape.ts").¦Shape`, "type interface Shape"],
  ["a typeof import", `let s: (typeof import("./shape.ts"))[¦"unit"]`, "type variable unit"],
  [
    "a name in an export list",
    `import { draw } from "./shape.ts"; export { ¦draw }`,
    "re-export export {}; re-export function draw",
  ],
  [
    "a name in an export from",
    `export { ¦draw } from "./shape.ts"`,
    "re-export export ./shape.ts; re-export function draw",
  ],
  ["an import that cannot be resolved has no reference", `import { nothing } from "./shape.ts"; ¦nothing()`, ""],
  [
    "a type import leaves the value of its name to the library",
    `import { Symbol } from "./global.ts"; let a: Symbol; Symbol.iterator; ¦Symbol.iterator`,
    "",
  ],
  [
    "a second use of an imported type",
    `import { Symbol } from "./global.ts"; Symbol.iterator; let a: Symbol; let b: ¦Symbol`,
    "type interface Symbol",
  ],
  [
    "a local variable hides an import of the same name",
    `import { unit } from "./shape.ts"; unit; for (const unit of []) { ¦unit }`,
    "value statement `for (const unit of []) { unit }`",
  ],
  // Names whose meaning follows from others, or that cannot be resolved.
  [
    "a second use after a shorthand property",
    `import { draw } from "./shape.ts"; ({ draw }); ¦draw(null!)`,
    "call function draw",
  ],
  ["a second use of a file's variable", "const one = 1; function f() { one; ¦one }", "value variable one"],
  [
    "a file's variable that an inner scope also declares",
    "const one = 1; function f() { one; for (const one of [1]) one; ¦one }",
    "value variable one",
  ],
  ["a file's class as a type", "export class C {} let c: ¦C", "type class C"],
  [
    "a global class that conflicts with another declaration refers to the other",
    "declare class Clash {} declare let c: ¦Clash",
    "type interface Clash; type variable Clash",
  ],
  [
    "a file's type leaves the value of its name to the library",
    "export interface Symbol { own: 1 } let a: Symbol; ¦Symbol.iterator",
    "",
  ],
  [
    "the inner name of a nested namespace is not in the file's scope",
    "namespace Outer.Inner { export const one = 1 } ¦Inner",
    "",
  ],
  [
    "a name in an import's attributes is not in the file's scope",
    `import { unit } from "./shape.ts" with { ¦type: "text" }; export const type = 1; type`,
    "",
  ],
  [
    "a global name, beside a file that declares it itself",
    `export {}; let a: ¦Event2; declare global { interface Event2 { at: 1 } }`,
    "type interface global.Event2",
  ],
  [
    "a block-scoped variable in a function refers to the function",
    "const one = 1; function f() { one; { const one = 2; ¦one } }",
    "value function f",
  ],
  [
    "a type parameter of a function refers to the function",
    "interface T {} let a: T; function f<T>(t: ¦T) {}",
    "type function f",
  ],
  ["a type parameter of a class refers to the class", "class C<T> { go(t: ¦T) {} }", "type class C"],
  [
    "a type parameter of an interface that merges with a class",
    "class C<T> { own?: T } interface C<T> { one: ¦T }",
    "type class C; type interface C",
  ],
  ["a second use of an enum's member", `import { Color } from "./shape.ts"; Color.Red; Color.¦Red`, "value enum Color"],
  [
    "a member with another owner of the same name",
    `import { Color } from "./shape.ts"; Color.Red; function f(Color: { Red: 1 }) { Color.¦Red }`,
    "value function f",
  ],
  ["a member of an unresolved name has no reference", `import { nothing } from "./shape.ts"; nothing(1).¦size`, ""],
  [
    "a name in a namespace that merges with another",
    "const unit = 1; unit; namespace A { export const unit = 2 } namespace A { ¦unit }",
    "value variable A.unit",
  ],
  // Contextual types.
  ["a shorthand property", `import { unit } from "./shape.ts"; const o = { ¦unit }`, "value variable unit"],
  ["an argument", `import { draw } from "./shape.ts"; draw(¦{ area: () => 1 })`, "shape interface Shape"],
  [
    "a property of an argument",
    `import { draw } from "./shape.ts"; draw({ ¦area() { return 1 } })`,
    "shape interface Shape",
  ],
  ["a part of a union", `import { draw } from "./shape.ts"; draw(null!, ¦{ deep: true })`, "shape type Options"],
  [
    "a value with a type",
    `import type { Shape } from "./shape.ts"; const s: Shape = { ¦area: () => 1 }`,
    "shape interface Shape",
  ],
  [
    "a result",
    `import type { Shape } from "./shape.ts"; const s = (): Shape => ({ ¦area: () => 1 })`,
    "shape interface Shape",
  ],
  [
    "an element",
    `import type { Shape } from "./shape.ts"; const s: Shape[] = [{ ¦area: () => 1 }]`,
    "shape interface Shape",
  ],
  [
    "a function that is passed",
    `import type { Listener } from "./shape.ts"; const l: Listener = ¦(event) => {}`,
    "shape type Listener",
  ],
  [
    "a function with annotated parameters has no contextual type",
    `import type { Listener } from "./shape.ts"; const l: Listener = ¦() => {}`,
    "",
  ],
  ["a pattern", `import type { Shape } from "./shape.ts"; function f({ ¦area }: Shape) {}`, "shape interface Shape"],
  [
    "a renamed part of a pattern",
    `import { draw } from "./shape.ts"; const { ¦size: s } = new (class { size = 1 })()`,
    "shape variable { size: s }",
  ],
  ["a value without a type", `const o = ¦{ area: 1 }`, ""],
  [
    "attributes",
    `a.tsx\nimport { Shape } from "./shape.ts"; function View(props: Shape) {} <View ¦area={1} />`,
    "shape interface Shape",
  ],
  ["an element in JSX", `a.tsx\nfunction View() {} const v = <¦View />`, "call function View"],
  // Overrides and implementations.
  [
    "an override",
    `import { Base } from "./shape.ts"; class C extends Base { ¦area() { return 2 } }`,
    "override method Base.area",
  ],
  [
    "an implemented member",
    `import { Shape } from "./shape.ts"; class C implements Shape { ¦area() { return 2 } }`,
    "override interface Shape",
  ],
  [
    "a member of an extended interface",
    `import { Shape } from "./shape.ts"; interface S extends Shape { ¦name: "s" }`,
    "override interface Shape",
  ],
  // Several declarations of one symbol.
  ["merged interfaces", `interface A { a: 1 }\ninterface ¦A { b: 2 }`, "merge interface A; merge interface A#2"],
  ["a class and a namespace", `class A {}\nnamespace ¦A { export const b = 1 }`, "merge class A; merge namespace A"],
  [
    "an augmented module",
    `import "./shape.ts"; declare module "./shape.ts" { interface ¦Shape { more: 1 } }`,
    `merge interface "./shape.ts".Shape; merge interface Shape`,
  ],
  // Parameters and local variables refer to their own block.
  ["a parameter", `function f(value: number) { return ¦value }`, "value function f"],
  ["a local variable", `function f() { const value = 1; return () => ¦value }`, "value function f"],
  [
    "a parameter's default sees the outer scope",
    `const value = 1; function f(a = ¦value) { const value = 2 }`,
    "value variable value",
  ],
  [
    "a decorator sees the outer scope",
    `function dec(a: any) { return a } class C { @dec(¦other) go(other: any) {} }\nconst other = 1;`,
    "value variable other",
  ],
  [
    "a name after a dot is no variable",
    `import { Base } from "./shape.ts"; function f(area: number) { new Base().¦area() }`,
    "call method Base.area",
  ],
  [
    "a declaration in a group of tests is a block",
    `describe("x", () => {\n  const made = 1;\n  it("y", () => { ¦made });\n});\ndeclare var describe: any, it: any;`,
    `value variable describe("x") > made`,
  ],
  // JavaScript.
  [
    "a CommonJS import",
    `a.cjs\nconst { unit } = require("./shape.ts"); ¦unit`,
    "import variable { unit }; value variable unit",
  ],
  ["a type in a comment", `a.js\n/** @type {import("./shape.ts").¦Shape} */ let s;`, "type interface Shape"],
  [
    "a type from a comment",
    `a.js\n/** @param {import("./shape.ts").Shape} s */ function f(s) { s.¦area() }`,
    "call interface Shape",
  ],
];

describe("TypeScriptReferences resolves", () => {
  let source: TypeScriptSource;
  let last = "";

  beforeAll(async () => {
    const texts = new Map(Object.entries({ ...common, "tsconfig.json": config }));
    source = await TypeScriptSource.open({
      ...{ root: "/tree", paths: [...texts.keys()], files: filesOfTree("/tree", texts) },
      readText: async (path) => texts.get(path),
    });
  });
  afterAll(() => source[Symbol.asyncDispose]());

  /**
   * The roles of all references at the mark, each with its target block, without the name's own
   * import.
   */
  async function refersTo(marked: string): Promise<string> {
    const [, name = "a.ts", rest = marked] = /^(a\.\w+)\n(.*)$/s.exec(marked) ?? [];
    const offset = rest.indexOf("¦");
    const texts = { ...common, [name]: rest.replace("¦", "") };
    const gone = last === "" || last === name ? [] : [[last, undefined] as const];
    last = name;
    await source.update(new Map([...gone, [name, texts[name]]]));
    const [found] = await source.referencesOf([name]);
    await expectAlone(name, texts[name]!, { offset, found: found! });
    const all = found!.references.flatMap(({ start, role, targetPath, targetStart }) => {
      const text = texts[targetPath]!;
      const kind = targetPath.endsWith("x") ? "tsx" : targetPath.includes("js") ? "js" : "ts";
      const tree = tryScriptTree(parseScriptTree, { path: targetPath, text, kind })!;
      const block = blockFinder(scriptBlocks(targetPath, text, tree))(targetStart);
      const isOwnImport = role === "import" && targetPath === name && block?.kind === "import";
      return start === offset && block !== undefined && !isOwnImport ? [`${role} ${block.kind} ${block.name}`] : [];
    });
    return [...new Set(all)].sort().join("; ");
  }

  /** The references by the name at an offset are the same when only this name is requested. */
  async function expectAlone(
    path: string,
    text: string,
    resolved: { offset: number; found: FileReferences },
  ): Promise<void> {
    const [, expected] = /^["']?(#?[\w$]+)/.exec(text.slice(resolved.offset)) ?? [];
    if (expected === undefined) return;
    const [alone] = await source.referencesOf([path], { onlyNames: new Set([expected]) });
    const here = ({ references }: FileReferences) =>
      references.filter(({ start, role }) => start === resolved.offset && role !== "shape");
    expect(here(alone!)).toEqual(here(resolved.found));
  }

  it.each(cases)("%s", async (_what, marked, expected) => {
    expect(await refersTo(marked)).toBe(expected);
  });

  it("with `onlyNames`, only references by these names and by imports of them under other names are returned", async () => {
    const text = `import { draw as paint, unit, Base } from "./shape.ts";
paint(null!, { deep: true }); unit; new Base().area();`;
    await source.update(new Map([["some.ts", text]]));
    const words = async (...onlyNames: readonly string[]) => {
      const [found] = await source.referencesOf(["some.ts"], { onlyNames: new Set(onlyNames) });
      return [...new Set(found!.references.map(({ start, role }) => `${role} ${/^\w+/.exec(text.slice(start))}`))];
    };
    expect(await words("draw")).toEqual(["import draw", "import paint", "call paint"]);
    expect(await words("area")).toEqual(["call area"]);
    expect(await words("deep")).toEqual(["shape null", "shape deep"]);
    expect(await words("nobody")).toEqual([]);
  });

  it("the module specifiers of a file are returned with the files that they resolve to", async () => {
    const text = `import a from "./shape.ts"; export * from "./barrel.ts"; import("./deeper"); require("./gone"); let t: import("lib").T`;
    await source.update(new Map([["modules.ts", text]]));
    const [found] = await source.referencesOf(["modules.ts"]);
    expect(found!.modules?.map(({ specifier, path = "nowhere" }) => `${specifier} ${path}`)).toEqual([
      "./shape.ts shape.ts",
      "./barrel.ts barrel.ts",
      "./deeper deeper.ts",
      "./gone nowhere",
      "lib nowhere",
    ]);
  });
});
