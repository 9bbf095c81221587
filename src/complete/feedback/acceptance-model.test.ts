import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultGhostTextSettings } from "../settings.ts";
import { AcceptanceModel, type TriggerFeatures } from "./acceptance-model.ts";

const plain: TriggerFeatures = { language: "typescript", lineBefore: "  const a = ", rest: "", recent: [] };

/** Signals of the place at the `|`. */
function at(line: string, more: Partial<TriggerFeatures> = {}): TriggerFeatures {
  const [lineBefore, rest] = line.split("|") as [string, string];
  return { ...plain, lineBefore, rest, ...more };
}

const signals = fc.record({
  language: fc.constantFrom("typescript", "python"),
  lineBefore: fc.string({ maxLength: 40 }),
  rest: fc.string({ maxLength: 5 }),
  recent: fc.array(fc.record({ accepted: fc.boolean(), agoMs: fc.nat(10_000_000) }), { maxLength: 10 }),
  length: fc.nat(500),
  probability: fc.double({ min: 0, max: 1, noNaN: true }),
});

const rounded = (score: number) => Math.round(score * 100) / 100;

describe("an acceptance model without feedback", () => {
  test.each([
    ["  const a = |", 0.63],
    ["user.|", 0.7],
    ["|", 0.6],
    ["f(a|)", 0.54],
    ["f();|", 0.39],
    ["f(|more)", 0.49],
  ])("%s", (line, score) => expect(rounded(new AcceptanceModel().score(at(line)).score)).toBe(score));

  test("filters out no suggestion of an unknown person", () => {
    fc.assert(
      fc.property(signals, (place) => {
        const { score } = new AcceptanceModel().score({ ...place, recent: [], probability: 0.5 });
        return score > defaultGhostTextSettings.acceptanceThreshold;
      }),
    );
  });

  test("lowers the score after a rejection and raises it with time", () => {
    const scoreAfter = (agoMs: number) =>
      rounded(new AcceptanceModel().score(at("user.|", { recent: [{ accepted: false, agoMs }] })).score);
    expect([scoreAfter(0), scoreAfter(60_000), scoreAfter(3_600_000)]).toEqual([0.5, 0.6, 0.7]);
  });
});

describe("an acceptance model that learns", () => {
  test("raises the score of accepted places and lowers that of rejected ones", () => {
    fc.assert(
      fc.property(signals, fc.boolean(), (place, accepted) => {
        const model = new AcceptanceModel();
        const before = model.score(place).score;
        model.learn(place, accepted);
        const after = model.score(place).score;
        return accepted ? after >= before : after <= before;
      }),
    );
  });

  test("has different scores for places with different feedback", () => {
    const model = new AcceptanceModel();
    for (let i = 0; i < 200; i++) {
      model.learn(at("user.|"), true);
      model.learn(at("// why it is so|"), false);
    }
    expect(model.score(at("other.|")).score).toBeGreaterThan(0.8);
    expect(model.score(at("// how it is done|")).score).toBeLessThan(0.2);
  });

  test("keeps its weights and its state bounded", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(signals, fc.boolean()), { maxLength: 60 }), (answers) => {
        const model = new AcceptanceModel();
        for (const [place, accepted] of answers) model.learn(place, accepted);
        const { weights } = model.state;
        return Object.values(weights).every((w) => Math.abs(w) <= 4) && Object.keys(weights).length < 60;
      }),
    );
  });
});

test("the contributions of the trigger features add up to the score", () => {
  fc.assert(
    fc.property(signals, (place) => {
      const { score, contributions } = new AcceptanceModel().score(place);
      const sum = contributions.reduce((all, { adds }) => all + adds, 0);
      expect(score).toBeCloseTo(1 / (1 + Math.exp(-sum)), 9);
    }),
  );
});

test("law: the state of the acceptance model survives JSON", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(signals, fc.boolean()), { maxLength: 20 }), signals, (answers, place) => {
      const model = new AcceptanceModel();
      for (const [signal, accepted] of answers) model.learn(signal, accepted);
      const again = new AcceptanceModel(JSON.parse(JSON.stringify(model.state)));
      expect(again.score(place)).toEqual(model.score(place));
    }),
  );
});

test.each([
  undefined,
  null,
  "text",
  { version: 2, answers: 1, weights: {} },
  { version: 1, answers: -1, weights: {} },
  { version: 1, answers: 1, weights: { always: "much" } },
  { version: 1, answers: 1, weights: null },
])("what is no state of its kind is a cold start: %j", (state) => {
  expect(new AcceptanceModel(state).state).toEqual({ version: 1, answers: 0, weights: {} });
});
