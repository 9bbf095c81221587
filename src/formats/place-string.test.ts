import { expect, test } from "vitest";
import type { Ask } from "./ask.ts";
import { shown, string } from "./place-cases.laws.ts";

// In a file `|` is `\n`; in an ask text is as it is. See `shown` for what stands behind a text.

const cases: readonly (readonly [before: string, ask: Ask, after: string])[] = [
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

for (const [before, ask, after] of cases) {
  test(`${JSON.stringify(before)} with ${JSON.stringify(ask)}`, () => expect(shown(before, ask)).toBe(after));
}
