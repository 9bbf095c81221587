import fc from "fast-check";
import { expect, test } from "vitest";
import { lawRuns } from "../../text/node/fixtures/law-runs.ts";
import { compileLanguage } from "../fixtures/compile-language.ts";
import { languageSamples } from "../fixtures/language-samples.ts";
import { anyPattern, anySomeText } from "../fixtures/patterns.ts";
import { lexicalFamilies, pieces, randomLexicalGrammar } from "../fixtures/random-lexical-grammar.ts";
import { sampleOf } from "../fixtures/sample-of.ts";
import { smallGrammars } from "../fixtures/small-languages.ts";
import { openHole } from "../hole/fill-session.ts";
import { recognise } from "../hole/recognise.ts";
import { languageGrammars } from "../languages/language-grammars.ts";
import type { Pattern } from "../lexing/pattern.ts";
import { matchesEmpty } from "../lexing/pattern-language.ts";
import { parseLanguage } from "../node/language-sources.ts";
import { parseGrammar } from "../notations/emend-notation.ts";
import { readGrammar } from "../notations/read-grammar.ts";
import { writeEbnf } from "../notations/write-ebnf.ts";
import { writeGbnf } from "../notations/write-gbnf.ts";
import { writeLark } from "../notations/write-lark.ts";
import { compileGrammar } from "./compile-grammar.ts";
import type { CompiledGrammar } from "./compiled-grammar.ts";
import { type GrammarSource, printGrammarSource, readGrammarSource } from "./grammar-source.ts";

const writers = { gbnf: writeGbnf, ebnf: writeEbnf, lark: writeLark } as const;
const notations = ["gbnf", "ebnf", "lark"] as const;

/** A shipped grammar as `npm run build` writes it beside the tables, read again. */
function built(name: string): GrammarSource {
  return readGrammarSource(printGrammarSource(parseLanguage(name).grammar!));
}

test.each(["a*", "[ab]+", "(ab){2,}", "(a|b*){2,5}"])("the pattern x%s is the same after JSON", (pattern) => {
  const { grammar } = parseGrammar(`token T = /x${pattern}/\nS = T\n`);
  expect(readGrammarSource(printGrammarSource(grammar!)).lexical.tokens).toEqual(grammar!.lexical.tokens);
});

test.each(languageGrammars.map(({ name }) => name))(
  "row 32: the built grammar %s is exported as its source is, and each export is read without issues",
  (name) => {
    const source = parseLanguage(name).grammar!;
    const again = built(name);
    expect(again).toEqual(source);
    for (const notation of notations) {
      const { text } = writers[notation](again);
      expect(text, notation).toBe(writers[notation](source).text);
      expect(text, notation).not.toMatch(/,null\}/);
      const { grammar, issues } = readGrammar(text, { notation, name });
      expect([issues, grammar !== undefined], notation).toEqual([[], true]);
    }
  },
);

const encoder = new TextEncoder();
const isWhole = (grammar: CompiledGrammar, text: string) => recognise(grammar, encoder.encode(text)).kind === "whole";

/** The export of a grammar as the reader of that notation reads it, and the codes of its issues. */
function readBack(source: GrammarSource, notation: (typeof notations)[number]) {
  const { text, issues } = writers[notation](source);
  const read = readGrammar(text, { notation, name: source.name });
  expect([notation, read.issues]).toEqual([notation, []]);
  const { compiled } = compileGrammar(read.grammar!);
  return { compiled, codes: issues.map(({ code }) => code) };
}

/** Texts near `sample`, most of them broken. */
function* nearTexts(sample: string): Generator<string> {
  const pieces = ["", " ", "\n", ")", "}", "x", "1", "=", '"'];
  for (let at = 1; at < sample.length; at += Math.ceil(sample.length / 40)) {
    yield sample.slice(0, at) + pieces[at % pieces.length]! + sample.slice(at + (at % 2));
  }
}

/** Longer than a busy machine takes to compile the largest grammars in all notations. */
const compileTimeoutMs = 180_000;

test.each(Object.entries(languageSamples))(
  "row 32: each export of %s accepts its texts, and refuses broken ones",
  { timeout: compileTimeoutMs },
  (name, sample) => {
    const grammar = compileLanguage(name);
    const near = [...nearTexts(sample)].filter((text) => isWhole(grammar, text));
    expect(near.length).toBeGreaterThan(3);
    const bracket = Math.max(...[")", "}", "]"].map((text) => sample.lastIndexOf(text)));
    const broken = [`${sample})`, `${sample}}`, `(${sample}`, sample.slice(0, bracket) + sample.slice(bracket + 1)];
    expect(broken.filter((text) => isWhole(grammar, text))).toEqual([]);
    for (const notation of notations) {
      const { compiled, codes } = readBack(built(name), notation);
      // Lark has no modes, so that its longest token may hide another: docs/grammar.md.
      const isSuperset = name !== "go" || notation !== "lark";
      const taken = [sample, ...near].filter((text) => isWhole(compiled!, text) || !isSuperset);
      expect([notation, taken]).toEqual([notation, [sample, ...near]]);
      expect([notation, codes, broken.filter((text) => isWhole(compiled!, text))]).toEqual([notation, codes, []]);
    }
  },
);

test.each([
  ["tsx", ["<a>b</\na>", "x = <a>{ b }</ a>;", `x = \`a\${ b }c\``], ["<a>b< /a>", "x = (`"]],
  ["javascript", [`x = \`a\${\n b }c\${ d}\``, "<a /* b */ c = 'd' />"], ["x = `a$ {b }c`)"]],
  ["python", ["f'a{ b !r}c'\n", "f'{ a :>{ b }}'\n"], ["f('a{ b'\n"]],
])("row 32: exports of %s have trivia where a mode with trivia begins", { timeout: compileTimeoutMs }, (...given) => {
  const [name, taken, refused] = given;
  const grammar = compileLanguage(name);
  expect([...taken, ...refused].filter((text) => isWhole(grammar, text))).toEqual(taken);
  for (const notation of notations) {
    const { compiled } = readBack(built(name), notation);
    expect([notation, ...[...taken, ...refused].filter((text) => isWhole(compiled!, text))]).toEqual([
      notation,
      ...taken,
    ]);
  }
});

test.each([
  // 1: trivia at the end of the text, behind a token that a mode without trivia also has.
  ['mode main\nmode other = Name "/"\nS = "/" | ()', ["", "/", "/\n "], ["//"]],
  ['mode main\nmode other = Name ";"\nS = ";"', [";", ";\n "], [""]],
  // 2: trivia before a token that an earlier mode with trivia also has.
  ['mode main + "/"\nmode other = Name "/" ";"\nS = Name "/" | Name ";" Name "/"', ["a/ ", "a;a/ ", "a;a / "], []],
  // 3: no trivia in a mode without trivia, up to a token that only this mode has.
  ['mode main + "/"\nmode other = ";" Name\nS = "/" Name ";" "/"', ["/ab;/ "], ["/a ;/", "/a; "]],
  // 4: the parts of a split token, in one rule and in several ones.
  ['split Both = /;b/ as ";" Name\nrequire Glued = glued\nS = B | ()\nB = ";" Glued Name Name', [";ba", ""], [";"]],
  [
    'split Both = /;b/ as ";" Name\ninsert Asi = newline | next "/" end\nS = A | Name End | S Name End\nA = "/" S Name | "ab"\nEnd = ";" | Asi',
    ["//a;ba", "/ a ;b", "a;b;"],
    ["//a", ";b"],
  ],
  [
    'split Both = /;b/ as ";" Name\nS = ";" A*\nA = Name Name ";"',
    [";", ";ba;", ";ba;ba;", "; a b;b a ;"],
    [";a;", ";b"],
  ],
])("row 32: each export of %j accepts its texts, and refuses others", (declarations, accepted, refused) => {
  const { grammar } = parseGrammar(`token Name = /[ab]+/\nword Name\ntrivia Space = /[ \\n]+/\n${declarations}\n`);
  const { compiled } = compileGrammar(grammar!);
  expect([...accepted, ...refused].filter((text) => isWhole(compiled!, text))).toEqual(accepted);
  for (const notation of notations) {
    const again = readBack(grammar!, notation);
    const texts = again.codes.includes("modes") ? accepted : [...accepted, ...refused];
    expect([notation, texts.filter((text) => isWhole(again.compiled!, text))]).toEqual([notation, accepted]);
  }
});

test.each(lexicalFamilies)(
  "row 32: law: exports of a grammar with tokens, trivia and reserved words accept its texts: $name",
  (family) => {
    let whole = 0;
    fc.assert(
      fc.property(
        randomLexicalGrammar(family),
        fc.array(fc.array(fc.constantFrom(...pieces), { maxLength: 6 }), { minLength: 2, maxLength: 4 }),
        (notationText, drafts) => {
          const { grammar } = parseGrammar(notationText);
          const { compiled } = grammar === undefined ? {} : compileGrammar(grammar);
          fc.pre(grammar !== undefined && compiled !== undefined);
          const texts = drafts.flatMap((draft) => [draft.join(""), ...wholeTextNear(compiled, draft)]);
          const accepted = texts.filter((text) => isWhole(compiled, text));
          whole += accepted.length;
          for (const notation of notations) {
            const again = readBack(readGrammarSource(printGrammarSource(grammar)), notation);
            fc.pre(again.compiled !== undefined);
            const taken = texts.filter((text) => isWhole(again.compiled!, text));
            // A longer token of another mode may hide one in Lark.
            const least = again.codes.includes("modes") ? [] : accepted;
            expect([notation, taken]).toEqual([notation, expect.arrayContaining(least)]);
            const isExact = again.codes.length === 0;
            expect([notation, taken.filter((text) => isExact && !accepted.includes(text))]).toEqual([notation, []]);
          }
        },
      ),
      { numRuns: lawRuns(60) },
    );
    expect(whole).toBeGreaterThan(60);
  },
);

/**
 * The pieces that fit, each behind the one before, and what makes them a whole text; or nothing.
 */
function wholeTextNear(grammar: CompiledGrammar, draft: readonly string[]): readonly string[] {
  const opening = openHole(grammar, { before: "", behind: "" });
  if (opening.kind !== "open") return [];
  const { hole } = opening;
  let [text, filling] = ["", hole.empty];
  for (const piece of draft) {
    const next = hole.add(filling, encoder.encode(piece));
    if (hole.isAlive(next)) [text, filling] = [text + piece, next];
  }
  const ending = hole.shortestEnding(filling);
  return ending === undefined ? [] : [text + new TextDecoder().decode(ending)];
}

test.each(notations)("the export of json to %s accepts what JSON accepts", (notation) => {
  const { text } = writers[notation](built("json"));
  const { compiled } = compileGrammar(readGrammar(text, { notation, name: "json" }).grammar!);
  const takes = (value: string) => recognise(compiled!, new TextEncoder().encode(value)).kind === "whole";
  const taken = [
    "0",
    "-12.50e+7",
    '"a\\u00e9\\n"',
    "[]",
    "[1, [2, 3], []]",
    '{"a": {"b": [true, null]}, "c": "d"}',
    ' \n{"abcdefghij": 1234567890}\t',
  ];
  const refused = ["", "01", "[1 2]", "[1,]", '{"a"}', '"\\x"', "nul", "tru e", '"a', "1.", "--1"];
  expect([...taken, ...refused].filter(takes)).toEqual(taken);
});

test("law: readGrammarSource reads what printGrammarSource prints", () =>
  fc.assert(
    fc.property(smallGrammars, anyPattern, (grammar, pattern) => {
      const tokens = [...grammar.lexical.tokens, { name: "Token", kind: "token" as const, pattern }];
      const source: GrammarSource = { ...grammar, lexical: { ...grammar.lexical, tokens } };
      expect(readGrammarSource(printGrammarSource(source))).toEqual(source);
    }),
  ));

test("law: every export of a token that went through JSON is read as the same language", () => {
  let matched = 0;
  fc.assert(
    fc.property(
      anyPattern.filter((pattern) => !matchesEmpty(pattern)),
      fc.array(anySomeText, { maxLength: 4 }),
      fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
      (pattern, texts, choices) => {
        const source = readGrammarSource(printGrammarSource(grammarOf(pattern)));
        const { compiled } = compileGrammar(grammarOf(pattern));
        fc.pre(compiled !== undefined);
        const takes = (grammar: NonNullable<typeof compiled>, text: string) =>
          recognise(grammar, new TextEncoder().encode(text)).kind === "whole";
        const tried = [...texts, sampleOf(pattern, choices)];
        for (const notation of notations) {
          const back = readGrammar(writers[notation](source).text, { notation, name: "x" });
          expect(back.issues, notation).toEqual([]);
          const again = compileGrammar(back.grammar!).compiled!;
          for (const text of tried) {
            expect([notation, text, takes(again, text)]).toEqual([notation, text, takes(compiled, text)]);
            if (takes(compiled, text)) matched += 1;
          }
        }
      },
    ),
  );
  expect(matched).toBeGreaterThan(50);
});

function grammarOf(pattern: Pattern): GrammarSource {
  return {
    name: "x",
    start: "Start",
    rules: [{ name: "Start", expression: { kind: "symbol", name: "Token" } }],
    lexical: {
      tokens: [{ name: "Token", kind: "token", pattern }],
      reserved: [],
      modes: [],
      virtuals: [],
      newline: { kind: "characters", set: [0x0a, 0x0a] },
    },
  };
}
