import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileLanguage } from "../fixtures/compile-language.ts";
import { compileText } from "../fixtures/compile-text.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import { openHole } from "./fill-session.ts";
import { HoleGuide } from "./hole-guide.ts";

const json = compileLanguage("json");
/** So many zeros and then as many ones. */
const balanced = compileText('grammar balanced\nPair = "0" Pair "1" | "0" "1"\n');

/** The guide of a hole, which is at the mark `|`. */
function guideAt(grammar: CompiledGrammar, marked: string, maxBytes?: number): HoleGuide {
  const [before, behind] = marked.split("|") as [string, string];
  const opening = openHole(grammar, { before, behind });
  if (opening.kind !== "open") throw new Error(`${marked} has no hole: ${opening.kind}`);
  return new HoleGuide(opening.hole, maxBytes === undefined ? {} : { maxBytes });
}

test.each<[string, string, string]>([
  ["0|111", "", "continues: 00"],
  ["0|111", "0", "continues: 0"],
  ["0|111", "00", "may end"],
  ["0|111", "000", "continues: 1"],
  ["0|111", "1", "refused"],
  ['{"a": |}', "", "continues: 0"],
  ['{"a": |}', "[1, 2", "continues: ]"],
  ['{"a": |}', "[1, 2]", "may end"],
  ['{"a": |}', "[1, 2]]", "refused"],
  ['{"a": |}', '"é', 'continues: "'],
  // A lone surrogate allows the same as the text before it.
  ['{"a": |}', '"\ud83d', 'continues: "'],
  ['{"a": |}', "1\ud83d", "continues: "],
])("HoleGuide at %s, the text %j: %s", (marked, text, expected) => {
  const guide = guideAt(marked.startsWith("0") ? balanced : json, marked);
  expect(guide.canContinue(text)).toBe(guide.allows(text));
  expect(guide.mayEnd(text) ? "may end" : guide.allows(text) ? `continues: ${guide.ending(text)}` : "refused").toBe(
    expected,
  );
});

describe("HoleGuide with a budget", () => {
  test.each<[string, number, string, boolean]>([
    ["[", 3, "[1]", true],
    ["[", 3, "[[", false],
    ["[", 4, "[[", true],
    ['"', 3, '"é', false],
    ['"', 4, '"é', true],
    ["1", 1, "1", true],
    ["1", 1, "12", false],
  ])("after %s with %i bytes, %s: %s", (before, maxBytes, text, isAllowed) => {
    const guide = guideAt(json, "[|]", maxBytes);
    expect(guide.allows(before)).toBe(true);
    expect(guide.allows(text)).toBe(isAllowed);
    expect(guide.canContinue(text)).toBe(true);
  });

  test("allows nothing when the budget is too small for any text", () => {
    const guide = guideAt(balanced, "0|111", 1);
    expect([guide.allows(""), guide.mayEnd(""), guide.ending("")]).toEqual([false, false, undefined]);
  });
});

const pieces = fc.array(fc.constantFrom("[", "]", "{", "}", '"', "a", ":", ",", "1", " ", "\n", "tru", "é", "😀"), {
  maxLength: 12,
});

test("law: HoleGuide answers for texts in any order as a new guide for each", () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 6 }), fc.option(fc.nat(12), { nil: undefined }), (texts, maxBytes) => {
      const guide = guideAt(json, "[|]", maxBytes);
      for (const text of texts.map((all) => all.join(""))) {
        const fresh = guideAt(json, "[|]", maxBytes);
        const results = [guide.allows(text), guide.canContinue(text), guide.mayEnd(text), guide.ending(text)];
        expect(results).toEqual([fresh.allows(text), fresh.canContinue(text), fresh.mayEnd(text), fresh.ending(text)]);
      }
    }),
  );
});

test("law: HoleGuide has an ending for each allowed text, and the text with it may end", () => {
  fc.assert(
    fc.property(pieces, fc.option(fc.nat(12), { nil: undefined }), (all, maxBytes) => {
      const guide = guideAt(json, "[|]", maxBytes);
      let text = "";
      // As a writer does: what is refused is not written.
      for (const piece of all) if (guide.allows(text + piece)) text += piece;
      const ending = guide.ending(text);
      expect(ending).toBeDefined();
      expect(guide.mayEnd(text + ending)).toBe(true);
      expect(new TextEncoder().encode(text + ending).length).toBeLessThanOrEqual(maxBytes ?? 1000);
    }),
  );
});
