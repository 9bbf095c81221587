import fc from "fast-check";
import { expect, test } from "vitest";
import type { FillGuide } from "../model.ts";
import { anyWorkspace, fewRuns, modelOf, places, readPlace } from "./builtin.laws.ts";
import type { CompletionRequest } from "./completion.ts";

// The weights are random unless a model is taught here, so only what a guide rules out is to be
// expected.

/** A guide that knows the texts which are allowed whole, and asks for one of them. */
function oneOf(...texts: readonly string[]): FillGuide {
  return {
    allows: (text) => texts.some((whole) => whole.startsWith(text)),
    mayEnd: (text) => texts.includes(text),
  };
}

const anything: FillGuide = { allows: () => true, mayEnd: () => true };

/** What is written, or would have been, and whether it is unfinished. */
function written(files: Parameters<typeof modelOf>[0], request: CompletionRequest) {
  const answer = modelOf(files).complete({ ...request, minProbability: 0 });
  const best = answer.kind === "offered" ? answer.completions[0] : answer.best;
  return best === undefined ? answer : { text: best.text, isUnfinished: best.isUnfinished === true };
}

const call = readPlace("const alpha = beta(gamma);\nconst delta = beta(|\n");

test.each<[string, FillGuide, ReturnType<typeof written>]>([
  ["another name than the likeliest", oneOf("delta)"), { text: "delta)", isUnfinished: false }],
  ["no end before the closer", oneOf("alpha)"), { text: "alpha)", isUnfinished: false }],
  ["nothing more is known", oneOf("alpha § 1)"), { text: "alpha", isUnfinished: true }],
  ["nothing at all is allowed", oneOf(), { kind: "no-suggestion", reason: "line-complete" }],
])("a guide: %s", (_, guide, expected) => {
  expect(written([], { ...call, guide })).toEqual(expected);
});

test("law: a decoded text is allowed by the guide, and incomplete exactly where the guide does not let it end", () =>
  fc.assert(
    fc.property(
      anyWorkspace,
      fc.constantFrom(...places),
      fc.constantFrom(1, 4),
      fc.integer({ min: 0, max: 12 }),
      fc.constantFrom(/[(){}]/, /;/, /\s/, /[aeiou]/),
      fc.constantFrom(1, 8),
      (files, place, maxLines, length, forbidden, attempts) => {
        const guide: FillGuide = {
          allows: (text) => !forbidden.test(text) || text.search(forbidden) > length,
          mayEnd: (text) => text.length % 3 === 0,
        };
        const answer = modelOf(files).complete({ ...place, maxLines, guide, minProbability: 0, limit: 3, attempts });
        const all = answer.kind === "offered" ? answer.completions : [];
        for (const { text, isUnfinished } of all) {
          expect(guide.allows(text), text).toBe(true);
          expect(isUnfinished === true, text).toBe(!guide.mayEnd(text));
        }
      },
    ),
    fewRuns,
  ));

test("law: a guide that allows everything does not change the decoded text", () =>
  fc.assert(
    fc.property(anyWorkspace, fc.constantFrom(...places), fc.constantFrom(1, 4), (files, place, maxLines) => {
      const request = { ...place, maxLines, limit: 2 };
      expect(modelOf(files).complete({ ...request, guide: anything })).toEqual(modelOf(files).complete(request));
    }),
    fewRuns,
  ));

const inside = (files: Parameters<typeof modelOf>[0], text: string) => {
  const answer = modelOf(files).complete({ ...readPlace(text), minProbability: 0 });
  return answer.kind === "offered" ? answer.completions[0].text : answer.reason;
};

test.each([
  ["const alpha = beta(gamma);\nconst delta = be|ta(alpha);\n", "line-complete"],
  ["const alpha = beta(gamma);\nconst delta = beta(al|pha);\n", "line-complete"],
  ["response.status_code;\nresponse.status_code;\nresponse.st|atus_code;\n", "line-complete"],
  ["response.status_code;\nresponse.status_code;\nresponse.st|code;\n", "atus_"],
  ["response.status_code;\nresponse.status_code;\nresponse.st|unknown;\n", "nothing-known"],
  ["const a = 1234;\nconst b = 12|34;\n", "nothing-known"],
  ["// The quick fox, the quick dog.\n// The qu|ick fox.\n", "line-complete"],
])("row 26: inside a word: %j: %s", (text, expected) => expect(inside([], text)).toBe(expected));

test("row 26: law: a text decoded inside a word does not repeat the text after it", () => {
  fc.assert(
    fc.property(anyWorkspace, fc.constantFrom(...places), fc.nat(), fc.nat(3), (files, place, seed, missing) => {
      const text = `${place.prefix}${place.suffix}\nalpha(status_code);\n`.repeat(3);
      const words = [...text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]+/gu)];
      const { 0: word, index } = words[seed % words.length]!;
      const offset = index + 1 + (seed % (word.length - 1));
      // A word of which letters are missing at the cursor can be completed.
      const end = Math.min(offset + missing, index + word.length - 1);
      const request = { ...place, prefix: text.slice(0, offset), suffix: text.slice(end), minProbability: 0 };
      const answer = modelOf(files).complete(request);
      fc.pre(answer.kind !== "no-suggestion");
      const rest = word.slice(end - index);
      for (const { text: written } of answer.completions) {
        expect(written).toMatch(/^[\p{L}\p{N}_$]+$/u);
        // What is missing may begin like the rest of the word, as in "o|r" of "order".
        const isMissing = written === word.slice(offset - index, end - index);
        expect(!isMissing && (rest.startsWith(written) || written.startsWith(rest))).toBe(false);
      }
    }),
    { numRuns: 60 },
  );
});
