import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseScriptTree } from "../../names/node/parse-script-tree.ts";
import { tryScriptTree } from "../../names/script-node.ts";
import { DependencyGraph, type GraphFile } from "./dependency-graph.ts";
import type { Reference, ReferenceRole } from "./reference.ts";
import { scriptBlocks } from "./script-blocks.ts";

/**
 * The marked places of all files by name: `¦a¦` is removed from the text and marks the place `a`.
 */
type Places = ReadonlyMap<string, { readonly path: string; readonly offset: number }>;

/**
 * Files with references between marked places, each written as `from role to`. A reference belongs
 * to the file of its first mark.
 */
function files(marked: Readonly<Record<string, string>>, references: readonly string[]): GraphFile[] {
  const places = new Map<string, { readonly path: string; readonly offset: number }>();
  const texts = Object.entries(marked).map(([path, text]) => {
    const [first, ...rest] = text.split("¦");
    let plain = first!;
    for (let i = 0; i < rest.length; i += 2) {
      places.set(rest[i]!, { path, offset: plain.length });
      plain += rest[i + 1]!;
    }
    return [path, plain] as const;
  });
  return texts.map(([path, text]) => ({
    path,
    blocks: scriptBlocks(path, text, tryScriptTree(parseScriptTree, { path, text, kind: "ts" })!),
    references: {
      ...{ path, unresolved: 0, precision: "types" },
      references: references.flatMap((one) => read(one, path, places)),
    },
  }));
}

function read(reference: string, path: string, places: Places): Reference[] {
  const [from, role, to] = reference.split(" ");
  const [source, target] = [places.get(from!)!, places.get(to!)!];
  if (source.path !== path) return [];
  return [{ start: source.offset, role: role as ReferenceRole, targetPath: target.path, targetStart: target.offset }];
}

function edgesOf(graph: DependencyGraph): string[] {
  return Array.from(graph.edges(), ({ from, relation, to, isInSignature }) => {
    return `${from} ${relation} ${to}${isInSignature ? " !" : ""}`;
  }).sort();
}

/**
 * Edges other than those from members to their owners; `!` marks those that come from a signature.
 */
const cases: readonly (readonly [
  what: string,
  texts: Record<string, string>,
  references: string[],
  edges: string[],
])[] = [
  [
    "a call from a body, and a type in a signature",
    { "a.ts": "function f(x: ¦t¦T) { ¦c¦g() }", "b.ts": "export function ¦g¦g() {}\nexport type ¦T¦T = 1" },
    ["c call g", "t type T"],
    ["a.ts|function:f calls b.ts|function:g", "a.ts|function:f uses-type b.ts|type:T !"],
  ],
  [
    "one edge for many names, which is one of the signature if any is",
    { "a.ts": "function f(x: ¦p¦T) { let y: ¦q¦T }", "b.ts": "export type ¦T¦T = 1" },
    ["q type T", "p type T"],
    ["a.ts|function:f uses-type b.ts|type:T !"],
  ],
  ["a name within its own block is no edge", { "a.ts": "function f(¦p¦p) { ¦u¦p }" }, ["u value p"], []],
  [
    "who makes an instance depends on the constructor, too",
    { "a.ts": "new ¦u¦C()", "b.ts": "export class ¦C¦C { constructor() {} }" },
    ["u instantiate C"],
    [
      "a.ts|statement:`new C()` instantiates b.ts|class:C !",
      "a.ts|statement:`new C()` instantiates b.ts|constructor:C.constructor !",
    ],
  ],
  [
    "a test also tests what it names",
    { "a.ts": `it("works", () => { ¦c¦f() })`, "b.ts": "export function ¦f¦f() {}" },
    ["c call f"],
    [`a.ts|test:it("works") calls b.ts|function:f !`, `a.ts|test:it("works") tests b.ts|function:f !`],
  ],
  [
    "an import that gives on imports, an export re-exports",
    { "a.ts": "import { ¦i¦f } from './b'; export { ¦x¦f }", "b.ts": "export function ¦f¦f() {}" },
    ["i import f", "x re-export f"],
    ["a.ts|export:{} re-exports b.ts|function:f !", "a.ts|import:./b imports b.ts|function:f !"],
  ],
  [
    "the innermost block is meant",
    { "a.ts": "class A { m() { ¦u¦g() } }", "b.ts": "export namespace N { export class B { ¦m¦m() {} } }" },
    ["u call m"],
    ["a.ts|method:A.m calls b.ts|method:N.B.m"],
  ],
];

describe("the edges of DependencyGraph", () => {
  it.each(cases)("%s", (_what, texts, references, edges) => {
    const graph = new DependencyGraph();
    graph.update(files(texts, references));
    expect(edgesOf(graph).filter((edge) => !/ (child-of|constructs) /.test(edge))).toEqual(edges);
  });

  it("lead from a member to the block around it, also when another block has the same name", () => {
    const graph = new DependencyGraph();
    graph.update(files({ "a.ts": "interface A {}\nclass A { constructor() {} m() {} }\nnamespace N { let x }" }, []));
    expect(edgesOf(graph)).toEqual([
      "a.ts|constructor:A.constructor constructs a.ts|class:A !",
      "a.ts|method:A.m child-of a.ts|class:A !",
      "a.ts|variable:N.x child-of a.ts|namespace:N !",
    ]);
  });

  it("are returned from both ends, and dependentFiles lists the files that depend on a file", () => {
    const graph = new DependencyGraph();
    graph.update(
      files({ "a.ts": "¦u¦f()", "b.ts": "export function ¦f¦f() {}", "c.ts": "¦v¦f()" }, ["u call f", "v call f"]),
    );
    expect(Array.from(graph.dependentsOf("b.ts|function:f"), ({ from }) => from)).toEqual([
      "a.ts|statement:`f()`",
      "c.ts|statement:`f()`",
    ]);
    expect(graph.dependenciesOf("a.ts|statement:`f()`").map(({ to }) => to)).toEqual(["b.ts|function:f"]);
    expect([...graph.dependentFiles("b.ts")]).toEqual(["a.ts", "c.ts"]);
    expect(graph.size).toEqual({ files: 3, blocks: 3, edges: 2 });
  });
});

describe("updates of DependencyGraph", () => {
  const texts = {
    "a.ts": "import { ¦i¦f } from './b'; export function ¦a¦a(x: ¦t¦T) { ¦u¦f() }",
    "b.ts": "export class ¦B¦B { ¦m¦m() { ¦v¦a() } }\nexport function ¦f¦f() { new ¦n¦B() }",
    "c.ts": "export type ¦T¦T = ¦w¦B\nclass C extends ¦e¦B { ¦o¦m() {} }",
  };
  const all = [
    "i import f",
    "t type T",
    "u call f",
    "v call a",
    "n instantiate B",
    "w type B",
    "e extend B",
    "o override m",
  ];

  it("result in the same graph in any order and grouping, also when repeated", () => {
    const whole = new DependencyGraph();
    whole.update(files(texts, all));
    const parts = fc
      .array(fc.constantFrom(...Object.keys(texts)), { maxLength: 4 })
      .chain((again) => fc.shuffledSubarray([...Object.keys(texts), ...again], { minLength: 3 + again.length }))
      .chain((paths) => fc.tuple(fc.constant(paths), fc.nat(paths.length)));
    fc.assert(
      fc.property(parts, ([paths, cut]) => {
        const graph = new DependencyGraph();
        const known = files(texts, all);
        for (const part of [paths.slice(0, cut), paths.slice(cut)]) {
          graph.update([...new Set(part)].map((path) => known.find((file) => file.path === path)!));
        }
        expect(edgesOf(graph)).toEqual(edgesOf(whole));
      }),
    );
  });

  it("remove the references that a file no longer has", () => {
    const graph = new DependencyGraph();
    graph.update(files(texts, all));
    graph.update(files(texts, []));
    expect(edgesOf(graph)).toEqual([
      "b.ts|method:B.m child-of b.ts|class:B !",
      "c.ts|method:C.m child-of c.ts|class:C !",
    ]);
  });

  it("keep edges into a removed file until the files that they come from are updated", () => {
    const graph = new DependencyGraph();
    graph.update(files(texts, all));
    graph.remove("b.ts");
    expect(graph.tryBlock("b.ts|function:f")).toBeUndefined();
    expect(Array.from(graph.dependentsOf("b.ts|function:f"), ({ from }) => from)).toEqual([
      "a.ts|import:./b",
      "a.ts|function:a",
    ]);
  });
});
