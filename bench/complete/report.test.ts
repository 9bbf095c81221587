import { expect, test } from "vitest";
import { type CaseResult, printReport, repeatsRest, summarize } from "./report.ts";

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

test.each([
  ["atus_code ==", "atus_code == 200", true],
  ["at", "atus_code == 200", true],
  ["atus_", "code == 200", false],
  ["", "code", false],
  [undefined, "code", false],
])("row 26: %j, shown in front of %j, repeats it: %s", (text, rest, expected) => {
  expect(repeatsRest(text, rest)).toBe(expected);
});

test("row 26: repeats inside names are counted, and none may be", () => {
  const summary = summarize([
    result({ kind: "word", inside: { offered: "ance", repeats: true } }),
    result({ kind: "word", inside: { offered: undefined, repeats: false } }),
  ]);
  expect(summary.inside).toEqual({ count: 2, offered: 1, repeats: 1 });
  expect(printReport(summary)).toMatch(/repeats inside names +1\.00 +at most 0 +MISS/);
});
