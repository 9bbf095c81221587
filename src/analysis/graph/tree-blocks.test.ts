import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { languageOf } from "../../languages/index.ts";
import { openSyntax } from "../../syntax/node/open-syntax.ts";
import type { CodeBlock } from "./code-block.ts";
import { treeBlocks } from "./tree-blocks.ts";

const syntax = openSyntax();
afterAll(() => {
  expect(syntax.openTrees).toBe(0);
  syntax[Symbol.dispose]();
});

async function blocksOf(path: string, text: string): Promise<CodeBlock[]> {
  const tree = (await syntax.parse({ language: languageOf(path).id, text }))!;
  try {
    return treeBlocks(path, tree);
  } finally {
    tree[Symbol.dispose]();
  }
}

/** A block in one line: `kind name(parts)`, followed by `+` if other files can refer to it. */
function show({ kind, name, parts, isExported }: CodeBlock): string {
  const list = parts === undefined ? "" : `(${parts.map((part) => part.name).join(" ")})`;
  return `${kind} ${name}${list}${isExported ? "+" : ""}`;
}

/** A file's text, then its blocks. */
type Case = readonly [path: string, text: string, ...blocks: readonly string[]];

const python: readonly Case[] = [
  [
    "a.py",
    "import a, b as c\nfrom x.y import (d, e as f)\nfrom . import *",
    "import a(a b)",
    "import x.y(d e)",
    "import .(*)",
  ],
  ["p/__init__.py", "from .a import b", "import .a(b)+"],
  ["a.py", "'''Doc.'''\nA: int = 1\nB, C = 1, 2\nA += 1", "variable A+", "variable B,C(B C)+", "statement `A += 1`"],
  ["a.py", "def f(a, *b, c: int = 3, **k): pass", "function f(a b c k)+"],
  [
    "a.py",
    "@d\nclass A(B):\n  '''Doc.'''\n  x = 1\n  def __init__(self, y):\n    self.y = y\n    if y:\n      self.z: int = 1\n      self.x = 2\n  async def m(self): self.w = 1",
    ...[
      "class A+",
      "field A.x+",
      "constructor A.__init__(self y)+",
      "field A.y+",
      "field A.z+",
      "method A.m(self)+",
      "field A.w+",
    ],
  ],
  [
    "a.py",
    "class A:\n  @property\n  def p(self): pass\n  @p.setter\n  def p(self, v): pass\n  class B:\n    c = 1",
    ...["class A+", "accessor A.get p(self)+", "accessor A.set p(self v)+", "class A.B+", "field A.B.c+"],
  ],
  [
    "a.py",
    "if X:\n  import y\nelse:\n  y = None\nif __name__ == '__main__':\n  main()",
    ...["statement `if X:`", "import y(y)", "variable y+", "statement `if __name__ == '__main__': main()`"],
  ],
  [
    "test_a.py",
    "def test_b(): pass\ndef c(): pass\nclass TestD:\n  def test_e(self): pass\n  def f(self): pass",
    ...["test test_b", "function c+", "class TestD+", "test TestD.test_e(self)", "method TestD.f(self)+"],
  ],
  [
    "a.py",
    "def test_b(): pass\nclass T(unittest.TestCase):\n  def test_c(self): pass",
    ...["function test_b+", "class T+", "test T.test_c(self)"],
  ],
];

const csharp: readonly Case[] = [
  ["A.cs", "using System;\nusing static System.Math;\nusing X = Y;", "import System", "import System.Math", "import X"],
  ["A.cs", "namespace N.M;\nclass A {}", "namespace N.M+", "class A+"],
  ["A.cs", "namespace N.M { class A {} }", "namespace N.M+", "class A+"],
  [
    "A.cs",
    "public class A : B { int a = 1, b; public int C { get; set; } public int D => a; public A(int x) : base(x) {} ~A() {} " +
      "public static A operator +(A l, A r) => l; public int this[int i] => i; public event E F; }",
    ...["class A+", "field A.a,b(a b)", "accessor A.C+", "accessor A.D+", "constructor A.A(x)+", "method A.~A"],
    ...["method A.+(l r)+", "accessor A.this[]+", "field A.F+"],
  ],
  [
    "A.cs",
    "class A { public void M<T>(ref List<int> a, string[] b = null) {} internal int M() => 1; private void N() {} }",
    ...["class A+", "method A.M(a b)+", "method A.M#2+", "method A.N"],
  ],
  ["A.cs", "public record R(int X, string Y);\nstruct S { public int x; }", "class R(X Y)+", "class S+", "field S.x+"],
  [
    "A.cs",
    "interface I { int M(); string P { get; } }\nenum E { A = 1, B }",
    "interface I+",
    "method I.M+",
    "accessor I.P+",
    "enum E(A B)+",
  ],
  [
    "A.cs",
    "class T {\n  [Fact]\n  public void M() {}\n  [TestCase(1)]\n  public void N(int a) {}\n  void O() {}\n}",
    ...["class T+", "test T.M", "test T.N(a)", "method T.O"],
  ],
];

const others: readonly Case[] = [
  [
    "A.java",
    "package a.b;\nimport java.util.*;\nclass C { private int a; static final int K = 2; @Test void m(List<String> b) {} }",
    ...["namespace a.b+", "import java.util.*", "class C+", "field C.a", "field C.K+", "test C.m(b)"],
  ],
  ["A.java", "enum E { A(1), B; int z; E(int q) {} }", "enum E(A B)+", "field E.z+", "constructor E.E(q)+"],
  [
    "a.go",
    'package a\nimport (\n  "fmt"\n  x "y/z"\n)\ntype S struct { A, B int }\nfunc (s *S) M(a, b int) error { return nil }\nvar X, Y = 1, 2',
    ...[
      "namespace a+",
      "import ()(fmt y/z)",
      "class S+",
      "field S.A,B(A B)+",
      "method S.M(a b)+",
      "variable X,Y(X Y)+",
    ],
  ],
  ["a_test.go", "package a\nfunc TestA(t *testing.T) {}", "namespace a+", "test TestA(t)"],
  [
    "a.rs",
    "use std::{a, b as c};\npub struct S { a: i32 }\nimpl S { fn m(&self, x: Map<A, B>) {} }\nimpl T for S { fn m(&self) {} }\n#[cfg(test)]\nmod tests {\n  #[test]\n  fn t() {}\n}",
    ...["import std::{a, b as c}(a b)", "class S+", "field S.a+", "statement `impl S {`", "method S.m(self x)+"],
    ...["statement `impl T for S {`", "method S.m#2(self)+", "namespace tests+", "test tests.t"],
  ],
  ["a.rs", "fn f<'a, 'b>(x: &'a str, mut y: &'b str, z: char) {}", "function f(x y z)+"],
  [
    "a.c",
    "#include <b.h>\nstatic int f(int a, char *b) { return 1; }\nint g(void);",
    "import b.h",
    "function f(a b)",
    "function g(void)+",
  ],
  ["a.rb", "class A < B\n  def m(a, b = 1)\n  end\nend", "class A+", "method A.m(a b)+"],
  [
    "a.php",
    "<?php\nnamespace N;\nclass A { private $a = 1; public function m(int $b) {} }",
    "namespace N+",
    "class A+",
    "field A.$a",
    "method A.m($b)+",
  ],
];

describe.each([
  ["Python", python],
  ["C#", csharp],
  ["others", others],
])("which blocks %s has", (_, cases) => {
  test.each(cases)("treeBlocks reads the blocks of %s: %j", async (path, text, ...blocks) => {
    expect((await blocksOf(path, text)).map(show)).toEqual(blocks);
  });
});

describe("treeBlocks marks the ranges of", () => {
  /** `«` and `»` mark a block's own range, `|` the end of its signature if that is earlier. */
  const cases: readonly (readonly [path: string, name: string, marked: string])[] = [
    ["a.py", "f", "# of f\n«@d\ndef f(a) -> int:|\n  return 1»"],
    ["a.py", "A", "«class A(B):»\n  x = 1"],
    ["a.py", "A.x", "class A:\n  «x: int| = 1»"],
    ["a.py", "A.y", "class A:\n  def m(self):\n    «self.y: int» = 1"],
    ["a.py", "v", "«v = 1»"],
    ["A.cs", "A", "/// <summary>\n«sealed class A : B\n{»\n}"],
    ["A.cs", "A.m", "class A { «[D] int m(int a)| { return a; }» }"],
    ["A.cs", "A.n", "class A { «int n()| => 1;» }"],
    ["A.cs", "A.p", "class A { «int p { get; set; }» }"],
    ["A.cs", "A.q", "class A { «int q| { get { return 1; } }» }"],
    ["A.cs", "A.f", "class A { «int f| = 1;» }"],
    ["a.rs", "f", "/// Of f.\n«#[inline]\npub fn f() -> i32| { 1 }»"],
  ];
  test.each(cases)("%s: %s in %j", async (path, name, marked) => {
    const text = marked.replaceAll(/[«»|]/g, "");
    const { ownRange, signature } = (await blocksOf(path, text)).find((one) => one.name === name)!;
    const { end } = signature[0]!;
    const head = `${text.slice(0, ownRange.start)}«${text.slice(ownRange.start, end)}`;
    expect(`${head}${end < ownRange.end ? "|" : ""}${text.slice(end, ownRange.end)}»${text.slice(ownRange.end)}`).toBe(
      marked,
    );
  });
});

test("law: own ranges are disjoint, except for fields that methods create, and contain the signatures", async () => {
  const folder = join(import.meta.dirname, "..", "..", "syntax", "fixtures");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.(py|cs|java|go|rs|c|cpp|rb|php)\.txt$/.test(file),
  );
  expect(files.length).toBeGreaterThan(7);
  for (const file of files) {
    let at = 0;
    const text = readFileSync(join(folder, file), "utf8");
    const found = await blocksOf(file.replace(/\.txt$/, ""), text);
    expect(found.length).toBeGreaterThan(4);
    for (const { ownRange, range, signature, parts, kind } of found) {
      const isMade = kind === "field" && text.startsWith("self.", ownRange.start);
      expect(ownRange.start).toBeGreaterThanOrEqual(isMade ? range.start : at);
      expect(range.start).toBeLessThanOrEqual(ownRange.start);
      for (const inner of [...signature, ...(parts ?? []).map((part) => part.range)]) {
        expect(inner.start).toBeGreaterThanOrEqual(ownRange.start);
        expect(inner.end).toBeLessThanOrEqual(ownRange.end);
      }
      at = Math.max(at, ownRange.end);
    }
  }
});

test.each([
  ["a name, spaces and a sign", "a.py", `k${" ".repeat(20_000)}+ 1\n`, "statement"],
  ["names in brackets, spaces and a sign", "a.py", `(a, b${" ".repeat(20_000)}) + 1\n`, "statement"],
  ["names, spaces and a value", "a.py", `a, b${" ".repeat(20_000)}= f()\n`, "variable"],
  ["a call, in Ruby", "a.rb", `k${" ".repeat(20_000)}+ 1\n`, "statement"],
] as const)("row 15: an unnamed statement is read at once: %s", async (_name, path, text, kind) => {
  expect((await blocksOf(path, text)).map((block) => block.kind)).toEqual([kind]);
});
