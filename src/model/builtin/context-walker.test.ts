// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of other languages.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { law } from "../../text/edit.laws.ts";
import { anyCode, lex } from "./builtin.laws.ts";
import { ContextWalker, contextNames } from "./context-walker.ts";
import { Vocabulary } from "./vocabulary.ts";

/** A walker that has read `text`. */
function read(
  text: string,
  language = "typescript",
  walker?: ContextWalker,
  vocabulary = new Vocabulary(),
): ContextWalker {
  const { tokens } = lex(text, language, vocabulary);
  const reader = walker ?? new ContextWalker(vocabulary);
  for (const token of tokens) reader.push(token >> 2);
  return reader;
}

/** The hash of each context at the place reached, by its name. */
function contexts(walker: ContextWalker): Record<string, number> {
  walker.look();
  return Object.fromEntries(contextNames.map((name, context) => [name, walker.hashes[context]!]));
}

const shapes = contextNames.filter((name) => name.startsWith("shape "));

describe("contexts of the builtin model", () => {
  law("depend on what was read, not on the vocabulary or the walker's past", [anyCode, anyCode], (text, past) => {
    const vocabulary = new Vocabulary();
    const used = read(past, "typescript", undefined, vocabulary);
    used.reset();
    expect(contexts(read(text, "typescript", used, vocabulary))).toEqual(contexts(read(text)));
  });

  const anyStart = fc.oneof(anyCode, fc.constantFrom("f(a)", "g(b, [", "a: Map;\na", "if (a) {\n  b", "import { a"));
  const anyRest = fc.oneof(anyCode, fc.constantFrom(".", ", c", "\n", ")"));
  law("are the same for a copy, however it came about", [anyCode, anyStart, anyRest], (past, text, more) => {
    const vocabulary = new Vocabulary();
    const original = read(text, "typescript", undefined, vocabulary);
    const copy = read(past, "typescript", undefined, vocabulary);
    copy.copy(original);
    expect(contexts(copy)).toEqual(contexts(original));
    for (const walker of [original, copy]) read(more, "typescript", walker, vocabulary);
    expect(contexts(copy)).toEqual(contexts(original));
  });

  const rename = { a: "first", foo: "second", fooBar: "third", é: "fourth" };
  law("of shape do not change when names do", [anyCode], (text) => {
    // Words of this notation that stand alone: neither part of a longer one nor of a mark such as
    // `0x1f`.
    const renamed = text.replace(/[\p{L}\p{N}_$\ud800-\udfff\u2028]+/gu, (word) => rename[word as "a"] ?? word);
    const [before, after] = [contexts(read(text)), contexts(read(renamed))];
    for (const shape of shapes) expect(after[shape], shape).toBe(before[shape]);
  });

  const anyCopying = fc.tuple(anyStart, anyCode, anyRest, fc.boolean());
  law("of a copy are its own, settled or not", [anyCopying], ([text, other, more, settled]) => {
    const [copied, alone] = [new Vocabulary(), new Vocabulary()];
    const original = read(text, "typescript", undefined, copied);
    const expected = read(text, "typescript", undefined, alone);
    if (settled) original.settle();
    const copy = new ContextWalker(copied);
    copy.copy(original);
    read(`: Map;\n${other}`, "typescript", copy, copied);
    read(more, "typescript", original, copied);
    read(more, "typescript", expected, alone);
    expect(contexts(original)).toEqual(contexts(expected));
  });
});

describe("two places share a context of the builtin model", () => {
  // The place is the end of each text.
  it.each([
    ["last token", "f(a", "g[a", true],
    ["last token", "f(a", "f(b", false],
    ["last 2 tokens", "x + f(", "y - f(", true],
    ["last 2 tokens", "f(", "g(", false],
    ["last 5 tokens", "z = a.b.c", "y = a.b.c", true],
    ["last 5 tokens", "a = b.c", "a = d.c", false],
    ["shape of the last 5 tokens", "a.f(a", "b.g(b", true],
    ["shape of the last 5 tokens", "a.f(a", "b.g(c", false],
    ["shape of the line so far", "const a = b(1", "const c = d(2", true],
    ["shape of the line so far", "x\nconst a = b(1", "y;\nconst a = b(1", true],
    ["shape of the line so far", "const a = b(1", "const a = a(1", false],
    ["line so far and line before", "z;\na(\nb", "y;\na(\nb", true],
    ["line so far and line before", "a;\nb", "c;\nb", false],
    ["line so far and parent line", "if (a) {\n  b\n  c", "if (d) {\n  c", true],
    ["line so far and parent line", "if (a) {\n  b\n  c", "for (d) {\n  c", false],
    ["shape of the line so far and the line before", "a = 1;\nb", "c = 2;\nd", true],
    ["shape of the line so far and the line before", "a = 1;\nb", "a += 1;\nb", false],
    ["argument place", "f(a, g(b), ", "f(1, [2, 3], ", true],
    ["argument place", "f(a, ", "f(a, b, ", false],
    ["argument place", "f(a, ", "g(a, ", false],
    ["receiver", "a: Map;\na.", "b: Map;\nb.", true],
    ["receiver", "const a = new Map();\na.", "const b = new Map();\nc;\nb.", true],
    ["receiver", "const a = await load();\na.", "const b = load();\nb.", true],
    ["receiver", "a?: Map;\na.", "b: Map;\nb.", true],
    ["receiver", "a: Map;\na.", "a: Set;\na.", false],
    ["receiver", "f(a).", "f(b, 1).", true],
    ["receiver", "f(a).", "g(a).", false],
  ] as [(typeof contextNames)[number], string, string, boolean][])("%s: %j and %j: %s", (name, one, other, same) => {
    expect(contexts(read(one))[name] === contexts(read(other))[name]).toBe(same);
  });

  it("only if the next line has the same beginning, for contexts that include it", () => {
    const before = (next: string): Record<string, number> => {
      const vocabulary = new Vocabulary();
      const walker = read("a(", "typescript", undefined, vocabulary);
      const [first = 0, second = 0] = lex(next, "typescript", vocabulary).tokens.map((token) => token >> 2);
      walker.setNextLine(first, second);
      return contexts(walker);
    };
    const [one, alike, other] = ["}\n", "}\nx", "return x"].map(before);
    expect(alike).toEqual(one);
    const changed = contextNames.filter((name) => one![name] !== other![name]);
    expect(changed).toEqual(contextNames.filter((name) => name.includes("next line")));
  });
});

describe("a context walker knows its position", () => {
  it.each([
    ["typescript", "a", "code"],
    ["typescript", 'f("a', "string"],
    ["typescript", 'f("a")', "code"],
    ["python", '"""a\nb', "string"],
    ["typescript", "`a\nb", "string"],
    ["typescript", "`a${b", "code"],
    ["typescript", "`a${{ b: 'c' }", "code"],
    ["typescript", "`a${{ b: 'c' }.b}d", "string"],
    ["typescript", "`a${b}`", "code"],
    ["typescript", "/'(/", "code"],
    ["typescript", "a // b", "comment"],
    ["python", "a # b", "comment"],
    ["typescript", "/* a\nb", "comment"],
    ["typescript", "/* a */ b", "code"],
    ["html", "<!-- a --><b", "code"],
    ["typescript", "this.#a = b", "code"],
    ["typescript", "// a\nb", "code"],
    ["typescript", "a = 'b\nc", "code"],
  ])("%s, %j: in %s", (language, text, expected) => {
    const { inString, inComment } = read(text, language);
    expect(inString ? "string" : inComment ? "comment" : "code").toBe(expected);
  });

  it.each([
    ["typescript", "import { a", true],
    ["typescript", "import {\n  a,\n  b", true],
    ["typescript", "import {\n  a,\n} from 'b", true],
    ["python", "from a import b", true],
    ["rust", "use a::b", true],
    ["typescript", "const a", false],
    ["typescript", "const a = import(b", false],
    ["typescript", "import { a } from 'b';\na", false],
  ])("%s, %j: in an import: %s", (language, text, expected) => {
    expect(read(text, language).inImport).toBe(expected);
  });
});
