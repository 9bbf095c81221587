import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { languageOf } from "../../languages/index.ts";
import { openSyntax } from "../../syntax/node/open-syntax.ts";
import { DependencyGraph } from "./dependency-graph.ts";
import { NameReferences } from "./name-references.ts";
import type { FileReferences } from "./reference.ts";
import { treeBlocks } from "./tree-blocks.ts";

const syntax = openSyntax();
beforeAll(async () => {
  for (const language of ["python", "csharp", "java", "go", "rust"]) await syntax.load(language);
});
afterAll(() => {
  expect(syntax.openTrees).toBe(0);
  syntax[Symbol.dispose]();
});

/** The files of a workspace: each begins with a line `== path`, which is optional for the first. */
function filesIn(workspace: string, first: string): Map<string, string> {
  const parts = workspace.split(/^== (\S+)\n/m);
  const files = new Map<string, string>();
  if (parts[0]!.trim() !== "") files.set(first, parts[0]!);
  for (let at = 1; at < parts.length; at += 2) files.set(parts[at]!, parts[at + 1]!);
  return files;
}

function blocksOf(path: string, text: string) {
  const tree = syntax.tryParse({ language: languageOf(path).id, text })!;
  try {
    return treeBlocks(path, tree);
  } finally {
    tree[Symbol.dispose]();
  }
}

/** Reads a text for `names` before it is set. */
async function prepare(names: NameReferences, path: string, text: string): Promise<void> {
  const tree = syntax.tryParse({ language: languageOf(path).id, text })!;
  try {
    await names.prepare(path, { tree, blocks: treeBlocks(path, tree) });
  } finally {
    tree[Symbol.dispose]();
  }
}

async function referencesOf(files: ReadonlyMap<string, string>): Promise<readonly FileReferences[]> {
  const names = new NameReferences({ syntax });
  await names.update(files);
  const found = await names.referencesOf([...files.keys()]);
  await names[Symbol.asyncDispose]();
  return found;
}

/** The edges of a workspace except `child-of`, each as `from relation to`. */
async function edgesOf(workspace: string, first: string): Promise<string[]> {
  const files = filesIn(workspace, first);
  const references = await referencesOf(files);
  const graph = new DependencyGraph();
  graph.update(
    [...files].map(([path, text], at) => ({ path, blocks: blocksOf(path, text), references: references[at]! })),
  );
  const nameOf = (id: string) => id.slice(id.indexOf(":") + 1);
  return [...files.keys()]
    .flatMap((path) => graph.blocksOf(path))
    .flatMap((block) => graph.dependenciesOf(`${block.path}|${block.kind}:${block.name}`))
    .filter(({ relation }) => relation !== "child-of" && relation !== "constructs")
    .map(({ from, relation, to }) => `${nameOf(from)} ${relation} ${nameOf(to)}`);
}

type Case = readonly [title: string, workspace: string, ...edges: readonly string[]];

const python: readonly Case[] = [
  ["a call", "def f(): g()\ndef g(): pass", "f calls g"],
  ["a local of the same name", "def g(): pass\ndef f(g):\n  h = 1\n  return g + h\ndef h(): pass"],
  [
    "a parameter's default, a decorator, an f-string",
    'V = 1\ndef d(x): pass\n@d\ndef f(a=V): return f"{V}"',
    "f calls d",
    "f uses V",
  ],
  [
    "imports, with an alias, from a package that hands on",
    "from .p import g as h\ndef f(): h()\n== p/__init__.py\nfrom .q import g\n== p/q.py\ndef g(): pass",
    ...[".p imports g", "f imports .p", "f calls g", ".q imports g"],
  ],
  ["all names of a module", "from b import *\ndef f(): g()\n== b.py\ndef g(): pass", "f calls g"],
  [
    "a module as a value, deep in a package",
    "import p.q as z\nimport p.q\ndef f(): z.g()\ndef h(): p.q.g()\n== p/__init__.py\n\n== p/q.py\ndef g(): pass",
    ...["f imports p.q", "f calls g", "h imports p.q#2", "h calls g"],
  ],
  [
    "a relative import from above",
    "== p/a/b.py\nfrom ..c import g\ndef f(): g()\n== p/c.py\ndef g(): pass",
    "..c imports g",
    "f imports ..c",
    "f calls g",
  ],
  [
    "a library of the same member names",
    "import lib\ndef f(): lib.only()\n== b.py\nclass A:\n  def only(self): pass",
    "f imports lib",
  ],
  [
    "self and super, overriding",
    "class A:\n  def m(self): self.n()\n  def n(self): pass\nclass B(A):\n  def m(self): super().m()",
    ...["A.m calls A.n", "B derives-from A", "B.m overrides A.m", "B.m calls A.m"],
  ],
  [
    "what a base class leaves to those below",
    "class A:\n  def m(self): return self.ext\nclass B(A):\n  ext = 1",
    ...["A.m uses B.ext", "B derives-from A"],
  ],
  [
    "an instance that is made, and its constructor",
    "class A:\n  def __init__(self, x): self.x = x\n  def m(self): pass\ndef f():\n  a = A(1)\n  a.m()\n  return a.x",
    ...["f instantiates A", "f instantiates A.__init__", "f calls A.m", "f uses A.x"],
  ],
  [
    "a constructor of the base",
    "class A:\n  def __init__(self, x): pass\nclass B(A): pass\nB(1)",
    ...["B derives-from A", "`B(1)` instantiates B", "`B(1)` instantiates A.__init__"],
  ],
  [
    "types that are written: parameters, containers, results, attributes",
    "class A:\n  def m(self): pass\nclass C:\n  a: 'A'\n  def g(self) -> A: pass\ndef f(x: list[A], c: C):\n  for one in x: one.m()\n  c.a.m()\n  c.g().m()",
    ...[
      "C.a uses-type A",
      "C.g uses-type A",
      "f uses-type A",
      "f uses-type C",
      "f calls A.m",
      "f uses C.a",
      "f calls C.g",
    ],
  ],
  [
    "what a function returns without onlyNames so",
    "class A:\n  def m(self): pass\ndef g(): return A()\ndef f(): g().m()",
    "g instantiates A",
    "f calls g",
    "f calls A.m",
  ],
  [
    "an object of unknown type, by its member",
    "class A:\n  def measure(self, x): pass\ndef f(o): o.measure(1)",
    "f calls A.measure",
  ],
  ["... not with other arguments", "class A:\n  def measure(self, x): pass\ndef f(o): o.measure()"],
  ["... not by a name that lists and texts have", "class A:\n  def append(self, x): pass\ndef f(o): o.append(1)"],
  [
    "... not by one that many classes have",
    `${["A", "B", "C", "D"].map((name) => `class ${name}:\n  def measure(self): pass`).join("\n")}\ndef f(o): o.measure()`,
  ],
  [
    "a local that is called is an object with `__call__`",
    "class A:\n  def __call__(self, x, y): pass\nclass B:\n  def __call__(self, x): pass\ndef f(w): w(1, 2)",
    "f calls A.__call__",
  ],
  ["a function under another name", "def g(): pass\ndef f():\n  h = g\n  h()", "f uses g", "f calls g"],
  [
    "a property is used, not called",
    "class A:\n  @property\n  def p(self): pass\ndef f(a: A): a.p",
    "f uses-type A",
    "f uses A.get p",
  ],
  [
    "a dictionary, from who makes it to who takes from it",
    'def make():\n  d = {"k": 1}\n  hand(d)\ndef hand(d):\n  d.pop("other", 0)\n  take(d)\ndef take(d): return d["k"]',
    ...["make calls hand", "make satisfies take", "hand calls take"],
  ],
  ["a comprehension's variable is its own", "x = 1\ndef f(l): return [x for x in l]"],
  ["a global that is written", "n = 0\ndef f():\n  global n\n  n = 1", "f uses n"],
];

const csharp: readonly Case[] = [
  [
    "members without `this`, inherited ones too",
    "class A { protected int x; void M() { N(); x = 1; } void N() {} } class B : A { void P() { x = 2; this.x = 3; } }",
    ...["A.M calls A.N", "A.M uses A.x", "B derives-from A", "B.P uses A.x"],
  ],
  [
    "constructors by their arguments, and those of the base",
    "class A { public A(int a) {} public A(int a, int b) : this(a) {} } class B : A { public B() : base(1, 2) {} void M() { new A(1); } }",
    ...["A.A#2 calls A.A", "B derives-from A", "B.B calls A.A#2", "B.M instantiates A", "B.M instantiates A.A"],
  ],
  [
    "interfaces that are implemented",
    "interface I { void M(int a); } class A : I { public void M(int a) {} } class C { I i; void N() { i.M(1); i?.M(2); } }",
    ...["A derives-from I", "A.M overrides I.M", "C.i uses-type I", "C.N uses C.i", "C.N calls I.M"],
  ],
  [
    "overloads by their number of arguments",
    "class A { void M(int a) {} void M(int a, int b) {} void N() { M(1, 2); } }",
    "A.N calls A.M#2",
  ],
  [
    "parts of a class in two files",
    "namespace N { partial class A { void M() { P(); } } }\n== b.cs\nnamespace N; partial class A { void P() {} }",
    ...["A merges-with A", "A.M calls A.P", "A merges-with A"],
  ],
  [
    "a type of two namespaces: the one that is used",
    "using X; class C { T t; }\n== x.cs\nnamespace X; class T {}\n== y.cs\nnamespace Y; class T {}",
    "C.t uses-type T",
  ],
  [
    "extension methods",
    "static class E { public static int Twice(this string s, int n) => 1; } class C { void M(string s) { s.Twice(1); s.Twice(); } }",
    "C.M calls E.Twice",
  ],
  [
    "generics: arguments, lambdas, what is waited for",
    "class T { public int V { get; } } class C { List<T> l; Task<T> G() => null; async void M() { l.Where(x => x.V > 0); (await G()).V.ToString(); } }",
    ...["C.l uses-type T", "C.G uses-type T", "C.M uses C.l", "C.M uses T.V", "C.M calls C.G"],
  ],
  [
    "object initialisers and patterns",
    "class T { public int V { get; set; } } class C { void M(object o) { new T { V = 1 }; if (o is T t) t.V = 2; } }",
    ...["C.M instantiates T", "C.M uses T.V", "C.M uses-type T"],
  ],
  [
    "attributes",
    "class MarkAttribute : System.Attribute {} [Mark] class C { [Mark] void M() {} }",
    "C uses-type MarkAttribute",
    "C.M uses-type MarkAttribute",
  ],
  ["a local of a member's name", "class A { int x; void M(int x) { x = 1; } }"],
  ["enums", "enum E { P, Q } class C { E M() => E.P; }", "C.M uses-type E", "C.M uses E"],
];

const others: readonly Case[] = [
  [
    "Java, by names",
    "class A { void m() { n(); new B().only(); } void n() {} }\n== B.java\nclass B { void only() {} }",
    ...["A.m calls A.n", "A.m instantiates B", "A.m calls B.only"],
  ],
  [
    "Java, a member of an imported class",
    "import b.B;\nclass A { void m() { B.only(); } }\n== b/B.java\npackage b;\nclass B { static void only() {} }",
    ...["A.m calls B.only", "A.m uses B", "b.B uses B", "b.B uses b"],
  ],
  ["Go, across files", "package p\nfunc f() { g() }\n== b.go\npackage p\nfunc g() {}", "f calls g"],
  [
    "Go, across packages",
    'package p\nimport "a.b/c/money"\nfunc f(m money.Money) { money.Print(m); m.Show() }\n== money/m.go\npackage money\ntype Money struct{}\nfunc Print(m Money) {}\nfunc Show() {}',
    ...["f uses money", "f uses-type Money", "f calls Print", "Print uses-type Money"],
  ],
  [
    "Go, by the other name of an import",
    'package p\nimport cash "a.b/c/money"\nvar a = cash.Rate\nvar b = other.Rate\n== money/m.go\npackage money\nconst Rate = 2',
    "a uses Rate",
  ],
  [
    "Rust, by paths",
    "use crate::money;\nfn f() { money::print(); crate::cash::count(); A::new(); }\n== money.rs\npub fn print() {}\n== cash.rs\npub fn count() {}\npub struct A;\nimpl A { pub fn new() {} }",
    ...["f calls print", "f calls count", "f uses A", "f calls A.new", "`impl A {` uses-type A"],
  ],
];

describe.each([
  ["Python", "a.py", python],
  ["C#", "a.cs", csharp],
  ["Java", "A.java", others.slice(0, 2)],
  ["Go", "a.go", others.slice(2, 5)],
  ["Rust", "a.rs", others.slice(5)],
])("references in %s", (_, first, cases) => {
  test.each(cases)("NameReferences resolves %s", async (_title, workspace, ...edges) => {
    expect((await edgesOf(workspace, first)).sort()).toEqual([...edges].sort());
  });
});

test("NameReferences returns what can be read of text with syntax errors and of unknown files", async () => {
  expect(await edgesOf("def f():\n  g()\ndef g(): pass\ndef h(", "a.py")).toContain("f calls g");
  const names = new NameReferences({ syntax });
  expect(await names.referencesOf(["none.py", "a.txt"])).toMatchObject([
    { path: "none.py", references: [], precision: "names" },
    { path: "a.txt", references: [], precision: "names" },
  ]);
  await names[Symbol.asyncDispose]();
});

test("NameReferences ends for classes that derive from each other and modules that import each other", async () => {
  const python =
    "from b import *\nclass A(B):\n  def m(self): self.n(); self.none()\n== b.py\nfrom a import *\nclass B(A): pass";
  expect(await edgesOf(python, "a.py")).toContain("A derives-from B");
  const nested = "class X : Y { class T {} T t; } class Y : X { class T {} } class Z { T t; class T {} }";
  expect(await edgesOf(nested, "a.cs")).toContain("X.t uses-type X.T");
});

test("NameReferences reads files that were never updated when they are requested", async () => {
  const names = new NameReferences({
    syntax,
    paths: ["a.py", "b.py"],
    readText: async (path) => (path === "a.py" ? "from b import g\ng()" : "def g(): pass"),
  });
  const [found] = await names.referencesOf(["a.py"]);
  expect(found!.references.map(({ role, targetPath }) => `${role} ${targetPath}`)).toEqual([
    "import b.py",
    "import a.py",
    "call b.py",
  ]);
  await names[Symbol.asyncDispose]();
});

test.each([0, 1])("NameReferences reads after an abort what it left unread, at step %i", async (step) => {
  const controller = new AbortController();
  let steps = 0;
  const names = new NameReferences({
    syntax,
    paths: ["a.py", "b.py"],
    readText: async (path) => (path === "a.py" ? "from b import g\ng()" : "def g(): pass"),
    yieldThread: async () => {
      if (steps++ === step) controller.abort(new Error("stopped"));
    },
  });
  const texts = new Map([["b.py", "def g(): pass\n"]]);
  await expect(names.update(texts, { signal: controller.signal })).rejects.toThrow("stopped");
  const [found] = await names.referencesOf(["a.py"]);
  expect(found!.references.map(({ role, targetPath }) => `${role} ${targetPath}`)).toContain("call b.py");
  await names[Symbol.asyncDispose]();
});

test("law: after any updates NameReferences answers like one with the last texts alone", async () => {
  const line = fc.constantFrom(
    ...[
      "from b import *",
      "from .a import A",
      "import c",
      "class A(B):\n  def m(self, x): self.n()",
      "def f(o): o.m(1)",
    ],
    ...[
      "class B:\n  def n(self): pass\n  def m(self, x): pass",
      "def g(): return A()",
      "g().m(2)",
      "c.f(A())",
      "x = g",
    ],
  );
  const text = fc.option(
    fc.array(line, { maxLength: 4 }).map((lines) => lines.join("\n")),
    { nil: undefined },
  );
  const paths = ["a.py", "b.py", "c.py"];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom(...paths), text, text), { maxLength: 8 }), async (updates) => {
      const names = new NameReferences({ syntax });
      const last = new Map<string, string | undefined>();
      for (const [path, one, read] of updates) {
        if (read !== undefined) await prepare(names, path, read);
        await names.update(new Map([[path, one]]));
        await names.referencesOf(paths);
        last.delete(path);
        last.set(path, one);
      }
      const fresh = new NameReferences({ syntax });
      await fresh.update(last);
      expect(await names.referencesOf(paths)).toEqual(await fresh.referencesOf(paths));
    }),
    { numRuns: 40, seed: 1 },
  );
});

test("NameReferences parses a text once where a change is laid over it, removed and applied", async () => {
  const parsed: string[] = [];
  const tryParseInSlices: typeof syntax.tryParseInSlices = (document) => {
    parsed.push(document.text);
    return syntax.tryParseInSlices(document);
  };
  const names = new NameReferences({ syntax: { load: (id) => syntax.load(id), tryParseInSlices } });
  const [before, after] = ["def f(): pass\n", "def f(): g()\ndef g(): pass\n"];
  const found: unknown[] = [];
  for (const text of [before, after, before, after, undefined, after]) {
    await names.update(new Map([["a.py", text]]));
    found.push((await names.referencesOf(["a.py"]))[0]!.references.length);
  }
  expect(found).toEqual([0, 1, 0, 1, 0, 1]);
  expect(parsed).toEqual([before, after]);
  await names[Symbol.asyncDispose]();
});

test("NameReferences does not parse a text that it read before", async () => {
  const files = new Map([
    ["a.go", "package a\n\nfunc F() { G() }\n"],
    ["b.go", "package a\n\nfunc G() {}\n"],
    ["c.py", "def f(): pass\n"],
  ]);
  const names = new NameReferences({
    syntax: { load: (id) => syntax.load(id), tryParseInSlices: () => Promise.reject(new Error("parsed again")) },
    paths: [...files.keys()],
    readText: async (path) => files.get(path),
  });
  for (const [path, text] of files) await prepare(names, path, text);
  const found = await names.referencesOf([...files.keys()]);
  expect(found).toEqual(await referencesOf(files));
  expect(found[0]!.references.map(({ role, targetPath }) => `${role} ${targetPath}`)).toEqual(["call b.go"]);
  await names[Symbol.asyncDispose]();
});
