import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { recognise } from "../../hole/recognise.ts";
import { importTreeSitter } from "../../notations/tree-sitter.ts";
import { compileGrammar } from "../../tables/compile-grammar.ts";
import type { CompiledGrammar } from "../../tables/compiled-grammar.ts";
import { printGrammarIssue } from "../../tables/grammar-issue.ts";

const require = createRequire(import.meta.url);

function compileImported(overlay: string, packageName: string): CompiledGrammar {
  const json = JSON.parse(readFileSync(require.resolve(`${packageName}/src/grammar.json`), "utf8")) as unknown;
  const { grammar, issues } = importTreeSitter(json, readFileSync(join(import.meta.dirname, overlay), "utf8"));
  const compilation = grammar === undefined ? { issues: [] } : compileGrammar(grammar);
  const all = [...issues, ...compilation.issues].map((issue) => printGrammarIssue(issue));
  expect(all).toEqual([]);
  return compilation.compiled!;
}

/** What must be taken, and what must not, one text a row; `ok` and `no` tell which. */
type Row = readonly ["ok" | "no", string];

/** Puts each row where statements stand, unless it is a whole file. */
function checks(overlay: string, packageName: string, around: (row: string) => string, rows: readonly Row[]): void {
  describe(overlay, () => {
    const compiled = compileImported(overlay, packageName);
    for (const [verdict, row] of rows) {
      test(`${verdict}: ${row}`, () => {
        const text = row.startsWith("FILE ") ? row.slice(5) : around(row);
        const { kind } = recognise(compiled, new TextEncoder().encode(text));
        expect(kind === "whole" ? "ok" : "no").toBe(verdict);
      });
    }
  });
}

checks("go.grammar", "tree-sitter-go", (row) => `package p\n\nfunc f() {\n${row}\n}\n`, [
  ["ok", "FILE package p"],
  ["ok", 'FILE package p\n\nimport "fmt"\n\nvar (\n\ta = 1\n\tb, c int\n)\n'],
  ["ok", 'FILE package p; import ("a"; b "c"); const x = 1; func f() {}'],
  ["no", 'FILE package p import "a"'],
  ["no", "FILE x := 1"],
  ["ok", "a := b\n*c = d"],
  ["ok", "if a := f(); a != nil { g() } else if b { h() }"],
  ["no", "if a\n{ g() }"],
  ["no", "if a { g() }\nelse { h() }"],
  ["ok", "x := []int{\n1,\n2,\n}"],
  ["no", "x := []int{\n1,\n2\n}"],
  ["ok", "f(a,\nb)"],
  ["no", "f(a\n)"],
  ["ok", "a.\nb()"],
  ["no", "a\n.b()"],
  ["ok", "return // nothing\n"],
  ["ok", "x := 1 /* over\nlines */ y := 2"],
  ["no", "x := 1 /* on a line */ y := 2"],
  ["ok", "for i := range 10 { continue }; for { break }; for ;; {}; for k, v := range m {}"],
  ["ok", "switch x := v.(type) {\ncase int, string:\nf()\ndefault:\n}"],
  ["ok", "s := `a\n\\` + \"\\u00e9\\\"\" + string('\\'')"],
  ["no", 's := "\\q"'],
  ["ok", "g[int](x); var m map[string]func(int) (a, b int); type T[K comparable, V any] struct { *K; v V `tag` }"],
  ["ok", "select { case v, ok := <-c: f(v, ok); case c <- 1: }"],
  ["no", "x := 1 /* open"],
  ["no", "var func = 1"],
]);

checks("java.grammar", "tree-sitter-java", (row) => `class A {\n  void f() {\n${row}\n  }\n}\n`, [
  ["ok", "FILE package a.b;\nimport static a.B.*;\npublic final class C<T extends D & E> extends F<T> implements G {}"],
  ["ok", "FILE record P(int x, int... y) { P { check(x); } }"],
  ["ok", "FILE sealed interface S permits A, B {}"],
  ["ok", 'FILE void main() { IO.println("hello"); }'],
  ["no", "FILE x = 1;"],
  ["ok", "Map<String, List<List<Integer>>> m = new HashMap<>();"],
  ["ok", "int x = a >>> 2 >> 1; x >>>= 1; boolean b = a >= c;"],
  ["no", "int x = a > > 1;"],
  ["ok", "var record = 1; var module = record; to = with;"],
  ["no", "int class = 1;"],
  ["ok", "switch (o) { case Point(int x, var y) when x > 0 -> {} case null, default -> throw e; }"],
  ["ok", "int r = switch (d) { case A, B: yield 1; default: yield 2; };"],
  ["ok", "if (o instanceof String s && s.isEmpty()) return;"],
  ["ok", "Runnable r = () -> {}; F<A, B> f = (a, b) -> a + b; G g = String::new;"],
  ["ok", 'String t = """\n  "quoted" \\""" ""\n  """;'],
  ["no", 'String t = """ no line break """;'],
  ["no", 'String s = "\\q";'],
  ["ok", "try (var a = b(); c) {} catch (A | B e) {} finally {}"],
  ["ok", "char c = '\\u0041', d = '\\''; long l = 0xFFL + 1_000; double e = 1e-3f + .5;"],
  ["no", "int x = 1"],
  ["no", "/* open"],
]);

checks("rust.grammar", "tree-sitter-rust", (row) => `fn f() {\n${row}\n}\n`, [
  ["ok", "FILE #![allow(x)]\nuse a::{b, c as d, *};\npub(crate) struct S<'a, T: ?Sized + 'a>(&'a T);"],
  ["ok", "FILE impl<T> Tr for Vec<Vec<T>> where T: Fn(&str) -> Box<dyn Any + Send> { const N: usize = 1 << 3; }"],
  ["no", "FILE let x = 1;"],
  ["ok", 'let s = r#"a "quoted" b"#; let t = br##"#"# "##; let u = r"\\"; let v = b"\\x00\\\n";'],
  ["no", 'let s = r#"a "quoted" b"; let y = 1;'],
  ["ok", "let x = 1. + 2.0e-3_f64 + 0.1f32; for i in 0..10 {} let y = t.0.1; let m = 1.max(2);"],
  ["ok", "let c = 'a'; let l: &'static str = x; 'outer: loop { break 'outer; }"],
  ["ok", "/* nested /* comments */ are one */ f();"],
  ["no", "/* nested /* comments */ f();"],
  ["ok", "let v: Vec<Vec<u8>> = a >> b; let w = x >= y; z >>= 1; let q = <<T as A>::B as C>::d();"],
  ["no", "let v = a > > b;"],
  ["ok", "let f = || a && b || &&c == d; let g = |x: u8, &(a, ref b)| -> u8 { x };"],
  ["ok", 'println!("{}", x => [1, 2] if match $ @ "#"); vec![1; 2]; m! { <<= ... }'],
  ["no", 'println!("{}", (x];'],
  ["ok", "macro_rules! m { ($($x:expr),* $(,)?) => { $( f($x); )* }; }"],
  ["ok", "if let Some(x) = y && z {} else if a {} match n { 0 | 1..=9 if b => {} _ => (), }"],
  ["ok", "let a = &mut b[..=i]; let c = &&d; let e = async move { f().await? };"],
  ["ok", "let union = default; let r#fn = 1;"],
  ["no", "let fn = 1;"],
  ["no", "let x = 1 let y = 2;"],
]);

checks("c.grammar", "tree-sitter-c", (row) => `int f(void) {\n${row}\n}\n`, [
  [
    "ok",
    "FILE #include <a.h>\n#define M(x) \\\n  ((x) + 1) /* over\nlines */\nstatic const unsigned long *p[3], q = 1;\n",
  ],
  ["ok", "FILE typedef struct s { int a : 3; union { float b; }; } s_t;\nenum e { A, B = 2, };\n"],
  ["ok", "FILE #ifdef A\nint g(int a) {\n#else\nint g(void) {\n#endif\n  return 1;\n}\n"],
  ["ok", "FILE #if 0\nthis is not C {\n#else\nint x;\n#endif\n"],
  ["ok", "if (a)\n#if X\n  b();\n#endif\n  c(d[e[1]]);"],
  ["ok", "x = y -1; x--; p->q.r[0] = (char *) &z; a = b ? c : d;"],
  ["ok", 'char *s = "a\\n" PRIu64 "b" L"c\\x41"; char c = \'\\\'\';'],
  ["no", 'char *s = "a\n";'],
  ["ok", "FILE static __unused int f(int a UNUSED) { return va_arg(a, char *); }\nRB_HEAD(t, n) h;\nDEFINE(x)\n"],
  ["ok", "TAILQ_FOREACH(a, &b, c) { d(); } list_for_each_entry(p, q) e();"],
  ["no", "f(a) g(b);"],
  ["ok", "FILE struct s { list_of(struct t) a, *b; int c; };\ntypedef queue_of(int) queue, *queues;\n"],
  ["no", "FILE struct s { list_of(a, b) c d; };\n"],
  ["ok", "for (int i = 0; i < 10; i++) { if (i == 3) continue; } do x(); while (0);"],
  ["ok", "switch (a) { case 1: case 'b': f(); break; default: goto end; } end: return;"],
  ["ok", "double d = 1.5e-3f + .5 + 0x1.8p3 + 100UL + 0b101;"],
  ["no", "int while = 1;"],
  ["no", "int x = (1;"],
  ["no", "x = a /* open"],
]);

checks("csharp.grammar", "tree-sitter-c-sharp", (row) => `class A {\n  void F() {\n${row}\n  }\n}\n`, [
  ["ok", "FILE using System;\nnamespace N;\n[Attr(1)] public record struct P<T>(int X, T? Y) where T : class, new();"],
  ["ok", "FILE #nullable enable\nusing X = System.Int32;\n#region a\nint x = 1;\n#endregion\n"],
  ["ok", "FILE class C {\n#if A\n  void F() {\n#else\n  void F(int a) {\n#endif\n  }\n  int P { get; init; } = 1;\n}"],
  ["ok", 'var s = $"a {b,5:N2} {{c}} {(d ? e : f)} {$"{g}"}\\n";'],
  ["ok", 'var s = $@"a ""{b}"" \\ \n" + @$"{c}" + @"d""\\";'],
  ["no", 'var s = $"a {b";'],
  ["no", 'var s = $"a } b";'],
  ["ok", 'var s = """a "b" ""c"" """ + """"\n""" \n"""" + "x"u8;'],
  ["ok", 'var s = $"""a "{b}" """ + $$"""{ "c": {{d:X}} }""";'],
  ["ok", "List<List<int>> x = a >> b; y >>>= 2; bool z = p >= q;"],
  ["no", "var x = a > > b;"],
  ["ok", "var q = from x in xs where x > 1 orderby x descending select x; var from = 1; int value = select;"],
  ["ok", "var r = o switch { Point { X: > 0 and < 5 } p => 1, [1, .., var z] => 2, null or not 3 => 4, _ => 5 };"],
  ["ok", "await foreach (var (a, b) in xs) { yield return a?.b![0] ?? throw new E(); }"],
  ["no", "int class = 1;"],
  ["no", "int x = 1"],
  ["no", "/* open"],
]);
