import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileLanguage } from "../fixtures/compile-language.ts";
import { openHole } from "./fill-session.ts";
import { recognise } from "./recognise.ts";

const script = compileLanguage("javascript");
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const isWhole = (text: string) => recognise(script, encoder.encode(text)).kind === "whole";

/**
 * Whether the hole may stop with the filling, and whether it may with the ending that is found for
 * it.
 */
function stops(before: string, filling: string, behind: string) {
  const opening = openHole(script, { before, behind });
  if (opening.kind !== "open") return { stops: false, ended: undefined };
  const { hole } = opening;
  const filled = hole.add(hole.empty, encoder.encode(filling));
  const ending = hole.shortestEnding(filled);
  return { stops: hole.canStop(filled), ended: ending && before + filling + decoder.decode(ending) + behind };
}

describe("a token that spans the boundary of a hole is lexed together with the suffix", () => {
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
  ])("%j, %j, %j: %s", (before, filling, behind, expected) => {
    expect(stops(before, filling, behind).stops).toBe(expected);
    expect(isWhole(before + filling + behind)).toBe(expected);
  });

  test.each(["e/.y", ";</.y", "b/.test(c)"])("the ending before %j makes a text that recognise accepts", (behind) => {
    for (const filling of ["", "\n", "\n/"]) {
      const { ended } = stops("x", filling, behind);
      expect(ended).toSatisfy((text: string | undefined) => text === undefined || isWhole(text));
    }
  });

  test("law: a filling is complete exactly if recognise accepts the whole text", () => {
    const piece = fc.constantFrom(..."x / \n e .y a = ; g ( ) } { ++ < yield".split(" "), " ", "/e/", "`");
    const text = fc.array(piece, { maxLength: 4 }).map((all) => all.join(""));
    let whole = 0;
    fc.assert(
      fc.property(text, text, text, (before, filling, behind) => {
        const found = stops(before, filling, behind);
        const expected = isWhole(before + filling + behind);
        if (expected) whole += 1;
        expect(found.stops).toBe(expected);
        expect(found.ended).toSatisfy((ended: string | undefined) => ended === undefined || isWhole(ended));
      }),
    );
    expect(whole).toBeGreaterThan(3);
  });
});
