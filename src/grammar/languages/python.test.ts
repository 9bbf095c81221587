import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { compileLanguage } from "../fixtures/compile-language.ts";
import { recognise } from "../hole/recognise.ts";

const python = compileLanguage("python");

/**
 * Programs by what they show. `ok` is whole; `no` is refused from `‸` on, or unfinished where there
 * is no mark. `⏎` is the end of a line, `⇥` a tab, `␌` a form feed, `␍` a carriage return, `◇` a
 * byte order mark. A number is the first CPython with that verdict, one with a minus the last;
 * without, all since 3.11 do.
 */
const table = String.raw`
Lines
ok
ok       ⏎
ok       # nothing
ok       ⏎  # a⏎⏎⇥⏎
ok       a
ok       a⏎
ok       a; b⏎
ok       a; b;⏎
no       a;‸;⏎
no       ‸;⏎
no       a ‸b⏎
ok       a⏎␌b⏎
ok       a␍⏎b␍c
ok       a = \⏎  1⏎
ok       if \⏎a: \⏎  b⏎
ok       if a:⏎\⏎  b⏎  c⏎
ok       if a:⏎  \⏎b⏎  c⏎
no       if a:⏎\⏎‸b⏎
no       a⏎\⏎ ‸b⏎
ok       \⏎⏎a⏎
ok       a⏎\⏎⏎b⏎
no       a⏎\
no       a⏎\⏎
no       a⏎‸\ ⏎b⏎
no       a = ‸\ ⏎  1⏎
ok       # -*- coding: utf-8 -*-⏎a
ok       ◇
ok       ◇a⏎
ok       ◇⏎# a⏎b⏎
no       a ‸◇⏎
no        ‸a⏎
no       a⏎ ‸b⏎

Blocks
ok       if a:⏎  b⏎
ok       if a: b⏎
ok       if a: b; c;⏎
no       if a: ‸if b: c⏎
no       if a:⏎‸b⏎
no       if a:
no       if a:⏎
no       if a:⏎  # b⏎
ok       if a:⏎# c⏎  b⏎ # d⏎  c⏎
ok       if a:⏎  if b:⏎    c⏎d⏎
no       if a:⏎    b⏎  ‸c⏎
no       if a:⏎  b⏎    ‸c⏎
ok       if a:⏎⇥b⏎⇥c⏎
no       if a:⏎⇥b⏎        ‸c⏎
no       if a:⏎        b⏎⇥‸c⏎
ok       if a:⏎⇥if b:⏎⇥    c⏎⇥d⏎
ok       if a:⏎   ␌  b⏎  c⏎
ok       if a:⏎  b = [⏎1,⏎      2⏎]⏎  c⏎
ok       if a:⏎  """⏎b⏎"""⏎  c⏎

If, while, for
ok       if a:⏎  b⏎elif c:⏎  d⏎elif e:⏎  f⏎else:⏎  g⏎
no       if a: b⏎else: c⏎‸elif d: e⏎
no       if a: b⏎else: c⏎‸else: d⏎
no       ‸else: a⏎
ok       if a := b: c⏎
ok       while a:⏎  break⏎else:⏎  continue⏎
ok       for a, *b in c, *d:⏎  e⏎else:⏎  f⏎
ok       for a.b[0], (c, [d]) in e: f⏎
no       for a() ‸in b: c⏎
no       for a ‸+ b in c: d⏎
no       for a ‸:= b in c: d⏎

Try
ok       try: a⏎finally: b⏎
ok       try: a⏎except: b⏎except C: d⏎
ok       try: a⏎except (B, C) as d: e⏎else: f⏎finally: g⏎
ok       try: a⏎except* B: c⏎except* (D, E) as f: g⏎
no       try: a⏎‸b⏎
no       try: a⏎‸else: b⏎
no       try: a⏎finally: b⏎‸except C: d⏎
no       try: a⏎except B: c⏎except‸* D: e⏎
no       try: a⏎except* B: c⏎except‸: d⏎
no       try: a⏎except*‸: c⏎
no       try: a⏎except B as c‸.d: e⏎
ok  3.14 try: a⏎except B, C: d⏎
ok  3.14 try: a⏎except* B, C: d⏎
no       try: a⏎except B, C ‸as d: e⏎

With
ok       with a: b⏎
ok       with a as b, c as d[0], e: f⏎
ok       with (a as b): c⏎
ok       with (a as b, c,): d⏎
ok       with (a, b) as c: d⏎
ok       with (a), (b): c⏎
ok       with (yield a), b: c⏎
ok       with a as (b, *c): d⏎
no       with (a as b) ‸as c: d⏎
no       with (a as b)‸.c: d⏎
no       with a as b()‸: c⏎
no       with a as b, c,‸: d⏎
ok       with (): a⏎

Functions and classes
ok       def a(): pass⏎
ok       async def a() -> b: await c⏎
ok       @a⏎@b.c(d)⏎⏎# e⏎async def f(): g⏎
ok       @(a := b)[0]⏎class C: d⏎
no       @a⏎‸b⏎
no       @a ‸def b(): c⏎
no       def ‸(): a⏎
no       def a‸: b⏎
no       async ‸class A: b⏎
ok       class A: b⏎
ok       class A(): b⏎
ok       class A(B, *c, d=E, **f,): g⏎
no       class A(b ‸for b in c): d⏎
ok  3.12 def a[T: int, *U, **V](b: T) -> T: c⏎
ok  3.13 class A[T: (int, str) = int, *U = *V, **W = [X]](B): c⏎
no       class A[‸]: b⏎
ok  3.12 type A = b⏎
ok  3.12 type A[T] = T⏎
no       type A‸⏎

Parameters
ok       def a(b, c: d, /, e: f = g, *h: i, j, k=l, **m: n,): o⏎
ok       def a(b, /): c⏎
ok       def a(b=1, /, c=2): d⏎
ok       def a(*, b, c=d, e): f⏎
ok       def a(*b: *c): d⏎
ok       def a(**b): c⏎
no       def a(b=1, c‸): d⏎
no       def a(b=1, /, c‸): d⏎
no       def a(‸/, b): c⏎
no       def a(b, /, c, ‸/): d⏎
no       def a(*b, ‸/): c⏎
no       def a(*‸): b⏎
no       def a(*, ‸): b⏎
no       def a(*, ‸**b): c⏎
no       def a(*b, ‸*c): d⏎
no       def a(*b‸=c): d⏎
no       def a(**b, ‸c): d⏎
no       def a(**b‸=c): d⏎
no       def a(‸(b)): c⏎
no       def a(b=‸): c⏎
no       def a(b: ‸*c): d⏎
ok       lambda: a⏎
ok       lambda a, b=c, /, *d, e, **f: g⏎
ok       lambda *, a: b⏎
no       lambda *‸: a⏎
no       lambda a=b, c‸: d⏎
no       lambda ‸(a): b⏎

Simple statements
ok       pass; break; continue; return; raise; yield⏎
ok       return a, *b⏎
ok       raise a from b⏎
no       raise ‸from a⏎
no       raise a‸, b⏎
ok       assert a, b⏎
no       assert a, b‸, c⏎
ok       global a, b; nonlocal c⏎
no       global a,‸⏎
no       global a‸.b⏎
ok       import a.b.c as d, e⏎
no       import a as b‸.c⏎
ok       from a.b import c as d, e⏎
ok       from . import a; from ... import b; from ....c import (d, e as f,)⏎
ok       from a import *⏎
no       from a import b,‸⏎
no       from a import (‸)⏎
no       from a import (‸*)⏎
no       from a import b‸.c⏎
ok       del a, b.c, d[0], (e, [f]), ()⏎
no       del ‸*a⏎
no       del a()‸⏎
no       del a ‸+ b⏎
no       del‸⏎
no       print ‸a⏎
no       exec ‸"a"⏎

Targets
ok       a = b = c, *d = yield e⏎
ok       *a, b.c, d()[0] = e⏎
ok       (a) = [b] = (c, *d) = [*e] = () = []⏎
ok       "a".b = [].c = d⏎
no       a + b ‸= c⏎
no       a() ‸= b⏎
no       (*a‸) = b⏎
no       (a + b, c) ‸= d⏎
no       [a, b()] ‸= c⏎
no       None ‸= a⏎
no       "a" ‸= b⏎
no       not a ‸= b⏎
no       await a.b ‸= c⏎
no       a if b else c ‸= d⏎
no       a = yield b ‸= c⏎
no       (yield a) ‸= b⏎
no       a = b + c ‸= d⏎
ok       a += b, c⏎
ok       (a.b) @= yield⏎
ok       a >>= b; a //= b; a **= b⏎
no       a, b ‸+= c⏎
no       a += b ‸+= c⏎
no       [a] ‸-= b⏎
ok       a: b⏎
ok       a.b: c = d, *e⏎
ok       (a): b = yield c⏎
ok       a[0]: b⏎
no       a, b‸: c⏎
no       (a, b)‸: c⏎
no       a()‸: b⏎
no       a: b‸, c⏎
no       a: b = c ‸= d⏎

Cases
ok       match a:⏎  case b: c⏎  case _: d⏎
ok       match a, *b:⏎  case c, *_: d⏎
ok       match (a):⏎  case (b): c⏎
ok       match -a:⏎  case -1 | -2j | 3 - 4j | "b" "c" | None | True: d⏎
ok       match a:⏎  case b.c | d() | e.f(g, h=i,): j⏎
ok       match a:⏎  case [b, *c, d] | (e, *f) | (g,) | () | []: h⏎
ok       match a:⏎  case {"b": c, d.e: f, -1: g, **h,}: i⏎
ok       match a:⏎  case (b as c) | d as e if f := g: h⏎
ok       match a:⏎  case a(_=1, _=2): b⏎
ok       match = case = type = _ = a; match.b; case(c); type[d]; _.e⏎
ok       match(a, b); match[a:b]; match * a; match - a; match: a; match, case⏎
ok       print(match, case=type, _=_)⏎
no       match a:⏎  ‸b⏎
no       match a: ‸case b: c⏎
no       match *a‸:⏎  case b: c⏎
no       match a:⏎  case *b‸: c⏎
no       match a:⏎  case b as ‸_: c⏎
no       match a:⏎  case {**‸_}: b⏎
no       match a:⏎  case {**b, ‸"c": d}: e⏎
no       match a:⏎  case {b‸: c}: d⏎
no       match a:⏎  case _‸.b: c⏎
no       match a:⏎  case _‸(b): c⏎
no       match a:⏎  case b(c=d, e‸): f⏎
no       match a:⏎  case b(c, _‸=d): e⏎
no       match a:⏎  case 1 + ‸2: b⏎
no       match a:⏎  case 1j ‸+ 2j: b⏎
no       match a:⏎  case ‸+1: b⏎
no       match a:⏎  case b ‸+ c: d⏎
no       match a:⏎  case (*b‸): c⏎
no       match a:⏎  case b: c⏎  ‸d⏎

Expressions
ok       a if b else c if d else lambda: e⏎
no       a if b‸⏎
no       a if ‸lambda: b else c⏎
ok       not not a or b and not c⏎
ok       a < b <= c is not d not in e != f⏎
no       a == ‸not b⏎
no       - ‸not a⏎
no       a not ‸b⏎
no       a <‸> b⏎
ok       a | b ^ c & d << e >> f + g - h * i / j // k % l @ m ** -n⏎
ok       -+~a ** await b.c[d](e)⏎
no       await ‸-a⏎
no       await ‸await a⏎
no       a ‸! b⏎
no       a ‸? b⏎
no       a++‸⏎
ok       ...; a. b; a . b⏎
ok       True.a; "a".b; 1 .c; 1..d; (e).f; [].g; {}.h; ....i⏎
no       a‸.1⏎
no       a.‸if⏎
ok       (a := b), [c := d], {e := f}, g[h := i], j(k := l)⏎
no       a ‸:= b⏎
no       (a.b ‸:= c)⏎
no       (a := b ‸:= c)⏎
ok       (yield), (yield a), (yield from b)⏎
no       a + ‸yield⏎
no       lambda: ‸yield⏎
ok       a[b], a[b:c, ::d, ...], a[*b], a[*b, c], a[:], a[b,]⏎
no       a[‸]⏎
no       a[*b‸:c]⏎
no       a[b := c‸:d]⏎
no       a[‸,]⏎

Collections
ok       (), (a,), (a, b), (*a,), (*a, b := c)⏎
no       (*a‸)⏎
no       (‸,)⏎
no       (‸**a)⏎
ok       [], [a], [*a, b,], [a := b]⏎
no       [a ‸b]⏎
no       [a,‸, b]⏎
ok       {}, {a}, {*a, b}, {a: b}, {**a, b: c,}⏎
no       {a, b‸: c}⏎
no       {a: b, c‸}⏎
no       {*a, b‸: c}⏎
no       {**a, b‸}⏎
no       {a: ‸*b}⏎
no       {a: b ‸:= c}⏎
ok       [a for b in c if d if e for *f, in g]⏎
ok       {a: b async for c in d}, {a := b for c in d}, (a for b in c)⏎
no       [*a ‸for a in b]⏎
no       {**a ‸for a in b}⏎
no       [a, b ‸for a in b]⏎
no       [a for b ‸+ c in d]⏎
no       [a for b in c if d ‸else e]⏎
no       [a for b in ‸lambda: c]⏎
no       [a for b in c‸, d]⏎

Calls
ok       a(), a(b,), a(*b, c, *d), a(b=c, *d, e=f, **g, h=i, **j)⏎
ok       a(b for b in c), a((b for b in c), d), a(b := c for d in e)⏎
no       a(b=c, d‸)⏎
no       a(**b, ‸*c)⏎
no       a(**b, c‸)⏎
no       a(b for b in c‸, d)⏎
no       a(b for b in c‸,)⏎
no       a(b, c ‸for c in d)⏎
no       a(b=c ‸for c in d)⏎
no       a(b.c‸=d)⏎
no       a(b=‸*c)⏎
no       a(None‸=b)⏎
no       a(‸,)⏎

Numbers
ok       0, 00, 0_0, 1_000, 0x_fF, 0o_17, 0b_01⏎
ok       1., .5, 1.5e-1_0, 1e5, 0_1.5, 09.5, 09e1⏎
ok       1j, 1.5J, 1e5j, 09j, 0j⏎
ok       1if a else 2; 1or 2; 0x1for a in b; 1in a; [1for a in b]; 1not in a; 1is a⏎
no       1‸a⏎
no       1‸_⏎
no       1‸__0⏎
no       0‸777⏎
no       0‸_7⏎
no       ‸0x⏎
no       ‸0or a⏎
no       0b1‸2⏎
no       1‸e⏎
no       1.‸a⏎
no       raise ‸1from a⏎
no       with ‸1as a: b⏎
no       [‸1async for a in b]⏎

Names
ok       é = naïve_ = 变量 = ªº = x̄ = 𝔘⏎
no       ‸² = a⏎
no       a‸€ = b⏎
no       a‸’b⏎
no       a = ‸$b⏎

Texts
ok       '' "" '''''' """""" 'a' "b" '''c''' """d"""⏎
ok       'a"b' "c'd" '''e'f''g"''' """h"i""j'"""⏎
ok       'a\'b\\' "c\⏎d" '''e⏎f\''''⏎
ok       u'a' U"b" r'\'' R"\x" '\x41 \u00e9 \U0001F600 \N{SNOWMAN} \8 \q'⏎
ok       b'a' B"b" br'\x' Rb"c" bR'''d⏎e''' b'\x41 \u12 \N{}'⏎
ok       'é' r'é' '''é'''⏎
no       ‸'a⏎
no       ‸'a⏎b'⏎
no       '''a'⏎
no       ''''⏎
no       ‸'\x4'⏎
no       ‸'\u00e'⏎
no       ‸'\U00110000'⏎
no       ‸'\N'⏎
no       b‸'é'⏎
no       b‸'\x4'⏎
no       ur‸'a'⏎
no       ub‸'a'⏎
no       'a' ‸b'b'⏎
no       b'a' ‸'b'⏎
no       b'a' ‸f'b'⏎

Texts with fields
ok       f'' F"" rf'''a''' fR"""b""" 'c' f'd' u'e'⏎
ok       f'a{b}c{{d}}e{ f }{{{g}}}'⏎
ok       f'{a!r}{b!s:c}{d:>{e}.{f!a}}{g:}'⏎
ok       f'{a=}{b = }{c=!r:^10}{d:=^5}{e == f}{g != h}'⏎
ok       f'{a, b}{*c, d}{yield e}{f if g else h}{(lambda: i)}{(j := k)}{l:=m}'⏎
ok       f'{ {1: 2}[a] }{b["c"]}{d[e:f]}{"}"}'⏎
ok       f"{a:{'b'}}{f'{c}'}{'''d'''}"⏎
ok       f'''{⏎a⏎}'b''c"{d:⏎}'''⏎
ok       f"""a'b"c""{d['e']}"""⏎
ok       f'\N{SNOWMAN}\{a}\x41{b:\n}'⏎
ok       rf'\N{a}\{b}\x'⏎
no       f'a‸}'⏎
no       f'{‸}'⏎
no       f'{ ‸!r}'⏎
no       f'{a ‸b}'⏎
no       f'{a‸!x}'⏎
no       f'{‸lambda: a}'⏎
no       f'{a if b else ‸lambda: c}'⏎
no       f'{a‸'⏎
no       f'{a:{b‸'⏎
no       f'‸\x{a}'⏎
no       f'‸\N'⏎
no       f'''a'⏎
ok  3.12 f'{a['b']}'⏎
ok  3.12 f'{a⏎}'⏎
ok  3.12 f'{*a}{b!r }{c:{d:{e}}}{"\n"}'⏎
ok -3.11 f'{a for a in b}'⏎
ok  3.14 t'a{b!r:>{c}}' T"d" rt'''\{e}'''⏎
no       t'a' ‸'b'⏎
no       f'a' ‸t'b'⏎
`;

interface Row {
  readonly verdict: "ok" | "no";
  readonly since: number;
  readonly until: number;
  readonly source: string;
  /** The program, with the mark where it is refused. */
  readonly marked: string;
}

const marks: Readonly<Record<string, string>> = { "⏎": "\n", "⇥": "\t", "␌": "\f", "␍": "\r", "◇": "\ufeff" };

const sections = table
  .trim()
  .split("\n\n")
  .map((section) => {
    const [title, ...lines] = section.split("\n");
    return { title: title!, rows: lines.map(toRow) };
  });

function toRow(source: string): Row {
  const [, verdict, version] = /^(ok|no) *(-?3\.\d+)?/.exec(source)!;
  const minor = version === undefined ? 11 : Number(version.split(".")[1]);
  return {
    verdict: verdict as Row["verdict"],
    since: version?.startsWith("-") === true ? 0 : minor,
    until: version?.startsWith("-") === true ? minor : Number.POSITIVE_INFINITY,
    source,
    marked: source.slice(9).replace(/[⏎⇥␌␍◇]/gu, (mark) => marks[mark]!),
  };
}

function verdictOn(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const verdict = recognise(python, bytes);
  if (verdict.kind !== "refused") return verdict.kind;
  const before = new TextDecoder().decode(bytes.subarray(0, verdict.offset));
  return `${before}‸${text.slice(before.length)}`;
}

for (const { title, rows } of sections) {
  test.each(rows)(`${title}: $source`, ({ verdict, marked }) => {
    const expected = verdict === "ok" ? "whole" : marked.includes("‸") ? marked : "unfinished";
    expect(verdictOn(marked.replace("‸", ""))).toBe(expected);
  });
}

const script = `
import ast, json, sys, warnings
warnings.simplefilter("ignore")
def takes(text):
    try:
        ast.parse(text.encode())
        return True
    except (SyntaxError, ValueError):
        return False
print(json.dumps([sys.version_info[1], [takes(text) for text in json.load(sys.stdin)]]))
`;
const rows = sections.flatMap((section) => section.rows);
const input = JSON.stringify(rows.map(({ marked }) => marked.replace("‸", "")));
const answer = spawnSync("python3", ["-c", script], { input, encoding: "utf8" });

test.skipIf(answer.status !== 0)("CPython agrees with the expectations of this file", () => {
  const [minor, verdicts] = JSON.parse(answer.stdout) as [number, boolean[]];
  const wrong = rows.filter(
    ({ verdict, since, until }, i) => minor >= since && minor <= until && verdicts[i] !== (verdict === "ok"),
  );
  expect(minor < 11 ? [] : wrong.map(({ source }) => source)).toEqual([]);
});
