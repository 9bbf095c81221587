import { describe, expect, test } from "vitest";
import { crossValidated, fitModels, predict } from "./fit-models.ts";
import { type ImpactRow, likelihoodNow } from "./impact-row.ts";

/**
 * A block that the type checker refuses in some wave, with a code, in a repository; `+` changed,
 * `-` did not, `?` for other reasons.
 */
function row(repo: string, notation: string): ImpactRow {
  const [, certainty, wave, code, outcome] = /^(\w+) (\d) (\d+) ([+?-])$/.exec(notation)!;
  return {
    ...{ repo, case: `${repo}-1`, block: "a.ts|vf:f", kind: "function", seedLabel: "MMS", signs: [] },
    outcome: outcome === "+" ? "forced" : outcome === "-" ? "unchanged" : "other",
    checked: {
      certainty: certainty as "error" | "guess",
      wave: Number(wave),
      codes: [code!],
      isInSignature: false,
      isFromParameter: false,
    },
    ...{ isInSeedFile: false, isTest: false, brokenBeside: 0, broken: 1 },
  };
}

const guesses = Array.from({ length: 40 }, () => row("a/a", "guess 2 2554 -"));

describe("corrections of likelihoods", () => {
  test("without rows, all is predicted as it is now", () => {
    const one = row("a/a", "error 1 2345 +");
    expect(predict(fitModels([]), one)).toBeCloseTo(likelihoodNow(one), 9);
  });

  test("what hardly ever came true is predicted less often, and what always did no less", () => {
    const rows = [...guesses, row("a/a", "error 1 2345 +")];
    const models = fitModels(rows);
    expect(predict(models, rows[0]!)).toBeLessThan(0.15);
    expect(predict(models, rows.at(-1)!)).toBeGreaterThanOrEqual(likelihoodNow(rows.at(-1)!));
  });

  test("blocks that changed for other reasons teach nothing", () => {
    const rows = guesses.map(() => row("a/a", "guess 2 2554 ?"));
    expect(predict(fitModels(rows), rows[0]!)).toBeCloseTo(likelihoodNow(rows[0]!), 9);
  });

  test("a repository is predicted from the others alone", () => {
    const alone = row("b/b", "guess 2 2554 -");
    const rows = [...guesses, alone];
    const predicted = crossValidated(rows);
    expect(predicted[0]).toBeCloseTo(predict(fitModels([alone]), guesses[0]!), 9);
    expect(predicted.at(-1)).toBeCloseTo(predict(fitModels(guesses), alone), 9);
  });
});
