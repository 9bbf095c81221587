import { afterAll, expect, test } from "vitest";
import { openSyntax } from "./node/index.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const ids: Readonly<Record<string, string>> = {
  ...{ ts: "typescript", tsx: "typescriptreact", js: "javascript", cjs: "javascript", mjs: "javascript" },
  ...{ py: "python", ipynb: "python", go: "go", rs: "rust", java: "java", c: "c", cpp: "cpp", cs: "csharp" },
  ...{ rb: "ruby", php: "php", sh: "shellscript" },
};

/** The words at which the errors of a text begin. */
async function errorsIn(extension: string, text: string): Promise<readonly string[]> {
  const errors = await syntax.syntaxErrors({ uri: `a.${extension}`, language: ids[extension]!, text });
  return errors.map(({ start }) => text.slice(start).match(/^\W*(\w*)/)![1]!);
}

/** The words that begin an error, each behind a `^`; a text without one has no error. */
test.each([
  ["ts", "const a = 1;\n^return a;"],
  ["ts", "export const a = 1;\n^return a;"],
  ["ts", "if (a) {\n  ^return a;\n}"],
  ["ts", "export const f = (a: string) => { return a; };"],
  ["ts", "export class A { get a() { return 1; } }"],
  ["ts", "for (const a of b) { if (a) break; else continue; }"],
  ["ts", "switch (a) { case 1: break; }"],
  ["ts", "a: { break a; }"],
  ["ts", "for (;;) { f(() => { ^break; }); }"],
  ["ts", "^continue;"],
  ["ts", "function f() { ^await g(); }"],
  ["ts", "export {};\nawait g();"],
  ["ts", "let a; let a;"],
  ["ts", "let a; let a; for (;;) break;"],
  ["ts", "let a; let a; f(() => { ^continue; });"],
  ["ts", "^return a; let a; let a; break;"],
  ["ts", 'export function f() {\n  ^import { a } from "./a";\n}'],
  ["ts", "if (a) { ^export const b = 1; }"],
  ["ts", 'function f() { return import("./a"); }\nconst a = {\n  import: 1,\n  export: 2,\n};'],
  ["ts", "namespace A {\n  import B = C.D;\n  export const e = 1;\n}"],
  ["ts", 'declare module "a" {\n  import { b } from "b";\n  export { b };\n}'],
  ["ts", "namespace A {\n  function f() {\n    ^export const a = 1;\n  }\n}"],
  ["js", 'for (const a of b) {\n  ^import c from "c";\n}'],
  ["tsx", "export const a = 1;\n^return <a/>;"],
  ["mjs", "^return 1;"],
  ["js", "^return 1;"],
  ["js", "import a from 'a';\n^return require(a);"],
  ["js", "const a = require('a');\nif (!a) return;"],
  ["js", "#!/usr/bin/env node\nreturn;"],
  ["cjs", "return 1;"],
  ["py", "^return 1\n"],
  ["py", "^yield 1\n"],
  ["py", "^await f()\n"],
  ["ipynb", "await f()\n"],
  ["ipynb", "^return 1\n"],
  ["py", "class A:\n    ^return 1\n"],
  ["py", "def f():\n    ^await g()\n"],
  ["py", "async def f():\n    return [await a for a in g()]\n"],
  ["py", "f = lambda: (yield)\n"],
  ["py", "for a in b:\n    if a:\n        break\n    else:\n        continue\n"],
  ["py", "while a:\n    def f():\n        ^break\n"],
  ["py", "def f():\n    ^continue\n"],
  ["go", "package a\nfunc f() { ^break }"],
  ["go", "package a\nfunc f() { for { switch a { case 1: break; default: continue } } }"],
  ["go", "package a\nfunc f() { select { case <-a: break } }"],
  ["go", "package a\nfunc f() { L: for { for { continue L } } }"],
  ["go", "package a\n^return 1"],
  ["go", "package a\nvar f = func() int { return 1 }"],
  ["rs", "fn f() { ^break; }"],
  ["rs", "fn f() { loop { break; } while a { continue; } 'a: { break 'a; } }"],
  ["rs", "fn f() { loop { g(|| ^break); } }"],
  ["rs", "fn f() { g().^await; }"],
  ["rs", "pub async unsafe fn f() { g().await; }"],
  ["rs", "fn f() { h(async move { g().await }); h(async |a| g().await); }"],
  ["rs", "^return 1;"],
  ["java", "class A { void f() { ^break; } }"],
  ["java", "class A { void f() { for (;;) { break; } switch (a) { case 1: break; } L: { break L; } } }"],
  ["java", "class A { A() { return; } Runnable a = () -> { return; }; static { ^return; } }"],
  ["c", "^return 1;"],
  ["c", "SYSCALL(a) { return 0; }\nint f() { return 1; }"],
  ["cpp", "namespace a { ^return 1; }"],
  ["cpp", "TEST(A, B) { return; }\nauto f = [] { return 1; };"],
  ["cs", "return 1;"],
  ["cs", "await f();"],
  ["cs", "class A { void F() { ^await g(); } }"],
  ["cs", "class A { async Task F() { await g(); } Func<Task> f = async () => await g(); }"],
  ["cs", "class A { void F() { ^continue; } }"],
  ["cs", "class A { void F() { switch (a) { case 1: break; } } }"],
  ["rb", "^break"],
  ["rb", "^yield 1"],
  ["rb", "def f\n  ^next\nend"],
  ["rb", "def f\n  yield 1\n  [1].each { |a| next }\n  loop do\n    break\n  end\nend\nreturn"],
  ["php", "<?php ^break;"],
  ["php", "<?php ^yield 1;"],
  [
    "php",
    "<?php function f() { yield 1; foreach ($a as $b): break; endforeach; switch ($a) { case 1: break; } }\nreturn 1;",
  ],
  ["sh", "return 1"],
])("in a text of %s: %s", async (extension, marked) => {
  const expected = [...marked.matchAll(/\^(\w+)/g)].map(([, word]) => word);
  expect(await errorsIn(extension, marked.replaceAll("^", ""))).toEqual(expected);
});

test("the message says what is allowed where", async () => {
  const [error] = await syntax.syntaxErrors({ uri: "a.py", language: "python", text: "def f():\n    await g()\n" });
  const message = '"await" is only allowed in an asynchronous function';
  expect(error).toMatchObject({ code: "misplaced", message });
});

test("a text with another error has none of these, since what encloses its statements is unknown", async () => {
  expect(await errorsIn("go", "package a\nfunc f() { for { }\nbreak")).not.toContain("break");
});

test("a long text is not checked", async () => {
  const text = "return 1\n";
  const errors = async (rows: number) => (await errorsIn("py", `${text}${"value = 1;\n".repeat(rows)}`)).length;
  expect([await errors(1), await errors(30_000)]).toEqual([1, 0]);
});
