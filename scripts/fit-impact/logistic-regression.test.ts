import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chanceOf, fitLogistic } from "./logistic-regression.ts";

/** Rows as digits, one a feature, and whether the answer is yes: `10+ 00-`. */
function read(notation: string) {
  const words = notation.split(" ").filter((word) => word !== "");
  return {
    rows: words.map((word) => [...word.slice(0, -1)].map(Number)),
    answers: words.map((word) => (word.endsWith("+") ? 1 : 0)),
  };
}

const notations = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 1 }), fc.boolean()), { minLength: 1 })
  .map((list) => list.map(([a, b, yes]) => `${a}${b}${yes ? "+" : "-"}`));

describe("a logistic regression", () => {
  test.each([
    // Without features the chance is how often the answer is yes.
    ["+ + + -", "", 0.75],
    ["+ - - - - - - -", "", 0.125],
    // One feature that holds or not: each side has the chance of its own rows.
    ["1+ 1+ 1+ 1- 0+ 0- 0- 0-", "1", 0.75],
    ["1+ 1+ 1+ 1- 0+ 0- 0- 0-", "0", 0.25],
    // A feature that is always the same contains no evidence.
    ["1+ 1+ 1+ 1-", "1", 0.75],
  ])("%s gives %j the chance %f", (notation, row, chance) => {
    const { rows, answers } = read(notation);
    expect(chanceOf(fitLogistic(rows, answers, { ridge: 1e-6 }), [...row].map(Number))).toBeCloseTo(chance, 3);
  });

  test("where there are no answers, all is as it was thought before", () => {
    const prior = { intercept: -2, weights: [3, 0.5] };
    expect(fitLogistic([], [], { prior })).toEqual(prior);
  });

  test("answers that are all alike have finite weights", () => {
    const { rows, answers } = read("1+ 0+ 1+");
    const { intercept, weights } = fitLogistic(rows, answers);
    expect(Number.isFinite(intercept)).toBe(true);
    expect(Math.abs(weights[0]!)).toBeLessThan(2);
  });

  test("the chances of all rows add up to the answers that are yes, but for what the intercept costs", () => {
    fc.assert(
      fc.property(notations, (list) => {
        const { rows, answers } = read(list.join(" "));
        const model = fitLogistic(rows, answers);
        const sum = rows.reduce((all, row) => all + chanceOf(model, row), 0);
        const yes = answers.filter((answer) => answer === 1).length;
        expect(sum).toBeCloseTo(yes - model.intercept, 4);
      }),
    );
  });

  test("the order of the rows does not matter", () => {
    fc.assert(
      fc.property(notations, (list) => {
        const [one, other] = [list, [...list].reverse()].map((some) => {
          const { rows, answers } = read(some.join(" "));
          return fitLogistic(rows, answers);
        });
        expect(one!.intercept).toBeCloseTo(other!.intercept, 4);
        for (const [at, weight] of one!.weights.entries()) expect(weight).toBeCloseTo(other!.weights[at]!, 4);
      }),
    );
  });
});
