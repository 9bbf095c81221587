import { expect, test } from "vitest";
import type { EditOperation } from "../edit-operation.ts";
import { readAnswer } from "../reading/answer-reader.ts";
import { strReplace } from "../str-replace.ts";
import { shown, string } from "./place-cases.laws.ts";

// In a file `|` is `\n`; in an operation the text is literal. See `shown` for the notation of
// results.

const cases: readonly (readonly [before: string, ask: EditOperation, after: string])[] = [
  ["say hi|", string("hi", "ho"), "say ho|"],
  ["say hi|to all|", string("hi\nto", "ho\nfrom"), "say ho|from all|"],
  ["say hi|to all|", string("hi\n", "hi "), "say hi to all|"],
  ["say hi|to all|", string("\nto all\n", "\n"), "say hi|"],
  ["say hi|", string("hi\n", "hi"), "say hi"],
  ["say hi", string("hi", "hi\n"), "say hi|"],
  ["say hi|", string("say hi\n", ""), ""],
  ["say hi|", string("hi", "hi"), "say hi| !no-change"],
  ["say hi|", string("ho", "hum"), "say hi| !not-found"],
  ["hi hi|", string("hi", "ho"), "hi hi| !ambiguous"],
  ["hi hi|hi|", string("hi", "ho", { isEvery: true }), "ho ho|ho|"],
  ["aaaa|", string("aa", "b", { isEvery: true }), "bb|"],
  ["a|b|c|", string("\n", "", { isEvery: true }), "abc"],
  ["a|b|c|", string("\n", "\n\n", { isEvery: true }), "a||b||c||"],
  ["", string("", "a\nb"), "a|b"],
  ["b|", string("", "a\n"), "a|b|"],
  ["\ufeffb|", string("", "a\n"), "\ufeffa|b|"],
  ["a\r|b\r|", string("a\nb", "x\ny\nz"), "x\r|y\r|z\r|"],
  ["a\r|b|", string("a\r\nb", "x\ny"), "x\r|y|"],
  ["a\r|b\r|a\r|\r|b\r|", string("a\n\nb", "x"), "a\r|b\r|x\r|"],
  ["a\rb\r", string("a\nb", "x\ny"), "x\ry\r"],
  ["a\rb|", string("a\rb", "c\rd"), "c\rd|"],
  ["  if aa:|    bb|", string("if aa:\n  bb", "if aa:\n  cc"), "  if aa:|    cc| (indentation)"],
  ["  aa|", string("    aa\n", "    bb\n"), "  bb| (indentation)"],
  ["  aa|bb|", string("    aa\n", "    cc"), "  cc|bb| (white-space)"],
  ["say “hi” now|", string('"hi"', '"ho"'), "say “ho” now| (typography)"],
  ["if (a < bb) x|", string("(a &lt; bb)", "(a &gt; bb)"), "if (a > bb) x| (escapes)"],
  ["x(a < b) y(a < b)|", string("(a &lt; b)", "(a)"), "x(a < b) y(a < b)| !ambiguous"],
  ["x “hi” y “hi”|", string('"hi"', '"ho"'), "x “hi” y “hi”| !ambiguous"],
  ['say "hi" now|', string("say “hi”", "say “ho”"), 'say "ho" now| (typography)'],
  ["f(a,|  b);|", string("f(a, b);", "f(a);"), "f(a);| (white-space)"],
  ["ff(a, b);|ff( a,b );|", string("ff(a,b);", "ff(a);"), "ff(a, b);|ff( a,b );| !ambiguous"],
  ["new text|", string("old text", "new text"), "new text| !already-applied"],
  ["aa|bb|", string("aa", "// ... existing code ...\ncc"), "aa|bb| !elided-code"],
];

/** White space never joins or splits words, operators or strings: none of these is found. */
const joined: readonly (readonly [before: string, search: string])[] = [
  ["    valid: boolean;|", "  id: boolean;"],
  ["concat(x)|", " cat(x)"],
  ["newFoo(1)|", "new Foo(1)"],
  ["new Foo(1)|", "newFoo(1)"],
  ['x = "notable"|', '"not able"'],
  ['x = "not able"|', '"notable"'],
  ['x = "a  b"|', '= "a b"'],
  ['  x = "a  b"|', 'x = "a b"'],
  ["x = 'a  b' + c|", "x = 'a b' + c"],
  ["f(`a  b`)|", "f( `a b` )"],
  ["f(`a|  b`, c)|", "f(`a b`, c)"],
  ['f("""a|  b""",  c)|', 'f("""a b""", c)'],
  ["f(r'a  b')|", "f(r'a b')"],
  ["const gap = /a  b/;|", "const gap = /a b/;"],
  ["return /[/]  b/.test(x) ;|", "return /[/] b/.test(x);"],
  ["x.match( /\\/  b/)|", "x.match(/\\/ b/)"],
  ['let s = r#"a "x  y" b"#;|', 'let s = r#"a "x y" b"#;'],
  ["a - -b|", "a --b"],
  ["a = = b|", "a == b"],
  ["a > > b|", "a >> b"],
  ["x.toString (1 .5)|", "x.toString(1.5)"],
  ["return value|", "returnvalue"],
  ["elseif (x)|", "else if (x)"],
  ["tail(x , y)|", "il(x, y)"],
  ["f(x , yes)|", "f(x, y"],
  [".a .b {}|", ".a.b{}"],
  ["git --flag  x|", "git -- flag x"],
];

test.each(joined)("row 20: %j has no %j, whatever the white space", (before, search) => {
  expect(shown(before, string(search, "zz"))).toBe(`${before} !not-found`);
});

test.each<readonly [before: string, ask: EditOperation, after: string]>([
  ["f( a,b )|", string("f(a, b)", "f(a)"), "f(a)| (white-space)"],
  ["x=a+b;|", string("x = a + b", "x = a"), "x = a;| (white-space)"],
  ["a  = don't|  b|", string("a = don't b", "a = b"), "a = b| (white-space)"],
  ["list|  .map(f)|  .at(0);|", string("list.map(f).at(0)", "list.at(0)"), "list.at(0);| (white-space)"],
  ["x = a /  b / c|", string("x = a / b / c", "x = a"), "x = a| (white-space)"],
  ["<A b  />|", string("<A b />", "<A />"), "<A />| (white-space)"],
  ['f( "a  b",c )|', string('f("a  b", c)', 'f("a  b")'), 'f("a  b")| (white-space)'],
  ["foo(x , y)|", string(" foo(x, y)", " bar(x)"), "bar(x)| (white-space)"],
  // The new text would merge with the text before it.
  ["foo(x , y)|", string(" (x, y)", " bar(x)"), "foo(x , y)| !not-found"],
])("row 20: %j with other white space between words: %j", (before, ask, after) => {
  expect(shown(before, ask)).toBe(after);
});

for (const [before, ask, after] of cases) {
  test(`a string is placed in ${JSON.stringify(before)} with ${JSON.stringify(ask)}`, () =>
    expect(shown(before, ask)).toBe(after));
}

/** Edits as models write them in JSON, with unescaped backslashes. In the file `|` is `\n`. */
test.each([
  [String.raw`a|\title{Old}|`, String.raw`"\title{Old}","\begin{New}"`, String.raw`a|\begin{New}| (escapes)`],
  [String.raw`a|\title{Old}|`, String.raw`"\title{Old}","\title{New}"`, String.raw`a|\title{New}| (escapes)`],
  [
    String.raw`\newcommand{a}|`,
    String.raw`"\newcommand{a}","\renewcommand{a}"`,
    String.raw`\renewcommand{a}| (escapes)`,
  ],
  [String.raw`\frac{a}{b}|`, String.raw`"\frac{a}","\frac{b}\newline"`, String.raw`\frac{b}\newline{b}| (escapes)`],
  [
    String.raw`\begin{a}|\title{b}|`,
    String.raw`"\begin{a}\n\title{b}","\title{c}\n"`,
    String.raw`\title{c}|| (escapes)`,
  ],
  [String.raw`say \title "a"|`, String.raw`"\title \"a\"","\tiny"`, String.raw`say \tiny| (escapes)`],
  [String.raw`x = /a\/b/|`, String.raw`"/a\/b/","/a\/c/"`, String.raw`x = /a\/c/| (escapes)`],
  [String.raw`\title{a} \title{a}|`, String.raw`"\title{a}","\title{b}"`, String.raw`\title{a} \title{a}| !ambiguous`],
  ["a\ttitle|", String.raw`"a\ttitle","a\tname"`, "a\tname|"],
  // No format may write a control character that the file does not have.
  ["old|", String.raw`"old","\begin{New}"`, "old| !control-character"],
  ["old|", String.raw`"old","\u001b[31m"`, "old| !control-character"],
  ["old\f|", String.raw`"old","\fnew"`, "\fnew\f|"],
])("row 24: %j, with backslashes that are not escaped in JSON: %s", (before, texts, expected) => {
  const [old, fresh] = texts.split(/(?<="),(?=")/);
  const { operations } = readAnswer(
    strReplace.read({ paths: ["a.ts"] }),
    `{"path":"a.ts","old_string":${old},"new_string":${fresh}}`,
  );
  expect(shown(before, operations)).toBe(expected);
});

test.each<EditOperation>([
  { kind: "block", row: 0, path: "a.ts", search: ["aa"], replace: ["a\u0000"] },
  { kind: "lines", row: 0, path: "a.ts", start: 0, end: 1, lines: ["\u001b"], anchors: [] },
  { kind: "whole", row: 0, path: "a.ts", lines: ["aa", "\b"] },
  { kind: "create", row: 0, path: "b.ts", lines: ["\u0007"] },
])("row 24: no control character that the file does not have is written: %j", (ask) => {
  expect(shown("aa|", ask)).toBe("aa| !control-character");
});
