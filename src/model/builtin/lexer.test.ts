// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of other languages.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fixtures } from "../../syntax/node/fixtures/read-fixtures.ts";
import { law } from "../../text/edit.laws.ts";
import { anyCode, type Lexed, lex, showTokens } from "./builtin.laws.ts";
import { lexRulesOf } from "./lex-rules.ts";
import { indentUnitOf, Lexer } from "./lexer.ts";
import { firstTextId, isNewline } from "./token.ts";
import { Vocabulary } from "./vocabulary.ts";

// Tokens are written as in builtin.laws.ts: `if! (+·x·)-  {+ ↵+1 y` is `if (x)  {` and, one step
// deeper, `y`.

describe("the lexer splits a text into tokens", () => {
  it.each([
    // Names, keywords, numbers, brackets, operators.
    ["typescript", "", ""],
    ["typescript", "const a = f(1);", "const! a = f·(+·1#·)-·;"],
    ["typescript", "a?.b ?? c === d", "a·?.·b ?? c === d"],
    ["typescript", "$el _x 1.5e3 0x1f 1..2", "$el _x 1.5e3# 0x1f# 1#·..·2#"],
    ["typescript", "naïve 变量 a😀b", "naïve 变量 a😀b"],
    // White space.
    ["typescript", "a  b\tc\u00a0d e ", "a  b  c  d e"],
    ["typescript", "\ufeffa", "a"],
    // Line breaks carry the change of indentation in steps.
    ["typescript", "if (a) {\n  b;\n}\n", "if! (+·a·)- {+ ↵+1 b·; ↵-1 }- ↵"],
    ["typescript", "a\r\n\r\n  b\r  c\n", "a ↵↵+1 b ↵ c ↵-1"],
    ["go", "if a {\n\tb\n\t\tc\n}", "if! a {+ ↵+1 b ↵+1 c ↵-2 }-"],
    ["python", "a:\n    b:\n        c\nd", "a·: ↵+1 b·: ↵+1 c ↵-2 d"],
    ["python", "a\n  \n \t \nb", "a ↵↵ b"],
    // Strings, and strings that are not closed.
    ["typescript", `f("a b", 'it"s')`, `f·(+·"<·a b·">·, '<·it·"·s·'>·)-`],
    ["typescript", `"a\\"b" c`, `"<·a·\\"·b·"> c`],
    ["typescript", `"a{b\nc{`, `"<·a·{·b ↵ c·{+`],
    ["go", "`a\nb` c", "`<·a ↵ b·`> c"],
    ["python", `"""a "b"\n  c""" d`, `"""<·a "·b·" ↵+1 c·"""> d`],
    ["python", `'''a`, `'''<·a`],
    ["typescript", "'\\😀' a", "'<·\\😀·'> a"],
    // Regular expressions are strings; what divides is not.
    ["typescript", `/"/.x\ny`, `/<·"·/>·.·x ↵ y`],
    ["typescript", "/`/.x\n(y)", "/<·`·/>·.·x ↵ (+·y·)-"],
    ["typescript", "f(/\\/'(/g, 1)", "f·(+·/<·\\/·'·(·/>·g·, 1#·)-"],
    ["typescript", "return /a/ // b", "return! /<·a·/> //~ b"],
    ["typescript", "a / b / (c) / 2 / d", "a / b / (+·c·)- / 2# / d"],
    ["typescript", "a = /b\nc/", "a = /·b ↵ c·/"],
    ["python", "a = /b/", "a = /·b·/"],
    ["typescript", "/[/]/.x", "/<·[·/·]·/>·.·x"],
    ["typescript", "(number / 2) // a", "(+·number! / 2#·)- //~ a"],
    ["typescript", "i++ / 2; // a", "i·++ / 2#·; //~ a"],
    // Templates hold code, which holds templates.
    ["typescript", "`a${b}c`;", "`<·a·${+·b·}-·c·`>·;"],
    ["typescript", "`${ {a: `${b}`} }` c", "`<·${+ {+·a·: `<·${+·b·}-·`>·}- }-·`> c"],
    ["typescript", "`$a$${b}` `\\`${", "`<·$a$·${+·b·}-·`> `<·\\`·${+"],
    // Comments end with their line, or where they say.
    ["typescript", "a // it's 1\nb", "a //~ it·'·s 1# ↵ b"],
    ["typescript", "/** a\n * ---- `b` */ c", "/*~<·* a ↵ * ---- `·b·` */~> c"],
    ["typescript", "this.#a", "this!·.·#·a"],
    ["python", "a # 'b\nc", "a #~ '·b ↵ c"],
    ["shellscript", `echo "$a" # b`, `echo! "<·$a·"> #~ b`],
    ["rust", "fn f<'a>(x: &'a T)", "fn! f·<·'·a·>·(+·x·: &·'·a T·)-"],
    // Markup in code.
    ["typescriptreact", "<A b={c}>\n  d</A>", "<·A b·=·{+·c·}-·> ↵+1 d·</·A·>"],
    ["typescriptreact", "<a />", "<·a />"],
    ["html", `<!-- a --><p id="x">`, `<!--~< a -->~>·<·p id·=·"·x·"·>`],
    ["css", "#a { b: 1px }", "#·a {+ b·: 1px# }-"],
    ["json", `{"a": [1, true]}`, `{+·"<·a·">·: [+·1#·, true!·]-·}-`],
    ["nothing known", `say "a" // b`, `say "·a·" /·/ b`],
  ])("%s: %j", (language, text, expected) => {
    expect(showTokens(lex(text, language))).toBe(expected);
  });

  // The text that another one continues is before the mark `|`.
  it.each([
    ["typescript", "a 'b|c' d", "c·'> d"],
    ["typescript", "a 'b|\n'c'", "↵ '<·c·'>"],
    ["typescript", "'a' |'b'", "'<·b·'>"],
    ["typescript", "`a${b|}c`;", "}-·c·`>·;"],
    ["typescript", "`a|${`b`}`", "${+·`<·b·`>·}-·`>"],
    ["typescript", "// 'a| 'b'\n'c'", " '·b·' ↵ '<·c·'>"],
    ["typescript", "/* 'a|' */ 'b'", "' */~> '<·b·'>"],
    ["python", `"""a|"b""" c`, `"·b·"""> c`],
  ])("%s: %j", (language, marked, expected) => {
    const vocabulary = new Vocabulary();
    const lexer = new Lexer(vocabulary);
    for (const [i, text] of marked.split("|").entries()) lexer.lex(text, lexRulesOf(language), 4, i > 0);
    const { tokens, starts, length, end } = lexer;
    expect(
      showTokens({ vocabulary, tokens: [...tokens.subarray(0, length)], starts: [...starts.subarray(0, length)], end }),
    ).toBe(expected);
  });
});

describe("tokens of the lexer", () => {
  const any = [anyCode, fc.constantFrom("typescript", "python", "html", "php", "nothing known")] as const;

  law("tell the text, but for white space", [...any], (text, language) => {
    expect(withoutTokens(text, lex(text, language))).toMatch(/^[\s\0]*$/);
  });

  law("begin in order, and end where `end` says", [...any], (text, language) => {
    const { starts, end } = lex(text, language);
    expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
    expect(starts.every((start) => start < end)).toBe(true);
    expect(text.slice(end)).toMatch(/^(?:[^\S\r\n]|\0)*$/);
  });

  law("do not depend on what else is in the vocabulary", [anyCode, anyCode], (text, other) => {
    const { vocabulary } = lex(other);
    expect(showTokens(lex(text, "typescript", vocabulary))).toBe(showTokens(lex(text)));
  });

  law("are all given back to the vocabulary", [...any], (text, language) => {
    const { vocabulary, tokens } = lex(text, language);
    for (const token of tokens) vocabulary.release(token >> 2);
    expect(vocabulary.size).toBe(0);
    expect(vocabulary.counts.every((count) => count === 0)).toBe(true);
  });

  it.each(fixtures.map(({ name, language, text }) => [name, language, text]))("of %s tell it", (_, language, text) => {
    const lexed = lex(text, language);
    expect(withoutTokens(text, lexed)).toMatch(/^\s*$/);
    // With other line endings there are the same tokens at other places.
    expect(showTokens(lex(text.replaceAll("\n", "\r\n"), language))).toBe(showTokens(lexed));
  });
});

/** What is left of a text when the text of each token is cut out of it. */
function withoutTokens(text: string, { vocabulary: { names }, tokens, starts }: Lexed): string {
  let left = "";
  let at = 0;
  for (const [i, token] of tokens.entries()) {
    const id = token >> 2;
    left += text.slice(at, starts[i]);
    at = starts[i]!;
    expect(isNewline(id) && !/[\r\n]/.test(text[at] ?? "")).toBe(false);
    if (id < firstTextId) continue;
    expect(text.startsWith(names[id]!, at)).toBe(true);
    at += names[id]!.length;
  }
  return left + text.slice(at);
}

describe("the width of an indentation step", () => {
  it.each([
    ["", 4],
    ["a\nb", 4],
    ["a\n  b\n    c\n  d", 2],
    ["a\n    b\nc\n    d\n      e", 4],
    ["a\n   b", 3],
    ["a\n\tb\n  c", 4],
    ["a\r\n\r\n  b\r\n", 2],
    // A continued line is deeper than any step.
    [`a\n${" ".repeat(12)}b`, 4],
  ])("of %j is %i", (text, expected) => {
    expect(indentUnitOf(text)).toBe(expected);
  });
});
