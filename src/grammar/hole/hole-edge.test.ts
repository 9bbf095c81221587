import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../../text/node/fixtures/law-runs.ts";
import { compileLanguage } from "../fixtures/compile-language.ts";
import { languageSamples } from "../fixtures/language-samples.ts";
import { languageGrammars } from "../languages/language-grammars.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import { openHole } from "./fill-session.ts";
import { recognise } from "./recognise.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const isWhole = (grammar: CompiledGrammar, text: string) => recognise(grammar, encoder.encode(text)).kind === "whole";

/**
 * Whether the hole may stop with the filling, and whether it may with the ending that is found for
 * it.
 */
function stops(grammar: CompiledGrammar, [before, filling, behind]: readonly [string, string, string]) {
  const opening = openHole(grammar, { before, behind });
  if (opening.kind !== "open") return { stops: false, ended: undefined };
  const { hole } = opening;
  const filled = hole.add(hole.empty, encoder.encode(filling));
  const ending = hole.shortestEnding(filled);
  return { stops: hole.canStop(filled), ended: ending && before + filling + decoder.decode(ending) + behind };
}

describe("row 39: a token that spans the boundary of a hole is lexed together with the suffix", () => {
  const script = compileLanguage("javascript");

  test.each<[string, string, string, boolean]>([
    ["x", "\n/", "e/.y", false],
    ["x", "\n/", ";</.y", false],
    ["f()", "\n/", "x/.test(y)", false],
    ["a\n", "/", "b/.c", false],
    ["a++", "\n/", "b/.c", false],
    ["x", "\n/", "e/y", true],
    ["x", "=/", "e/.y", true],
    ["x;", "\n/", "e/.y", true],
    ["if (a) ", "/", "e/.y", true],
    ["return_ = x", "\n", "/e/.y", false],
  ])("row 39: %j, %j, %j: %s", (before, filling, behind, expected) => {
    expect(stops(script, [before, filling, behind]).stops).toBe(expected);
    expect(isWhole(script, before + filling + behind)).toBe(expected);
  });

  test.each(["e/.y", ";</.y", "b/.test(c)"])(
    "row 39: the ending before %j makes a text that recognise accepts",
    (behind) => {
      for (const filling of ["", "\n", "\n/"]) {
        const { ended } = stops(script, ["x", filling, behind]);
        expect(ended).toSatisfy((text: string | undefined) => text === undefined || isWhole(script, text));
      }
    },
  );
});

/** Texts that merge with a token beside them, or separate two. */
const pieces = [
  "",
  " ",
  "\n",
  "x",
  "1",
  ".",
  "/",
  "*",
  "e",
  '"',
  "'",
  "=",
  "<",
  ">",
  "-",
  "+",
  "&",
  "(",
  ")",
  "}",
  "//",
  "_",
];

describe("row 39: law: a filling is complete exactly if recognise accepts the whole text", () => {
  test("row 39: every shipped grammar has a sample", () => {
    expect(Object.keys(languageSamples).sort()).toEqual(languageGrammars.map(({ name }) => name).sort());
  });

  test.each(Object.entries(languageSamples))("row 39: in %s", (language, sample) => {
    const grammar = compileLanguage(language);
    expect(isWhole(grammar, sample)).toBe(true);
    const offset = fc.nat({ max: sample.length });
    const length = fc.nat({ max: 6 });
    let [whole, refused] = [0, 0];
    fc.assert(
      fc.property(
        ...([offset, length, fc.nat({ max: 6 }), fc.constantFrom(...pieces), fc.boolean()] as const),
        (start, hole, kept, piece, isAhead) => {
          const cut = sample.slice(start, start + hole);
          // The text that stood there, a part of it, or one that a piece is merged with.
          const filling = isAhead ? piece + cut.slice(-kept || cut.length) : cut.slice(0, kept) + piece;
          const parts = [sample.slice(0, start), filling, sample.slice(start + hole)] as const;
          const found = stops(grammar, parts);
          const expected = isWhole(grammar, parts.join(""));
          if (expected) whole += 1;
          else refused += 1;
          expect([parts, found.stops]).toEqual([parts, expected]);
          expect(found.ended).toSatisfy((ended: string | undefined) => ended === undefined || isWhole(grammar, ended));
        },
      ),
      { numRuns: lawRuns(40) },
    );
    expect(Math.min(whole, refused)).toBeGreaterThan((whole + refused) / 20);
  });

  test("row 39: in pieces of JavaScript", () => {
    const script = compileLanguage("javascript");
    const piece = fc.constantFrom(..."x / \n e .y a = ; g ( ) } { ++ < yield".split(" "), " ", "/e/", "`");
    const text = fc.array(piece, { maxLength: 4 }).map((all) => all.join(""));
    let whole = 0;
    fc.assert(
      fc.property(text, text, text, (before, filling, behind) => {
        const found = stops(script, [before, filling, behind]);
        const expected = isWhole(script, before + filling + behind);
        if (expected) whole += 1;
        expect(found.stops).toBe(expected);
        expect(found.ended).toSatisfy((ended: string | undefined) => ended === undefined || isWhole(script, ended));
      }),
    );
    expect(whole).toBeGreaterThan(3);
  });
});
