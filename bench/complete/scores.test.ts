import { describe, expect, test } from "vitest";
import { calibrationError, editSimilarity, namesIn, precisionAt, reliability, scoreLine } from "./scores.ts";

describe("one line against the truth", () => {
  const check = (predicted: string, truth: string, scores: readonly [number, number, number, number]) => {
    const { exact, similarity, namesExact, namesF1 } = scoreLine(predicted, truth);
    const rounded = [exact, similarity, namesExact, namesF1].map((score) => Math.round(score * 100) / 100);
    expect(rounded, `${predicted} | ${truth}`).toEqual(scores);
  };

  test("exact match, edit similarity, names in order, names as a bag", () => {
    check("foo(bar)", "foo(bar)", [1, 1, 1, 1]);
    check("foo(bar)  ", "foo(bar)\t", [1, 1, 1, 1]);
    check(" foo", "foo", [0, 0.75, 1, 1]);
    check("foo(bar);", "foo(bar)", [0, 0.89, 1, 1]);
    check("bar(foo)", "foo(bar)", [0, 0.25, 0, 1]);
    check("foo(baz)", "foo(bar)", [0, 0.88, 0, 0.5]);
    check("", "foo", [0, 0, 0, 0]);
    check("foo", "", [0, 0, 0, 0]);
    check(")", "}", [0, 0, 1, 1]);
    check("", "", [1, 1, 1, 1]);
    check("a + a", "a", [0, 0.2, 0, 0.67]);
  });

  test("keywords are no names, parts of strings are", () => {
    expect(namesIn("return await load('a-b', $x, größe, _0, 1e3)")).toEqual([
      "load",
      "a",
      "b",
      "$x",
      "größe",
      "_0",
      "e3",
    ]);
  });

  test("similarity is symmetric", () => {
    expect(editSimilarity("kitten", "sitting")).toBeCloseTo(1 - 3 / 7);
    expect(editSimilarity("sitting", "kitten")).toBeCloseTo(1 - 3 / 7);
  });
});

const judged = (...pairs: readonly (readonly [probability: number, exact: number])[]) =>
  pairs.map(([probability, exact]) => ({ probability, exact }));

describe("how sure and how right", () => {
  test("precision among the surest", () => {
    const some = judged([0.1, 0], [0.9, 1], [0.5, 0], [0.7, 1], [0.3, 1]);
    expect(precisionAt(0.2, some)).toBe(1);
    expect(precisionAt(0.6, some)).toBeCloseTo(2 / 3);
    expect(precisionAt(1, some)).toBe(0.6);
    expect(precisionAt(0.2, [])).toBe(0);
  });

  test("ten bins, the last one closed", () => {
    const bins = reliability(judged([0, 0], [0.1, 1], [0.95, 1], [1, 0]));
    expect(bins.map(({ count }) => count)).toEqual([1, 1, 0, 0, 0, 0, 0, 0, 0, 2]);
    expect(bins[9]).toMatchObject({ meanProbability: 0.975, rightShare: 0.5 });
  });

  test("calibration error", () => {
    expect(calibrationError(reliability(judged([1, 1], [1, 1], [0, 0])))).toBe(0);
    expect(calibrationError(reliability(judged([1, 0], [0, 0])))).toBe(0.5);
    expect(calibrationError(reliability([]))).toBe(0);
  });
});
