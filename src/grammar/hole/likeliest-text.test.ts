import fc from "fast-check";
import { expect, test } from "vitest";
import type { LikelyText } from "./guided-text.ts";
import { likeliestText } from "./likeliest-text.ts";
import type { TextGuide } from "./text-guide.ts";

/**
 * Digits with commas between them, or a comment `#…`; the empty text may stand where `mayBeEmpty`
 * is set.
 */
function listGuide(mayBeEmpty = false): TextGuide {
  const allows = (text: string) => /^ *(?:\d(?:,\d)*,?|#\w*)?$/.test(text);
  return {
    allows,
    canContinue: allows,
    mayEnd: (text) => (text === "" ? mayBeEmpty : /^ *(?:\d(?:,\d)*|#\w*)$/.test(text)),
    ending: () => undefined,
    isTrivia: (text) => text.startsWith("#"),
  };
}

type Model = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** What a model lists behind each beginning, by its tokens; `$` is the end. */
const listedBy = (model: Model) => async (soFar: string) =>
  Object.entries(model[soFar] ?? {}).map(([text, probability]) => ({ text: text === "$" ? "" : text, probability }));

test.each<[name: string, model: Model, expected: string, mayBeEmpty?: boolean]>([
  [
    "a less likely first token with a better continuation",
    {
      "": { x: 0.5, "1": 0.3, "2": 0.2 },
      "1": { $: 0.1, ",": 0.09 },
      "2": { $: 0.9 },
    },
    "2",
  ],
  [
    "the higher mean, although the longer text is less likely as a whole",
    {
      "": { x: 0.6, "1": 0.2, "2": 0.2 },
      "1": { $: 0.4 },
      "2": { ",": 0.9, $: 0.1 },
      "2,": { "3": 0.9 },
      "2,3": { $: 0.9 },
    },
    "2,3",
  ],
  [
    "a second token that is not the likeliest",
    {
      "": { x: 0.5, "1": 0.5 },
      "1": { ",": 0.6, $: 0.4 },
      "1,": { "2": 0.1 },
      "1,2": { $: 0.1 },
    },
    "1",
  ],
  ["an end before what is refused", { "": { x: 0.9, "1": 0.1 }, "1": { or: 0.9, $: 0.01 } }, "1"],
  [
    "no text that continues with the tokens left after a refusal",
    { "": { "1": 0.9 }, "1": { ",": 0.9 }, "1,": { x: 0.9, "2": 0.1 } },
    "refused",
  ],
  ["nothing where all is refused", { "": { x: 0.9, y: 0.1 } }, "refused"],
  ["a comment where nothing else is", { "": { x: 0.9, "#": 0.1 }, "#": { $: 0.9 } }, "#"],
  ["no comment where something else is", { "": { "#": 0.9, "1": 0.01 }, "#": { $: 0.9 }, "1": { $: 0.01 } }, "1"],
  ["nothing where the model ends at once", { "": { $: 0.6, "1": 0.4 }, "1": { $: 1 } }, "", true],
  ["a text where the end is not the likeliest", { "": { x: 0.5, $: 0.3, "1": 0.2 }, "1": { $: 0.5 } }, "1", true],
  ["a text where the empty one is not whole", { "": { $: 0.9, "1": 0.1 }, "1": { $: 0.5 } }, "1"],
  [
    "the last token of many",
    { "": { ...Object.fromEntries([..."abcdefghijkl"].map((x) => [x, 0.05])), "7": 0.01 }, "7": { $: 1 } },
    "7",
  ],
  [
    "a token behind white space as if it came first",
    { "": { x: 0.9, " ": 0.1 }, " ": { x: 0.9, "1": 0.1 }, " 1": { $: 0.9 } },
    " 1",
  ],
  [
    "the fifth of the first tokens where the others come to nothing",
    {
      "": { "1": 0.3, "2": 0.2, "3": 0.15, "4": 0.1, "5": 0.05 },
      ...Object.fromEntries([..."1234"].map((digit) => [digit, { ",": 0.9 }])),
      ...Object.fromEntries([..."1234"].map((digit) => [`${digit},`, { x: 0.9 }])),
      "5": { $: 0.9 },
    },
    "5",
  ],
  [
    "no white space behind white space",
    { "": { x: 0.9, " ": 0.1 }, " ": { "  ": 0.9, "1": 0.1 }, "   ": { "1": 0.9 }, " 1": { $: 0.9 }, "   1": { $: 1 } },
    " 1",
  ],
  ["no listing", {}, "unknown"],
])("likeliestText takes %s", async (_, model, expected, mayBeEmpty) => {
  const found = await likeliestText({ guide: listGuide(mayBeEmpty), next: listedBy(model), ends: async () => false });
  expect(found.kind === "found" ? found.text : found.kind).toBe(expected);
});

test("likeliestText requests whether the model ends where the end is not a listed token", async () => {
  const model = { "": { x: 0.5, "1": 0.4 }, "1": { ",": 0.9 }, "1,": { "2": 0.9 }, "1,2": { ",": 0.9 } };
  const requests: string[] = [];
  const ends = async (soFar: string) => {
    requests.push(soFar);
    return soFar === "1,2";
  };
  expect(await likeliestText({ guide: listGuide(), next: listedBy(model), ends })).toMatchObject({ text: "1,2" });
  expect(requests).toEqual(["1", "1,2"]);
});

test("likeliestText drops repetitions and bounds its requests", async () => {
  const next = async (soFar: string) => [
    { text: soFar.endsWith(",") ? "1" : ",", probability: 0.9 },
    ...(soFar === "" ? [{ text: "1", probability: 0.1 }] : []),
  ];
  const circles = await likeliestText({ guide: listGuide(), next, ends: async () => false });
  expect(circles.kind).toBe("refused");
  expect(circles.requests).toBeLessThan(20);
  const digits = async (soFar: string) =>
    [..."1234567890"].map((text) => ({
      text: soFar === "" || soFar.endsWith(",") ? text : `,${text}`,
      probability: 0.1,
    }));
  const bounded = await likeliestText({ guide: listGuide(), next: digits, ends: async () => false, maxRequests: 30 });
  expect(bounded.requests).toBeLessThanOrEqual(30);
});

test.each<[requests: number, found: object]>([
  [0, { kind: "used-up", requests: 0, limit: "time" }],
  [1, { kind: "used-up", requests: 1, limit: "time" }],
  [2, { kind: "found", text: "1", meanLogProbability: expect.any(Number), requests: 2, limit: "time" }],
  [3, { kind: "found", text: "1,2", meanLogProbability: expect.any(Number), requests: 4 }],
])("likeliestText begins no request when the time is up, and takes what it has: %i", async (most, found) => {
  const model: Model = {
    "": { "1": 0.9 },
    "1": { ",": 0.8, $: 0.2 },
    "1,": { "2": 0.9 },
    "1,2": { $: 0.9 },
  };
  let requests = 0;
  const next = (soFar: string) => {
    requests += 1;
    return listedBy(model)(soFar);
  };
  const isLate = () => requests >= most && most < 3;
  expect(await likeliestText({ guide: listGuide(), next, ends: async () => false, isLate })).toEqual(found);
});

test("law: with an unlimited beam, likeliestText finds the allowed text with the highest mean", async () => {
  const tokens = ["1", "2", ",", "x", ""];
  const distribution = fc.array(fc.integer({ min: 1, max: 99 }), {
    minLength: tokens.length,
    maxLength: tokens.length,
  });
  let branching = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(distribution, { minLength: 12, maxLength: 12 }), async (weights) => {
      const guide = listGuide();
      const listed = (soFar: string): readonly LikelyText[] => {
        const row = weights[[...soFar].reduce((sum, unit) => sum * 5 + unit.charCodeAt(0), 7) % weights.length]!;
        const all = row.reduce((sum, weight) => sum + weight, 0);
        // A long text ends, so that there are few.
        if (soFar.length >= 3) return [{ text: "", probability: 1 }];
        return tokens
          .map((text, index) => ({ text, probability: row[index]! / all }))
          .sort((one, other) => other.probability - one.probability);
      };
      const whole: { readonly text: string; readonly mean: number }[] = [];
      const enumerate = (text: string, sum: number, count: number): void => {
        const all = listed(text);
        const isStart = text === "";
        if (!isStart && all[0]!.text !== "" && !guide.allows(text + all[0]!.text)) {
          const end = all.find((token) => token.text === "");
          if (guide.mayEnd(text) && end !== undefined)
            whole.push({ text, mean: (sum + Math.log(end.probability)) / (count + 1) });
          return;
        }
        for (const token of all) {
          const next = sum + Math.log(token.probability);
          if (token.text === "") {
            if (!isStart && guide.mayEnd(text)) whole.push({ text, mean: next / (count + 1) });
          } else if (guide.allows(text + token.text)) enumerate(text + token.text, next, count + 1);
        }
      };
      enumerate("", 0, 0);
      const found = await likeliestText({
        ...{ guide, next: async (soFar) => listed(soFar), ends: async () => false },
        ...{ width: 1_000, maxRequests: 10_000 },
      });
      if (whole.length > 1) branching += 1;
      expect(found.kind).toBe(whole.length > 0 ? "found" : "refused");
      fc.pre(found.kind === "found");
      expect(found.meanLogProbability).toBeGreaterThanOrEqual(Math.max(...whole.map(({ mean }) => mean)) - 1e-9);
      expect(whole.map(({ text }) => text)).toContain(found.text);
    }),
  );
  expect(branching).toBeGreaterThan(20);
});
