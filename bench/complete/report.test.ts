import { expect, test } from "vitest";
import { type CaseResult, printReport, summarize } from "./report.ts";

function result(changes: Partial<CaseResult>): CaseResult {
  return {
    ...{ id: "a", repository: "r", set: "static", kind: "line", seenLine: "no", isTest: false, isImport: false },
    ...{ middle: "foo()", predicted: "foo()", probability: 1, wallMs: 1, cpuMs: 1 },
    ...{ exact: 1, similarity: 1, namesExact: 1, namesF1: 1, offered: "foo()" },
    typed: { characters: 5, keys: 1, shown: 1, taken: 1 },
    ...changes,
  };
}

test("figures of both sets, and what a person sees", () => {
  const summary = summarize([
    result({}),
    result({ kind: "word", exact: 0, similarity: 0.5, probability: 0.2, offered: "foo" }),
    result({ exact: 0, similarity: 0, offered: undefined, typed: { characters: 5, keys: 5, shown: 1, taken: 0 } }),
    result({ set: "commit", offered: "bar", exact: 0 }),
  ]);
  expect(summary.sets.map(({ group, count, similarity }) => [group, count, similarity])).toEqual([
    ["static", 3, 50],
    ["commit", 1, 100],
  ]);
  expect(
    summary.tables.filter(({ name }) => name === "kind").map(({ rows }) => rows.map(({ group }) => group)),
  ).toEqual([["line", "word"], ["line"]]);
  const [seen, , all] = summary.person;
  expect(seen!.offered).toBeCloseTo(66.67, 1);
  expect([seen!.whole, seen!.right]).toEqual([50, 100]);
  expect(seen!.keysSaved).toBeCloseTo(100 * (1 - 7 / 15));
  expect(all!.right).toBeCloseTo(66.67, 1);
  expect(summary.bars.map(({ name }) => name)).toContain("commit P@20");
  expect(printReport(summary)).toContain("MISS");
});

test("one set alone, without typing", () => {
  const summary = summarize([result({ typed: undefined })]);
  expect(summary.sets.map(({ group }) => group)).toEqual(["static"]);
  expect(summary.person[0]!.keysSaved).toBeUndefined();
  expect(printReport(summary)).toContain(" - ");
});
