import { describe, expect, test } from "vitest";
import { languageById } from "../../languages/index.ts";
import { codeTokens } from "./code-tokens.ts";
import { escapes } from "./escapes.ts";

/**
 * Bodies before and after. A body in braces is the text after a function's header; Python's is on
 * lines of its own.
 */
type Case = readonly [before: string, after: string];

function isSeen(language: string, [before, after]: Case): boolean {
  const row = languageById(language)!;
  const body = (text: string) => codeTokens(text, row);
  return escapes({ before: body(before), after: body(after), parameters: new Set(["p", "self"]) }, row);
}

describe("what cannot be seen outside of a body", () => {
  const cases: Readonly<Record<string, readonly Case[]>> = {
    typescript: [
      ["{ const a = 1 }", "{ const a = 2 }"],
      ["{ const a = 1; return a }", "{ const b = 1; return b }"],
      ["{ const a = 1; f(b); return b }", "{ const a = 2; f(b); return b }"],
      ["{ let a: A = []; a.push(1) }", "{ let a: A = []; a.push(2) }"],
      ["{ const f = () => {}; f(); return 1 }", "{ const f = () => {}; f(); f(); return 1 }"],
      ["{ for (const a of p) { let b = a } return 1 }", "{ for (const a of p) { let b = a + 1 } return 1 }"],
      ["{ return a\n}", "{ return a }"],
    ],
    python: [
      ["a = 1\nreturn p", "a = 2\nreturn p"],
      ["a = 1\nreturn a", "b = 1\nreturn b"],
      ["'''Old.'''\nreturn 1", "'''New.'''\nreturn 1"],
      ["a = []\na.append(1)\nreturn p", "a = []\na.append(2)\nreturn p"],
    ],
    csharp: [
      ["{ var a = 1; return p; }", "{ var a = 2; return p; }"],
      ["{ int[] a = { 1 }; a[0] = 2; }", "{ int[] a = { 1 }; a[0] = 3; }"],
      ["{ int a = 1; return a; }", "{ int b = 1; return b; }"],
    ],
    go: [["{ a := 1; _ = a; return p }", "{ b := 1; _ = b; return p }"]],
  };
  for (const [language, rows] of Object.entries(cases)) {
    test.each(rows)(`${language}: %s  ⇒  %s`, (...row) => expect(isSeen(language, row)).toBe(false));
  }
});

describe("what can be seen outside of a body", () => {
  const cases: Readonly<Record<string, readonly Case[]>> = {
    typescript: [
      ["{ return 1 }", "{ return 2 }"],
      ["{ throw a }", "{ throw b }"],
      ["{ yield 1 }", "{ yield 2 }"],
      ["a + 1", "a + 2"],
      // Through a local.
      ["{ const a = 1; const b = a; return b }", "{ const a = 2; const b = a; return b }"],
      ["{ let a = 0; if (p) { a = 1 } return a }", "{ let a = 0; if (p) { a = 2 } return a }"],
      // Through a condition.
      ["{ if (a) { return 1 } }", "{ if (b) { return 1 } }"],
      ["{ if (a) { b } else { f() } }", "{ if (c) { b } else { f() } }"],
      ["{ if (a)\n return 1 }", "{ if (b)\n return 1 }"],
      ["{ while (a) { f() } }", "{ while (b) { f() } }"],
      ["{ switch (a) { case 1: b = 1; break; case 2: f() } }", "{ switch (a) { case 1: b = 1; case 2: f() } }"],
      // Through a place that others read.
      ["{ this.a = 1 }", "{ this.a = 2 }"],
      ["{ a = 1 }", "{ a = 2 }"],
      ["{ p.a = 1 }", "{ p.a = 2 }"],
      ["{ p.push(1) }", "{ p.push(2) }"],
      ["{ a[0]++ }", "{ a[1]++ }"],
      ["{ delete a.b }", "{ delete a.c }"],
      ["{ const a = this.b; a.c = 1 }", "{ const a = this.b; a.c = 2 }"],
      ["{ const a = {}; a.b = 1; return a }", "{ const a = {}; a.b = 2; return a }"],
      // Through what is called.
      ["{ f(1) }", "{ f(2) }"],
      ["{ new A(1) }", "{ new A(2) }"],
      ["{ const a = f() }", "{ const a = g() }"],
      ["{ f(() => { const a = 1; return 0 }) }", "{ f(() => { const a = 2; return 0 }) }"],
      ["{ return { a: 1,\n b: 2 } }", "{ return { a: 1,\n b: 3 } }"],
      // A key of an object is no local.
      ["{ const a = 1; return { a } }", "{ const b = 1; return { b } }"],
    ],
    python: [
      ["return 1", "return 2"],
      ["if a:\n    return 1", "if b:\n    return 1"],
      ["if a:\n    b = 1\nreturn b", "if a:\n    b = 2\nreturn b"],
      ["self.a = 1", "self.a = 2"],
      ["global a\na = 1", "global a\na = 2"],
      ["raise A", "raise B"],
      ["if a:\n    f()\ng()", "if a:\n    f()\n    g()"],
      ["p.append(1)", "p.append(2)"],
      ["return (a,)", "return (a)"],
    ],
    csharp: [
      ["{ return 1; }", "{ return 2; }"],
      ["{ this.a = 1; }", "{ this.a = 2; }"],
      ["{ a = 1; }", "{ a = 2; }"],
      ["{ var a = new B { C = 1 }; return a; }", "{ var a = new B { C = 2 }; return a; }"],
      ["=> a;", "=> b;"],
    ],
    rust: [["{ a }", "{ b }"]],
  };
  for (const [language, rows] of Object.entries(cases)) {
    test.each(rows)(`${language}: %s  ⇒  %s`, (...row) => expect(isSeen(language, row)).toBe(true));
  }
});
