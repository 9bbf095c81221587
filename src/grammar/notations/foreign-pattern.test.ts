import { describe, expect, test } from "vitest";
import { recognise } from "../hole/recognise.ts";
import { compileGrammar } from "../tables/compile-grammar.ts";
import { parseLark } from "./lark.ts";

const encoder = new TextEncoder();

function kindsOf(grammar: NonNullable<ReturnType<typeof parseLark>["grammar"]>, texts: readonly string[]) {
  const { compiled } = compileGrammar(grammar);
  return texts.filter((text) => recognise(compiled!, encoder.encode(text)).kind === "whole");
}

describe("row 40: Lark's patterns are Python's", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["\\w+", ["abc", "é1_", "日本", "Ⅷ", "٣"], ["a-b", "a b"]],
    ["\\d+", ["12", "٣٤"], ["Ⅷ", "a"]],
    ["\\s", [" ", "\t", "\u001c", "\u0085", "\u3000"], ["\ufeff", "a"]],
    ["[^\\W\\d]+", ["a", "é_"], ["1", "-"]],
    ["\\W", ["-", " "], ["é", "_"]],
    ['".*?"', ['"a"', '""'], ['"a"b"', '"']],
    ["/\\*[^@]*?\\*/", ["/**/", "/* a * b **/"], ["/* a */ b */", "/*"]],
    ["'[^\\n]*?'", ["'a'", "''"], ["'a'b'", "'\n'"]],
    ["[\\w-]+", ["a-é", "٣_"], ["a b", "a.b"]],
    ["<.*?->", ["<->", "<--->", "<a-b->"], ["<a-> b->"]],
  ])("row 40: /%s/ matches the texts that it matches in Python", (pattern, taken, refused) => {
    const { grammar, issues } = parseLark(`start: T\nT: /${pattern.replaceAll("/", "\\/")}/\n`);
    expect(issues).toEqual([]);
    expect(kindsOf(grammar!, [...taken, ...refused])).toEqual(taken);
  });

  test("row 40: a lazy string ends at its first quote, so that another token may follow", () => {
    const { grammar } = parseLark('start: T "b" T\nT: /".*?"/\n');
    expect(kindsOf(grammar!, ['"x"b"y"', '"x"y"'])).toEqual(['"x"b"y"']);
  });

  test.each([
    ["/a+?b*/", 8, "`+?`"],
    ["/(ab)*?c/", 11, "`*?`"],
    ["/x{2,}?y/", 8, "`{2,}?`"],
    ["/a??b/", 8, "`??`"],
    ["/[^a]*+a/", 11, "`*+`"],
  ])("row 40: %s is refused with its place", (pattern, column, written) => {
    const { grammar, issues } = parseLark(`start: T\nTX: "x"\nT: ${pattern}\n`.replace("TX", "X"));
    expect(grammar).toBeUndefined();
    expect(issues[0]).toMatchObject({ severity: "error", line: 2, message: expect.stringContaining(written) });
    expect(issues[0]!.column).toBe(column - 3);
  });

  test("row 40: the terminals of Lark's `common` stay ASCII", () => {
    const { grammar } = parseLark("%import common.INT\nstart: INT\n");
    expect(kindsOf(grammar!, ["12", "٣٤"])).toEqual(["12"]);
  });
});
