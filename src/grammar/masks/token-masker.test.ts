// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of other languages.
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileLanguage } from "../fixtures/compile-language.ts";
import { compileText } from "../fixtures/compile-text.ts";
import { openHole } from "../hole/fill-session.ts";
import type { Hole } from "../hole/hole.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import { GrammarVocabulary } from "./grammar-vocabulary.ts";
import { TokenMasker } from "./token-masker.ts";
import { hasToken } from "./token-set.ts";
import { Vocabulary } from "./token-vocabulary.ts";

const json = compileLanguage("json");

/** A text with its hole at `⟦⟧`. */
function holeIn(grammar: CompiledGrammar, text: string): Hole {
  const [before = "", behind = ""] = text.split("⟦⟧");
  const opening = openHole(grammar, { before, behind });
  if (opening.kind !== "open") throw new Error(`${opening.kind}: ${text}`);
  return opening.hole;
}

function vocabularyOf(...texts: readonly string[]): Vocabulary {
  return new Vocabulary(
    texts.map((text, id) => ({ id, text })),
    { end: [texts.length] },
  );
}

/** The texts of the tokens that may come next; `END` for the end of the text. */
function allowed(masker: TokenMasker, texts: readonly string[]): readonly string[] {
  const mask = masker.mask();
  return [...texts, "END"].filter((_, id) => hasToken(mask, id));
}

test.each<[text: string, tokens: readonly string[], allowed: readonly string[]]>([
  ['{"a": [1, ⟦⟧]}', ["1", "]", "],", '"', " ", "2]", "tru", "x"], ["1", '"', " ", "2]", "tru"]],
  // The array may end, and another one begin.
  ['{"a": [1⟦⟧]}', ["2", ",", "]", "]}", ".", "e", " ", ", 2"], ["2", ",", "]", ".", "e", " ", ", 2", "END"]],
  ["[1⟦⟧]", ["2", ",", "]", "],", " ", ", 2"], ["2", ",", " ", ", 2", "END"]],
  ["⟦⟧", ["{", "}", "[]", "[]]", "nul", "null", " null ", "-"], ["{", "[]", "nul", "null", " null ", "-"]],
])("TokenMasker.mask at %s", (text, tokens, expected) => {
  expect(allowed(new TokenMasker(holeIn(json, text), vocabularyOf(...tokens)), tokens)).toEqual(expected);
});

test("row 39: TokenMasker refuses a token after which the rest of its rule cannot hold", () => {
  const grammar = compileText(
    [
      "token Name = /[ab]+/",
      "word Name",
      'reserved "a"',
      "trivia Space = /[ ]+/",
      "require NoName = next not Name end",
      "require Glued = glued",
      'S = ";" NoName A NoName ";" | Name NoName Name | ";" Glued "/"',
      'A = "a" Glued ";" ";" Glued | A ";" | Name S Name',
    ].join("\n"),
  );
  // After a name, `NoName` forbids the name that the rule requires.
  const texts = ["[a]", "a", "b", "ab", ";", " ;", ";/"];
  expect(allowed(new TokenMasker(holeIn(grammar, "⟦⟧"), vocabularyOf(...texts)), texts)).toEqual([";", " ;", ";/"]);
});

test("TokenMasker accepts tokens and rolls them back", () => {
  const texts = ["[", "]", "1", ",", "  ", "[["];
  const masker = new TokenMasker(holeIn(json, "⟦⟧]"), vocabularyOf(...texts));
  const end = texts.length;
  expect(masker.accept(end)).toBe(false);
  expect(masker.accept(1)).toBe(false);
  expect([5, 1, 3, 2].map((id) => masker.accept(id))).toEqual([true, true, true, true]);
  expect(masker.canStop()).toBe(true);
  expect(masker.accept(end)).toBe(true);
  expect(allowed(masker, texts)).toEqual([]);
  expect([...texts.keys(), end].some((id) => masker.allows(id) || masker.accept(id))).toBe(false);
  masker.rollback(2);
  expect(masker.canStop()).toBe(false);
  masker.rollback(0);
  expect(masker.accept(2)).toBe(true);
  expect(() => masker.rollback(9)).toThrow("9 tokens cannot be taken back: there are 4.");
});

test("TokenMasker allows no token in the language of the empty text", () => {
  const grammar = compileText("grammar nothing\nText = ()\n");
  expect(allowed(new TokenMasker(holeIn(grammar, "⟦⟧"), vocabularyOf("a", " ")), ["a", " "])).toEqual(["END"]);
});

/** A language of pairs in brackets, between which lines mean nothing. */
function pairs(pair: string): CompiledGrammar {
  const lines = 'trivia Break = /\\n/\nlayout Line In Out\nsuspend "(" ")"\n';
  return compileText(`grammar pairs\ntoken Name = /[a-z]/\n${lines}Pair = ${pair} | "(" Pair ")" | Pair Line\n`);
}

// A bracket that closes is reduced at once, here over a longest production, of which most lies
// below what is looked at first.
test.each<[pair: string, text: string, tokens: readonly string[], allowed: readonly string[]]>([
  ['"[" Name Name "]"', "[ab]⟦⟧", [")", "))", "\n", ")\n"], ["\n", "END"]],
  ['"[" Name Name "]"', "([ab]⟦⟧", [")", "))", "\n", ")\n"], [")", "\n", ")\n"]],
  ['"[" Name Name "]"', "(([ab]⟦⟧", [")", "))", "\n", ")\n"], [")", "))", "\n", ")\n"]],
  ['"[" Name "," Name "]"', "([a,b]⟦⟧", [")", "))", "\n", ")\n"], [")", "\n", ")\n"]],
  ['"[" Name "," Name "," Name "]"', "([a,b,c]⟦⟧", [")", "))", "\n", ")\n"], [")", "\n", ")\n"]],
])("TokenMasker.mask with brackets as %s: %s", (pair, text, tokens, expected) => {
  const masker = new TokenMasker(holeIn(pairs(pair), text), vocabularyOf(...tokens));
  expect(allowed(masker, tokens)).toEqual(expected);
});

test("TokenMasker refuses a vocabulary that was prepared for another grammar", () => {
  const of = new GrammarVocabulary(json, vocabularyOf("["));
  of.prepare();
  expect(new TokenMasker(holeIn(json, "⟦⟧"), of).mask()[0]).toBe(1);
  expect(() => new TokenMasker(holeIn(compileLanguage("typescript"), "⟦⟧"), of)).toThrow("another grammar");
});

/** Checks every token against the definition. */
function checkMask(masker: TokenMasker): void {
  const { vocabulary } = masker;
  const mask = masker.mask();
  const wrong = Array.from({ length: vocabulary.size }, (_, id) => id).filter(
    (id) => hasToken(mask, id) !== masker.allows(id),
  );
  const bytes = wrong.map((id) => String.fromCharCode(...(vocabulary.bytesOf(id) ?? [])));
  expect(bytes).toEqual([]);
}

const lawCases: readonly (readonly [name: string, text: string, pieces: readonly string[]])[] = [
  [
    "json",
    '{"a": [1, {"b": ⟦⟧, "c": "d"}], "e": true}',
    ["{", "}", "[", "]", '"', ":", ",", "1", "-", ".", "e", "tr", "true", " ", "\n", "\\", "ä", "u00"],
  ],
  [
    "typescript",
    "export function f(a: Map<string, number>) {\n  const b = ⟦⟧;\n  return `x${a}y`;\n}\n",
    [
      "a",
      "f",
      "(",
      ")",
      "{",
      "}",
      "`",
      "${",
      "=>",
      "=",
      ".",
      ";",
      " ",
      "\n",
      "/",
      "//",
      "/*",
      "*/",
      "<",
      ">",
      "in",
      "as ",
      "return",
      "async",
      "type",
      "0x",
      "1",
      ",",
      "'",
      '"',
      "++",
      "?",
      ":",
    ],
  ],
  [
    "typescript",
    "class A<B> {\n  m⟦⟧\n}\nlet c = a / b\n/d/.test(e)\n",
    [
      "()",
      "{",
      "}",
      ":",
      "B",
      "\n",
      ";",
      " ",
      "get",
      "set ",
      "static",
      "#a",
      "=",
      "1",
      "<",
      ">>",
      ">",
      "[",
      "]",
      "/",
      "g",
      "async*",
      "@x",
      "\n/a/",
      "in",
    ],
  ],
  [
    "python",
    "class A:\n    def f(self):\n        if a:\n            ⟦⟧\n        return [1,\n  2]\n",
    [
      "a",
      "b",
      "(",
      ")",
      ":",
      "\n",
      "    ",
      "  ",
      " ",
      "\t",
      "# é",
      "#",
      "return",
      "if ",
      "else",
      "=",
      "[",
      "]",
      "'",
      '"',
      "'''",
      "f'",
      "{",
      "}",
      "\\\n",
      ",",
      "1",
      "pass",
      "def ",
      "async",
      "é",
    ],
  ],
];

test.each(lawCases)("law: a mask has exactly the tokens that are allowed: %s %j", (name, text, pieces) => {
  const grammar = compileLanguage(name);
  const piece = fc.constantFrom(...pieces);
  const token = fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));
  const raw = fc.uint8Array({ minLength: 1, maxLength: 2 });
  fc.assert(
    fc.property(
      fc.array(token, { minLength: 20, maxLength: 60 }),
      fc.array(raw, { maxLength: 5 }),
      fc.array(fc.nat(), { maxLength: 8 }),
      (texts, bytes, choices) => {
        const tokens = [...new Set(texts), ...bytes].map((each, id) => ({ id: id * 3, text: each }));
        const masker = new TokenMasker(holeIn(grammar, text), new Vocabulary(tokens, { end: [1], other: [2] }));
        checkMask(masker);
        for (const choice of choices) {
          const next = tokens.filter(({ id }) => masker.allows(id));
          if (next.length === 0) break;
          expect(masker.accept(next[choice % next.length]!.id)).toBe(true);
          checkMask(masker);
        }
      },
    ),
    { numRuns: 40 },
  );
});

test("GrammarVocabulary bounds its cache without changing masks", () => {
  const grammar = compileLanguage("typescript");
  const tokens = ["a", " = ", "1", ";", "\n", "(", ")", "[", "]", ", ", "a.", "`", "${", "}", "if ("];
  const vocabulary = vocabularyOf(...tokens);
  const bounded = new GrammarVocabulary(grammar, vocabulary, { maxVerdicts: 3 });
  const unbounded = new GrammarVocabulary(grammar, vocabulary);
  let forgot = 0;
  for (const text of ["f(a, [⟦⟧]);\ng();", "if (a) {\n  ⟦⟧\n}", "x = `${⟦⟧}`;"]) {
    const hole = holeIn(grammar, text);
    const [small, large] = [new TokenMasker(hole, bounded), new TokenMasker(hole, unbounded)];
    for (const id of [0, 9, 0, 5, 2]) {
      const before = bounded.verdicts.size;
      expect(small.mask()).toEqual(large.mask());
      if (bounded.verdicts.size < before) forgot++;
      expect(small.accept(id)).toBe(large.accept(id));
    }
  }
  expect(forgot).toBeGreaterThan(0);
  expect(bounded.verdicts.size).toBeLessThan(unbounded.verdicts.size);
});
