// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of another language.
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { compileLanguage } from "../fixtures/compile-language.ts";
import { compileText } from "../fixtures/compile-text.ts";
import { Parser } from "../reading/parser.ts";
import { PrefixReader } from "../reading/prefix-reader.ts";
import { Reader } from "../reading/reader.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import { FillSession, openHole } from "./fill-session.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const zerosAndOnes = compileText(`
grammar zerosAndOnes
Text = () | "0" Text "1"
`);
const javascript = compileLanguage("javascript");
const json = compileLanguage("json");
const python = compileLanguage("python");
const languages = { javascript, json, python };

/** The filling is between `«` and `»`; a further hole is `…`. */
function fill(grammar: CompiledGrammar, text: string) {
  const [before, filling, behind] = text.split(/[«»]/) as [string, string, string];
  const opening = openHole(grammar, { before, behind: behind.split("…") });
  if (opening.kind !== "open") return opening;
  const { hole } = opening;
  return { kind: "open", hole, filling: hole.add(hole.empty, encoder.encode(filling)) } as const;
}

/** `stop`: may stop as it is. `go on`: may not, but can become a whole text. `dead`: cannot. */
function verdict(grammar: CompiledGrammar, text: string): string {
  const filled = fill(grammar, text);
  if (filled.kind !== "open") return filled.kind;
  const { hole, filling } = filled;
  if (hole.canStop(filling)) return "stop";
  return hole.isAlive(filling) ? "go on" : "dead";
}

function ending(grammar: CompiledGrammar, text: string): string | undefined {
  const filled = fill(grammar, text);
  if (filled.kind !== "open") return filled.kind;
  const bytes = filled.hole.shortestEnding(filled.filling);
  return bytes && decoder.decode(bytes);
}

describe("Hole: balanced zeros and ones", () => {
  test.each([
    ["0«»111", "go on"],
    ["0«0»111", "go on"],
    ["0«00»111", "stop"],
    ["0«000»111", "go on"],
    ["0«1»111", "dead"],
    ["0«01»111", "dead"],
    ["0«001»111", "dead"],
    ["0«0001»111", "stop"],
    ["1«»1", "dead-prefix"],
    ["0«»10", "dead-suffix"],
    ["0«»1…1", "go on"],
    ["0«1»1…1", "dead"],
    ["0«0»1…1", "stop"],
    ["0«000»1…1", "stop"],
  ])("%s: %s", (text, expected) => expect(verdict(zerosAndOnes, text)).toBe(expected));
});

describe("Hole: fillings of JavaScript", () => {
  const inFunction = (filling: string) =>
    `function foo() {\n  let one = 1;\n  let two = «${filling}»\n  let four = 4;\n}\n`;

  test.each([
    ["", "go on"],
    ["2", "stop"],
    ["2;", "stop"],
    ["2; let three = 3;", "stop"],
    ["2; }", "go on"],
    ["2; } function bar() {", "stop"],
    ["2; } }", "dead"],
    ["2; } function bar() { if (a) {", "go on"],
    ["`abc${", "go on"],
    ["`abc${x}", "go on"],
    ["/re", "go on"],
    ["/re/g", "stop"],
    ["2 // said", "stop"],
    ["2 /* said", "go on"],
    ["<b>text</b>", "stop"],
  ])("%s: %s", (filling, expected) => expect(verdict(javascript, inFunction(filling))).toBe(expected));

  test.each([
    ["a word goes on behind the hole", "retu«»rn;", "stop"],
    ["a word begins in the hole", "function f() { «ret»urn; }", "stop"],
    ["a word that is none then", "function f() { «rat»urn 1; }", "go on"],
    ["a string ends behind the hole", 'x = «"a»b";', "stop"],
    ["a string that opens behind the hole", 'x = «a»b";', "go on"],
    ["an operator is put together", "a «=»= b", "stop"],
    ["a comment ends behind the hole", "a /«*» */", "stop"],
    ["a comment swallows the rest of a line", "a(«b //»);\n)", "stop"],
    ["a template goes on", "`a${«b»}c`", "stop"],
    ["a line break ends a statement", "a«\n»b", "stop"],
    ["a blank does not", "a« »b", "go on"],
    ["a slash behind a line break divides", "a«\n»/b/", "go on"],
    ["two holes", "f(«a»…)", "stop"],
    ["two holes with a bracket for the second", "f(«a)»; g(…)", "stop"],
    ["two holes, of which the second cannot mend the first", "«)» f(…)", "dead"],
  ])("%s: %s: %s", (_, text, expected) => expect(verdict(javascript, text)).toBe(expected));
});

describe("Hole: fillings of Python", () => {
  const inMethod = (filling: string) => `class A:\n    def f(self):\n        ${filling}\n    def g(self): pass\n`;

  test.each([
    ["«»", "go on"],
    ["«return»", "stop"],
    ["«if x:»", "go on"],
    ["«if x:\n            y»", "stop"],
    ["«if x:\n          y\n        z»", "stop"],
    ["«if x:\n          y\n         z»", "dead"],
    ["«x = [»", "go on"],
    ["«x = [\n1]»", "stop"],
    ["x«\n    def h(self): pass»", "stop"],
    ["x«\n   def h(self): pass»", "dead"],
    ["x« # said»", "stop"],
    ['f"{«x»}"', "stop"],
    ['f"{«x}»}"', "go on"],
    ['x = """«»', "go on"],
  ])("%j: %s", (filling, expected) => expect(verdict(python, inMethod(filling))).toBe(expected));

  test.each([
    ["the indentation ends behind the hole", "if a:\n «» b\n  c\n", "stop"],
    ["it must be that of the block", "if a:\n «» b\n c\n", "go on"],
    ["the line goes on behind the hole", "if a:« b»\nc\n", "stop"],
    ["nothing is indented", "a«\n»  b\n", "go on"],
  ])("%s: %j: %s", (_, text, expected) => expect(verdict(python, text)).toBe(expected));
});

describe("Hole: the shortest ending", () => {
  test.each([
    ["json", '{"a": [1, «»], "b": 2}', "0"],
    ["json", '{"a": [1, «{"x»]}', '":0}'],
    ["javascript", "f(«[1, {a: `${b»);", "}`}]"],
    ["javascript", "function f() {«if (a) {»}", "}"],
    ["javascript", "let a = «// said»;", "\na"],
    ["python", "class A:\n  def f(self):«»\n  x = 1\n", "a"],
    ["python", "x = [«f(a, [b»]\n", "])"],
    // Two blocks are open behind.
    ["python", "a\n«»        if b:\n            c\n    d\n", "if _:\n    if _:\n"],
  ] as const)("%s: %s", (language, text, expected) => {
    const grammar = languages[language];
    const [before, filling, behind] = text.split(/[«»]/) as [string, string, string];
    const found = ending(grammar, text)!;
    expect(verdict(grammar, `${before}«${filling}${found}»${behind}`)).toBe("stop");
    expect(found.length).toBeLessThanOrEqual(expected.length);
  });

  test("is empty where the filling is complete", () => expect(ending(javascript, "a«»")).toBe(""));
});

describe("openHole refuses texts that nothing completes", () => {
  test.each([
    ["a prefix that is impossible", "json", "{]«»}", { kind: "dead-prefix", offset: 1 }],
    ["sides that do not fit together", "json", "[«»}", { kind: "no-filling" }],
    ["a suffix that nothing can go before", "javascript", "«»a\nb c\nd", { kind: "dead-suffix" }],
  ] as const)("%s", (_, language, text, expected) => expect(fill(languages[language], text)).toMatchObject(expected));
});

describe("FillSession with edits of the prefix", () => {
  const parser = new Parser(javascript);
  const statements = fc.constantFrom(
    "let a = 1;\n",
    "f(b)\n",
    "if (a) {",
    "}\n",
    "`x${",
    "}`;",
    "// c\n",
    "/* d */",
    '"e',
    '"',
    " ",
  );
  const text = fc.array(statements, { maxLength: 60 }).map((parts) => parts.join("").repeat(4));

  test("answers as for a new text", () => {
    fc.assert(
      fc.property(
        text,
        fc.array(fc.tuple(fc.nat(), fc.nat(20), statements), { minLength: 1, maxLength: 6 }),
        (start, edits) => {
          const kept = new PrefixReader(new Reader(parser));
          let current = start;
          kept.read(encoder.encode(current));
          for (const [at, length, inserted] of edits) {
            const from = at % (current.length + 1);
            current = current.slice(0, from) + inserted + current.slice(from + length);
            const fresh = new PrefixReader(new Reader(parser)).read(encoder.encode(current));
            expect(kept.read(encoder.encode(current)).readings).toEqual(fresh.readings);
          }
        },
      ),
    );
  });

  test("analyses the suffix once", () => {
    const session = new FillSession(json);
    expect(session.open({ before: "[1, ", behind: "]" }).kind).toBe("open");
    expect(session.open({ before: '{"a": ', behind: "}" }).kind).toBe("open");
    expect(session.open({ before: "[2, ", behind: "}" }).kind).toBe("no-filling");
  });
});

test("FillSession drops its caches beyond maxNodes, and older holes stay valid", () => {
  const maxNodes = 20;
  const session = new FillSession(javascript, { maxNodes });
  const first = session.open({ before: "f(", behind: ");" });
  if (first.kind !== "open") throw new Error(first.kind);
  for (let i = 0; i < 35; i++) {
    const text = { before: `${"{ a(b => { ".repeat(i % 7)}let c = [${"(".repeat(i % 5)}`, behind: "" };
    const fresh = new FillSession(javascript);
    fresh.open(text);
    expect(session.open(text).kind).toBe("open");
    expect(session.nodeCount).toBeLessThanOrEqual(maxNodes + fresh.nodeCount);
  }
  const { hole } = first;
  expect(hole.canStop(hole.add(hole.empty, encoder.encode("g(1)")))).toBe(true);
  expect(hole.canStop(hole.add(hole.empty, encoder.encode("g(1")))).toBe(false);
});

test("a hole with a long suffix opens", () => {
  const opening = openHole(javascript, { before: "a = ", behind: `${" + b".repeat(5000)};` });
  if (opening.kind !== "open") throw new Error(opening.kind);
  const { hole } = opening;
  expect(hole.canStop(hole.add(hole.empty, encoder.encode("c")))).toBe(true);
  expect(hole.canStop(hole.add(hole.empty, encoder.encode("c)")))).toBe(false);
});

describe("row 14: a long line behind the hole", () => {
  const line = `x = 1${" + 1".repeat(3_000)}`;
  const opened = () => fill(python, `def f():\n«»    ${line}\n`) as Extract<ReturnType<typeof fill>, { kind: "open" }>;
  const asked = 30;

  test("is copied once for an indentation, however often an ending is asked for", () => {
    const { hole, filling } = opened();
    const copies = vi.spyOn(Uint8Array.prototype, "set");
    const stops = Array.from({ length: asked }, () => hole.canStop(hole.add(filling, encoder.encode("    y = 1\n"))));
    const copied = copies.mock.calls.filter(([bytes]) => bytes.length >= line.length);
    copies.mockRestore();
    expect(new Set(stops)).toEqual(new Set([true]));
    expect(copied).toHaveLength(1);
  });

  test("is read once for all texts that may hide it", () => {
    const { hole } = opened();
    const encode = vi.spyOn(TextEncoder.prototype, "encode");
    const hides = Array.from({ length: asked }, (_, n) => hole.hidesCode(n % 2 === 0 ? "# a " : "y = 1\n", line));
    const encoded = encode.mock.calls.filter(([text]) => text!.length >= line.length);
    encode.mockRestore();
    expect(hides).toEqual(Array.from({ length: asked }, (_, n) => n % 2 === 0));
    expect(encoded.length).toBeLessThan(3);
  });
});
