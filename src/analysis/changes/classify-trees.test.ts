import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseScriptTree } from "../../names/node/parse-script-tree.ts";
import { openSyntax } from "../../syntax/node/open-syntax.ts";
import { BlockReader } from "../graph/block-reader.ts";
import { printAtomicChange } from "./atomic-change.ts";
import { classifyChanges } from "./classify-changes.ts";

const syntax = openSyntax();
const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
beforeAll(() => reader.load(["a.py", "a.cs", "a.go"]));
afterAll(() => {
  expect(syntax.openTrees).toBe(0);
  syntax[Symbol.dispose]();
});

function changes(path: string, before: string, after: string): string[] {
  const side = (text: string) => ({ text, blocks: reader.tryBlocks(path, text)! });
  return classifyChanges([{ path, before: side(before), after: side(after) }]).map(printAtomicChange);
}

type Case = readonly [before: string, after: string, ...changes: readonly string[]];

const python: readonly Case[] = [
  ["def f(a): pass", "def f(a, b=1): pass", "MMS f +b"],
  ["def f(a: int): pass", "def f(a: str): pass", "MMS f ~a"],
  ["def f():\n  return 1", "def f():\n  return 2", "MMB f escapes"],
  ["def f():\n  a = 1\n  return 1", "def f():\n  a = 2\n  return 1", "MMB f local"],
  ["def f():\n  if a:\n    b()\n  c()", "def f():\n  if a:\n    b()\n    c()", "MMB f escapes"],
  ["def f():\n  return a(1)", "def g():\n  return a(1)", "RENAME g from f"],
  // A body that only follows a rename behaves as before.
  [
    "def f(a):\n  return a\ndef h():\n  p(f(1))",
    "def g(a):\n  return a\ndef h():\n  p(g(1))",
    ...["RENAME g from f", "MMB h local"],
  ],
  [
    "def f(a):\n  return a\ndef h():\n  p(f(1))",
    "def g(a):\n  return a\ndef h():\n  p(g(2))",
    ...["RENAME g from f", "MMB h escapes"],
  ],
  [
    "def f(a):\n  return a\ndef h():\n  p(f(1))",
    "def g(a):\n  return a\ndef f(b):\n  return 2 * b\ndef h():\n  p(g(1))",
    ...["AM g +a", "MMS f -a +b", "MMB f escapes", "MMB h escapes"],
  ],
  ["def f(a):\n  return p(a)", "def f(b):\n  return p(b)", "MMS f -a +b", "MMB f local"],
  ["def f(a, b):\n  return p(a)", "def f(b, a):\n  return p(b)", "MMS f", "MMB f escapes"],
  ["class A(B):\n  x = 1", "class A(C):\n  x = 2", "MC A", "MF A.x"],
  ["class A:\n  x: int = 1", "class A:\n  x: int = 2\n  y: int", "MF A.x escapes", "AF A.y"],
  [
    "class A:\n  def __init__(self):\n    self.x = 1",
    "class A:\n  def __init__(self, x):\n    self.x = x\n    self.y = 1",
    ...["MCC A.__init__ +x", "MMB A.__init__ escapes", "AF A.y"],
  ],
  [
    "class A:\n  @property\n  def p(self): return 1",
    "class A:\n  @property\n  def p(self): return 2",
    "MMB A.get p escapes",
  ],
  ["class A:\n  def m(self): return 1\n  def n(self): pass", "class A:\n  def n(self): pass", "DM A.m -self"],
  ["from a import b, c", "from a import b, d", "MI a -c +d"],
  ["import a", "import a\nimport b", "AI b +b"],
  ["class A:\n  def m(self): return 1", "class B:\n  def m(self): return 1", "RENAME B from A"],
  ["A = [1]", "A = [1, 2]", "MV A"],
];

const csharp: readonly Case[] = [
  ["class A { int M(int a) { return a; } }", "class A { int M(int a, string b) { return a; } }", "MMS A.M +b"],
  ["class A { int M() => 1; }", "class A { int M() => 2; }", "MMB A.M escapes"],
  ["class A { A(int a) { x = a; } }", "class A { A(long a) { x = a; } }", "MCC A.A ~a"],
  [
    "class A { A(int a) { x = a; } void N() { f(1, 2); } }",
    "class B { B(int a) { x = a; } void N() { f(1, 2); } }",
    "RENAME B from A",
  ],
  ["class A { void M(int a) {} void M(string a) {} }", "class A { void M(string a) {} }", "DM A.M -a"],
  ["class A { [Fact] void M() { f(1); } }", "class A { [Test] void M() { f(1); } }", "MS A.M"],
  ["class A { [Fact] void M() { f(1); } }", "class A { [Fact] void M() { f(2); } }", "MS A.M"],
  ["class A { int P { get; } }", "class A { int P { get; set; } }", "MMS A.P"],
  ["class A { long P { get; } }", "class A { int P { get; } }", "MMS A.P"],
  ["enum E { A, B }", "enum E { A, C }", "ME E -B +C"],
  ["using A;\nusing B;", "using A;\nusing C;", "MI C"],
  ["interface I { void M(); }", "interface I { void M(int a); void N(); }", "MMS I.M +a", "AM I.N"],
  ["namespace N { class A { int a; } }", "namespace N;\nclass A { int a; }", "MS N"],
];

describe.each([
  ["a.py", python],
  ["a.cs", csharp],
])("what a change of %s is", (path, cases) => {
  test.each(cases)("%j  ⇒  %j", (before, after, ...expected) => {
    expect(changes(path, before, after)).toEqual(expected);
  });
});

describe("formatting is no change", () => {
  const cases: readonly (readonly [path: string, before: string, after: string])[] = [
    ["a.py", "def f(a,b): return {'a':1}", 'def f(\n    a,\n    b,\n):\n    return {\n        "a": 1,\n    }\n'],
    [
      "a.py",
      "class A:\n  x = 1\n  def m(self):\n    if a:\n      b()",
      "class A:\n\n    x = 1  # one\n\n    def m(self):\n        # two\n        if a:\n            b()\n",
    ],
    ["a.py", "a = b + \\\n  c", "a = b + c"],
    ["a.py", "from a import (b, c)", "from a import (\n    b,\n    c,\n)"],
    [
      "a.cs",
      "class A { int a; void M(int b) { f(b); } }",
      "class A\n{\n    /// <summary>a</summary>\n    int a;\n\n    void M(int b)\n    {\n        f(b);\n    }\n}",
    ],
    [
      "a.go",
      "package a\nfunc F(a int) { f(a, b) }",
      "package a\n\n// F is f.\nfunc F(a int) {\n\tf(\n\t\ta,\n\t\tb,\n\t)\n}",
    ],
  ];
  test.each(cases)("%s: %j  ≡  %j", (path, before, after) => expect(changes(path, before, after)).toEqual([]));

  const real: readonly (readonly [path: string, before: string, after: string])[] = [
    ["a.py", "def f():\n  return (a,)", "def f():\n  return (a)"],
    ["a.py", "def f():\n  for a in b:\n    c()\n    d()", "def f():\n  for a in b:\n    c()\n  d()"],
    ["a.cs", "class A { char a = 'b'; }", 'class A { char a = "b"; }'],
  ];
  test.each(real)("%s: %j  ≢  %j", (path, before, after) => expect(changes(path, before, after)).not.toEqual([]));
});
