// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the cases are code.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { languageOf, scriptKindOf } from "../../languages/index.ts";
import { parseScriptTree } from "../../names/node/parse-script-tree.ts";
import { tryScriptTree } from "../../names/script-node.ts";
import { scriptBlocks } from "../graph/script-blocks.ts";
import { printAtomicChange } from "./atomic-change.ts";
import { classifyChanges, type FileState } from "./classify-changes.ts";

function stateOf(text: string, path = "a.ts"): FileState {
  const tree = tryScriptTree(parseScriptTree, { path, text, kind: scriptKindOf(languageOf(path), path)! });
  return { text, blocks: scriptBlocks(path, text, tree!) };
}

/** The changes of one file, each in a line. */
function changes(before: string, after: string): string[] {
  return classifyChanges([{ path: "a.ts", before: stateOf(before), after: stateOf(after) }]).map(printAtomicChange);
}

/** The changes of several files, written as path and text; both sides as objects. */
function changesOf(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): string[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const side = (texts: Readonly<Record<string, string>>, path: string) =>
    path in texts ? stateOf(texts[path]!, path) : undefined;
  return classifyChanges(
    paths.map((path) => {
      const [old, now] = [side(before, path), side(after, path)];
      return { path, ...(old && { before: old }), ...(now && { after: now }) };
    }),
  ).map(printAtomicChange);
}

type Case = readonly [before: string, after: string, ...changes: readonly string[]];

describe("classifyChanges", () => {
  const cases: readonly Case[] = [
    // Functions and methods.
    ["function f(a: 1) {}", "function f(a: 2) {}", "MMS f ~a"],
    ["function f(a: 1, b?: 2) {}", "function f(b?: 2, c = 3) {}", "MMS f -a +c"],
    ["function f({ a, b }: P) {}", "function f({ b, c }: P) {}", "MMS f -a +c"],
    ["function f(): 1 {}", "function f(): 2 {}", "MMS f"],
    ["function f() {}", "async function f() {}", "MMS f"],
    ["function f() {}", "export function f() {}", "MMS f"],
    ["function f() { return 1 }", "function f() { return 2 }", "MMB f escapes"],
    ["function f(a: 1) { return 1 }", "function f(a: 2) { return 2 }", "MMS f ~a", "MMB f escapes"],
    ["const f = (a) => a", "const f = (a) => -a", "MMB f escapes"],
    ["const f = (a) => a", "const f = (a, b) => a", "MMS f +b"],
    ["function f() {}", "const f = () => {}", "MMS f"],
    ["function f(a: 1): 1\nfunction f(a: 2): 2", "function f(a: 1): 1\nfunction f(a: 3): 2", "MMS f ~a"],
    ["function f(a: 1): 1\nfunction f(a: 2): 2", "function f(a: 1): 1", "MMS f ~a"],
    ["class A { m() {} }", "class A { m(a) {} n() {} }", "MMS A.m +a", "AM A.n"],
    [
      "class A { get a() { return 1 } }",
      "class A { get a(): 1 { return 1 } set a(_) {} }",
      "MMS A.get a",
      "AM A.set a +_",
    ],
    [
      "class A { constructor(a) { b() } }",
      "class A { constructor(private a) { c() } }",
      "MCC A.constructor ~a",
      "MMB A.constructor escapes",
    ],
    ["class A {}", "class A { constructor(a) {} }", "ACC A.constructor +a"],
    ["class A { constructor(a) {} }", "class A {}", "DCC A.constructor -a"],
    // Classes and fields.
    ["class A extends B {}", "class A extends C {}", "MC A"],
    ["class A { a = 1 }", "@d class A { a = 2; b = 1 }", "MC A", "MF A.a", "AF A.b"],
    ["class A { a: 1 = 1 }", "class A { a: 1 = 2 }", "MF A.a escapes"],
    ["class A { f = () => { b() } }", "class A { f = () => { c() } }", "MMB A.f escapes"],
    ["class A { a = 1; m() {} }\nimport 'x'", "import 'x'", "DC A", "DF A.a", "DM A.m"],
    ["import 'x'", "import 'x'\nclass A { a = 1 }", "AC A", "AF A.a"],
    // Types, enums, variables.
    ["interface A { a: 1; b(): 2 }", "interface A { a: 3; c: 4 }", "MT A -b +c ~a"],
    ["interface A extends B {}", "interface A extends C {}", "MT A"],
    ["interface A { a: 1 }", "type A = { a: 1 }", "MT A"],
    ["type A = 'a' | 'b'", "type A = 'a' | 'c'", "MT A -b +c"],
    ["enum A { B, C }", "enum A { B, C = 2, D }", "ME A +D ~C"],
    ["const a = { b: 1, c: 2 }", "const a = { b: 1, d: 2 }", "MV a -c +d"],
    ["const a: A = 1", "const a: A = 2", "MV a escapes"],
    ["const a: A = 1", "const a: B = 1", "MV a"],
    // Imports and exports.
    ["import { a, b } from 'x'", "import { b, c } from 'x'", "MI x -a +c"],
    ["import { a } from 'x'", "import { a as b } from 'x'", "MI x ~a"],
    ["import { a } from 'x'\nimport 'z'", "import { a } from 'y'\nimport 'z'", "MI y"],
    ["export * from 'x'", "export * from 'x'\nexport { a } from 'y'", "AX y +a"],
    ["export { a, b } from 'x'", "export { a } from 'x'", "MX x -b"],
    ["export default a", "export default b", "MX default"],
    ["export function f() {}\nexport {}", "function f() {}\nexport {}", "DX f -f", "MMS f"],
    ["enum A {}\nexport {}", "enum A {}\nexport { A }", "AX A +A", "MX {} +A"],
    ["function f() {}", "function f() {}\nexport {}", "AX {}"],
    // Tests and statements.
    [
      "describe('a', () => { it('b', () => { c() }) })",
      "describe('a', () => { it('b', () => { d() }) })",
      "MS describe('a') > it('b')",
    ],
    [
      "describe('a', () => { it('b', () => { c() }) })",
      "describe('A', () => { it('b', () => { c() }) })",
      "MS describe('A')",
    ],
    ["it('adds', () => { f(1, 2, 3) })", "it('sums', () => { f(1, 2, 3) })", "MS it('sums')"],
    ["start(1)", "start(2)", "MS `start(2)`"],
    // A second block of a name is distinguished from the first by its text.
    ["it('a', () => 1)\nit('a', () => 2)", "it('a', () => 2)", "DS it('a')"],
    ["import 'x'\nimport a from 'x'", "import a from 'x'", "DI x"],
  ];
  test.each(cases)("%s  ⇒  %s", (before, after, ...expected) => {
    expect(changes(before, after)).toEqual(expected);
  });
});

describe("renames", () => {
  const cases: readonly Case[] = [
    ["function f() { return 1 }", "function g() { return 1 }", "RENAME g from f"],
    ["function f() { f(); return 1 }", "function g() { g(); return 1 }", "RENAME g from f"],
    ["function f() { f(); return 1 }", "function g() { f(); return 1 }", "RENAME g from f"],
    ["function f(a) { return h(a) }", "function g(a, b) { return h(a) }", "RENAME g from f", "MMS g +b"],
    ["interface A { a: 1; b: 2 }", "interface B { a: 1; b: 2 }", "RENAME B from A"],
    ["interface A { a: 1; b: 2 }", "type B = { c: 'd' | 'e', f: Map<1, 2> }", "AT B +c +f", "DT A -a -b"],
    [
      "class A { constructor() { x() } m() { return A.n } static n = 1 }",
      "class B { constructor() { x() } m() { return B.n } static n = 1 }",
      "RENAME B from A",
    ],
    ["class A { m() { return 1 } n = 1 }", "class A { o() { return 1 } n = 1 }", "RENAME A.o from A.m"],
    ["class A { get a() { return 1 } }", "class A { get b() { return 1 } }", "RENAME A.get b from A.get a"],
    // Small blocks are similar by chance: a neighbour has to agree too.
    ["const a = 1\nconst b = 2\nimport 'x'", "const c = 1\nconst b = 2\nimport 'x'", "RENAME c from a"],
    ["const a = 1\nf()\ng()", "f()\ng()\nconst b = 2", "DV a", "AV b"],
  ];
  test.each(cases)("%s  ⇒  %s", (before, after, ...expected) => {
    expect(changes(before, after).toSorted()).toEqual([...expected].toSorted());
  });

  test("a rename has the similarity of the two blocks without their names", () => {
    const [exact] = classifyChanges([
      { path: "a.ts", before: stateOf("function f() { return 1 }"), after: stateOf("function g() { return 1 }") },
    ]);
    expect(exact!.likeness).toBe(1);
    const [close] = classifyChanges([
      { path: "a.ts", before: stateOf("function f() { return 1 }"), after: stateOf("function g() { return 2 }") },
    ]);
    expect(close!.likeness).toBeCloseTo(7 / 8, 1);
  });
});

/**
 * The changes of a file that imports `f` and `T` from a file where they were renamed to `g` and
 * `U`.
 */
describe("blocks that take the new names of renamed blocks", () => {
  const cases: readonly Case[] = [
    ["function a() { return f() }", "function a() { return g() }", "MMB a local"],
    ["function a() { return f() }", "function a() { return 1 + g() }", "MMB a escapes"],
    ["function a(b: T) {}", "function a(b: U) {}", "MMS a ~b local"],
    ["function a(b: T) {}", "function a(b?: U) {}", "MMS a ~b"],
    ["const a = f", "const a = g", "MV a local"],
    ["const a: T = f()", "const a: U = g()", "MV a local", "MV a local"],
    ["const a = { f }", "const a = { g }", "MV a -f +g"],
    ["const a = { b: f }", "const a = { b: g }", "MV a ~b local"],
    ["class A extends T {}", "class A extends U {}", "MC A local"],
    ["class A { a: T = f() }", "class A { a: U = g() }", "MF A.a local", "MF A.a local"],
    ["interface A { a: T }", "interface A { a: U }", "MT A ~a local"],
    ["interface A { f: T }", "interface A { g: U }", "MT A -f +g"],
    ["type A = T[]", "type A = U[]", "MT A local"],
    ["run(f)", "run(g)", "MS `run(g)` local"],
    ["export { f } from 'x'", "export { g } from 'x'", "MX x -f +g"],
  ];
  const file = (one: string) => ({
    "x.ts": `export function ${one}() { return 1 }\nexport interface ${one === "f" ? "T" : "U"} { a: 1; b: 2 }`,
  });
  const renames = classifyChanges([
    { path: "x.ts", before: stateOf(file("f")["x.ts"], "x.ts"), after: stateOf(file("g")["x.ts"], "x.ts") },
  ]);
  test.each(cases)("%s  ⇒  %s", (before, after, ...expected) => {
    const together = changesOf({ "a.ts": before, ...file("f") }, { "a.ts": after, ...file("g") });
    expect(together).toEqual([...expected, "RENAME g from f", "RENAME U from T"]);
    const change = { path: "a.ts", before: stateOf(before), after: stateOf(after) };
    expect(classifyChanges([change], { earlier: renames }).map(printAtomicChange)).toEqual(expected);
    expect(classifyChanges([change]).map(printAtomicChange)).not.toContainEqual(expect.stringContaining("local"));
  });
});

describe("moves", () => {
  test("a function that is in another file afterwards is a MOVE", () => {
    const f = "export function f(a) { return h(a) + 1 }";
    expect(
      changesOf(
        { "a.ts": `${f}\nimport 'x'`, "b.ts": "import 'y'" },
        { "a.ts": "import 'x'", "b.ts": `import 'y'\n${f}` },
      ),
    ).toEqual(["MOVE f from a.ts"]);
  });
  test("a class that moves and changes has a MOVE and the changes of its members", () => {
    expect(
      changesOf(
        { "a.ts": "export class A { a = 1; m() { return 1 } }\nimport 'x'", "b.ts": "" },
        { "a.ts": "import 'x'", "b.ts": "export class A { a = 1; m() { return 2 } }" },
      ),
    ).toEqual(["MOVE A from a.ts", "MMB A.m escapes"]);
  });
  test("a renamed file is a MOVE of its blocks, and its changed imports are modifications", () => {
    expect(
      changesOf(
        { "a/b.ts": "import { x } from './x'\nexport const f = () => x(1)\nexport class C { m() {} }" },
        { "c/d.ts": "import { x } from '../a/x'\nexport const f = () => x(1)\nexport class C { m() {} }" },
      ),
    ).toEqual(["MI ../a/x", "MOVE f from a/b.ts", "MOVE C from a/b.ts"]);
  });
  test("a removed and an added file that differ too much are not paired", () => {
    expect(changesOf({ "a.ts": "export const f = () => x(1)" }, { "b.ts": "enum E { A, B, C, D }" })).toEqual([
      "DM f",
      "AE E +A +B +C +D",
    ]);
  });
  test("a copied function is an addition, not a move", () => {
    const f = "export function f(a) { return h(a) + 1 }";
    expect(changesOf({ "a.ts": f }, { "a.ts": f, "b.ts": f })).toEqual(["AM f +a"]);
  });
});

describe("formatting is no change", () => {
  const cases: readonly (readonly [before: string, after: string])[] = [
    ["function f(a, b) { return a + b }", "function f(\n  a,\n  b,\n) {\n  // sum\n  return a + b;\n}"],
    ["const a = ['b', \"it's\"]", 'const a = [\n  "b",\n  "it\\\'s",\n];'],
    ["interface A { a: 1; b: 2 }", "interface A {\n  a: 1\n  b: 2\n}"],
    ["interface A { a: 1, b: 2, }", "interface A {\n  a: 1;\n  /** b */\n  b: 2;\n}"],
    ["const f = a => a", "const f = (a) => a;"],
    ["import {a,b} from 'x'", 'import { a, b } from "x";'],
    ["a();[b].c()", "a()\n;[b].c()"],
    ["return_(); x()", "return_()\nx()"],
    ["class A { a = 1; b() {}; }", "class A {\n  a = 1\n\n  b() {}\n}"],
    ["type A = B | C", "type A =\n  | B\n  | C"],
    ["const f = () => a && b", "const f = () => (\n  a && b\n)"],
    ["function f() { return <a /> }", "function f() {\n  return (\n    <a />\n  )\n}"],
    ["declare module './a' { interface B {} }", 'declare module "./a" { interface B {} }'],
    ["describe('a', () => { it('b', c) })", 'describe("a", () => { it("b", c) })'],
    ["f(`a ${b} c`)", "f(\n  `a ${b} c`,\n)"],
    ["const a = <b c='d'>\n  e\n</b>", 'const a = <b c="d">e</b>'],
  ];
  test.each(cases)("%s  ≡  %s", (before, after) => {
    const path = "a.tsx";
    expect(classifyChanges([{ path, before: stateOf(before, path), after: stateOf(after, path) }])).toEqual([]);
  });

  const real: readonly (readonly [before: string, after: string])[] = [
    ["f(a, -b)", "f(a - b)"],
    ["f([a, (b)])", "f([a(b)])"],
    ["function f() { return a }", "function f() { return\na }"],
    ["function f() { if (a) return; b() }", "function f() { if (a) return b() }"],
    ["const a = [, b]", "const a = [b]"],
    ["const a = () => ({})", "const a = () => {}"],
    ["const a = (b + c) * d", "const a = b + c * d"],
    ["f((a, b))", "f(a, b)"],
    ["const a = 'b '", "const a = 'b'"],
    ["const a = b++ + c", "const a = b + ++c"],
    ["const a = '1'", "const a = 1"],
  ];
  test.each(real)("%s  ≢  %s", (before, after) => {
    expect(changes(before, after)).not.toEqual([]);
  });
});

describe("laws", () => {
  const pieces = [
    "import { a } from './x';\n",
    "export class A extends B {\n  #a = 1;\n  constructor(private b: C) {\n    super();\n  }\n  get c() {\n    return this.#a;\n  }\n  m(a: 1): 2 {\n    return a;\n  }\n}\n",
    "export interface I {\n  a: 1;\n  b(c: 2): 3;\n}\n",
    "enum E {\n  A,\n  B = 'b',\n}\n",
    "function f(a: 1): void;\nfunction f(a?: 2) {\n  for (let i = 0; i < 1; i++) {\n    if (a) return;\n    b({ a, c: [1, 2] });\n  }\n}\n",
    "const g = async (a) => {\n  await a;\n};\n",
    "describe('a', () => {\n  const b = 1;\n  it('c', () => {\n    expect(b).toBe(`${b}`);\n  });\n});\n",
    "run({ a: 1 }, 'b');\n",
  ];
  const texts = fc.uniqueArray(fc.constantFrom(...pieces), { minLength: 1 }).map((list) => list.join(""));

  test("a state has no changes against itself", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(changes(text, text)).toEqual([]);
      }),
    );
  });

  test("blank lines, deeper indentation, comments and semicolons are no change", () => {
    const spoil = fc.constantFrom<(text: string) => string>(
      (text) => text.replaceAll("\n", "\n\n"),
      (text) => text.replaceAll("\n", "\r\n"),
      (text) => text.replaceAll("\n  ", "\n\t\t"),
      (text) => text.replaceAll(/;\n/g, "\n"),
      (text) => text.replaceAll(/\n(?= *[a-z}])/g, "\n// said\n"),
      (text) => text.replaceAll("'", '"'),
    );
    fc.assert(
      fc.property(texts, spoil, (text, how) => {
        expect(changes(text, how(text))).toEqual([]);
      }),
    );
  });

  test("earlier classifications do not influence a later one: a body that uses a renamed function is only changed without the rename", () => {
    const file = { path: "a.ts", before: stateOf("function f() { g() }"), after: stateOf("function f() { h() }") };
    const other = {
      path: "b.ts",
      before: stateOf("export function g() {}", "b.ts"),
      after: stateOf("export function h() {}", "b.ts"),
    };
    const alone = () => classifyChanges([file]).map(printAtomicChange);
    const together = () => classifyChanges([file, other]).map(printAtomicChange);
    const first = [alone(), together()];
    expect(first[0]).toEqual(["MMB f escapes"]);
    expect(first[1]).toEqual(["MMB f local", "RENAME h from g"]);
    expect([alone(), together()]).toEqual(first);
  });

  test("the reverse change has the inverse labels", () => {
    const turned = (line: string) =>
      line
        .replace(/^[AD]/, (sign) => (sign === "A" ? "D" : "A"))
        .split(" ", 2)
        .join(" ");
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const there = changes(one, other).filter((line) => /^[AD]/.test(line));
        const back = changes(other, one).filter((line) => /^[AD]/.test(line));
        expect(back.map(turned).toSorted()).toEqual(there.map((line) => line.split(" ", 2).join(" ")).toSorted());
      }),
    );
  });
});
