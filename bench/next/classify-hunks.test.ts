import { describe, expect, it } from "vitest";
import { classifyHunks } from "./classify-hunks.ts";
import { markedCommit } from "./marked-commit.ts";

/**
 * The kind of each hunk of a file that lies between unrelated lines; `none` where nothing
 * determines it.
 */
function check(hunks: readonly string[], kinds: string): void {
  const source = `a.ts\n${hunks.map((hunk) => `${hunk}\n  ;`).join("\n")}`;
  const found = classifyHunks(markedCommit(source)).map((kind) => kind ?? "none");
  expect(found.join(" ")).toBe(kinds);
}

describe("renames", () => {
  it.each([
    ["a usage behind a declaration", "const total = 1", "const sum = 1", "show(total)", "show(sum)", "none rename"],
    ["a declaration behind a usage", "show(total)", "show(sum)", "const total = 1", "const sum = 1", "none rename"],
    ["two usages on a line", "let total", "let sum", "total + total", "sum + sum", "none rename"],
    ["in a string", "let total", "let sum", "import 'total'", "import 'sum'", "none rename"],
    ["another name", "let total", "let sum", "show(count)", "show(sum)", "none none"],
    ["another new name", "let total", "let sum", "show(total)", "show(all)", "none none"],
    ["a part of a longer name", "let total", "let sum", "show(totals)", "show(sums)", "none none"],
    ["with another change", "let total", "let sum", "show(total)", "show(sum, 1)", "none none"],
    ["in a new layout", "let total", "let sum", "show(total)", "show( sum)", "none rename"],
  ])("%s", (_, before, after, nextBefore, nextAfter, kinds) => {
    check([`- ${before}\n+ ${after}`, `- ${nextBefore}\n+ ${nextAfter}`], kinds);
  });

  it("two names, each of which changed so", () => {
    check(["- let a1\n+ let b1", "- let c1\n+ let d1", "- f(a1, c1)\n+ f(b1, d1)"], "none none rename");
  });
});

describe("changed signatures", () => {
  it.each([
    ["a call", "function f(a) {", "function f(a, b) {", "f(1)", "f(1, 2)", "none signature"],
    ["a call of a method", "  f(a: A): B {", "  f(a: A, b: B): B {", "x.f(1)", "x.f(1, 2)", "none signature"],
    ["a call of an arrow", "const f = (a) => 1", "const f = (a, b) => 1", "f(1)", "f(1, 2)", "none signature"],
    [
      "a call on several lines",
      "function f(a) {",
      "function f(a, b) {",
      "f(1)",
      "f(\n+ 1,\n+ 2,\n+ )",
      "none signature",
    ],
    ["an argument that goes", "def f(a, b):", "def f(a):", "f(1, 2)", "f(1)", "none signature"],
    ["an override", "  f(a): B {", "  f(a, b: C): B {", "  f(x): B {", "  f(x, y: C): B {", "none signature"],
    [
      "type arguments",
      "function f<T>(a: T) {",
      "function f<T>(a: T, b: T) {",
      "f<X>(1)",
      "f<X>(1, 2)",
      "none signature",
    ],
    ["another function", "function f(a) {", "function f(a, b) {", "g(1)", "g(1, 2)", "none none"],
    ["a call that comes", "function f(a) {", "function f(a, b) {", "g()", "g(f(1))", "none none"],
    [
      "in the body of a callback",
      "function f(a) {",
      "function f(a, b) {",
      "f(() => { one() })",
      "f(() => { two() })",
      "none none",
    ],
    ["the body only", "function f(a) { one() }", "function f(a) { two() }", "f(1)", "f(2)", "none none"],
    ["a call is no declaration", "f(1)", "f(1, 2)", "f(3)", "f(3, 4)", "none none"],
    ["a new function", "", "function f(a) {", "f(1)", "f(1, 2)", "none none"],
  ])("%s", (_, before, after, nextBefore, nextAfter, kinds) => {
    check([`${before === "" ? "" : `- ${before}\n`}+ ${after}`, `- ${nextBefore}\n+ ${nextAfter}`], kinds);
  });

  it("a constructor is called by its class", () => {
    const file =
      "a.ts\n  class Box extends Thing {\n-   constructor(a) {\n+   constructor(a, b) {\n  }}\n- new Box(1)\n+ new Box(1, 2)";
    expect(classifyHunks(markedCommit(file))).toEqual([undefined, "signature"]);
  });
});

describe("repeats", () => {
  it.each([
    ["the same", "open(a1).now()", "open(a1).then()", "x = y.now()", "x = y.then()", "none rename"],
    [
      "the same call, other arguments",
      "old(a1, b1)",
      "fresh.one(a1, b1)",
      "old(c1, d1)",
      "fresh.one(c1, d1)",
      "none repeat",
    ],
    ["names that change places", "get(a1, key1)", "a1.get(key1)", "get(b1, key2)", "b1.get(key2)", "none repeat"],
    ["a name from nowhere", "get(a1, key1)", "a1.get(key1)", "get(b1, key2)", "b1.get(key3)", "none none"],
    ["a cast that goes, wherever", "f(a1) as Thing", "f(a1)", "g(b1) as Thing", "g(b1)", "none repeat"],
    ["a mark at the same name", "user.name", "user?.name", "user.age", "user?.age", "none repeat"],
    ["a mark elsewhere", "user.name", "user?.name", "other.age", "other?.age", "none none"],
    ["a number at the same name", "wait = 1", "wait = 2", "wait = 1", "wait = 2", "none repeat"],
    ["a number elsewhere", "wait = 1", "wait = 2", "count + 1", "count + 2", "none none"],
    [
      "a keyword beside the same name",
      "show(a1)",
      "await show(a1)",
      "show(b1)",
      "await show(b1)",
      "none repeated-insertion",
    ],
    [
      "a keyword elsewhere",
      "x1 = show(a1)",
      "x1 = await show(a1)",
      "x2 = open(b1)",
      "x2 = await open(b1)",
      "none none",
    ],
    ["a keyword between keywords", "return a1", "return a1 as any", "return b1", "return b1 as any", "none none"],
    ["comments", "show(a1)", "// show(a1)", "show(b1)", "// show(b1)", "none none"],
    ["layout", "f(a)", "f( a )", "f(a)", "f( a )", "none none"],
    ["commas", "f(a1)", "f(a1,)", "f(b1)", "f(b1,)", "none none"],
  ])("%s", (_, before, after, nextBefore, nextAfter, kinds) => {
    check([`- ${before}\n+ ${after}`, `- ${nextBefore}\n+ ${nextAfter}`], kinds);
  });

  it("lines that come again before the same word", () => {
    const file = (path: string) => `${path}\n  import a from "${path}"\n+ import log from "log"\n  import b from "b"`;
    expect(classifyHunks(markedCommit(`${file("a.ts")}\n${file("c.ts")}`))).toEqual([undefined, "repeated-insertion"]);
  });

  it("lines like others that go are no repeat, the very same are", () => {
    check(["- drop(a1)", "- drop(b1)", "- drop(a1)"], "none none repeat");
  });
});

describe("hunks that are not requested", () => {
  it.each([
    ["what is no code", "a.md\n- the total\n+ the sum\n  \n- a total\n+ a sum", [undefined, undefined]],
    ["a file that comes", "a.ts\n- let total\n+ let sum\nb.ts\n+ let sum", [undefined, undefined]],
  ])("%s", (_, source, kinds) => {
    expect(classifyHunks(markedCommit(source))).toEqual(kinds);
  });
});
