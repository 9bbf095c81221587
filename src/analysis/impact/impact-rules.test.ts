import { describe, expect, test } from "vitest";
import type { ChangeLabel } from "../changes/atomic-change.ts";
import { inverseRelations } from "../graph/dependency-graph.ts";
import { edgesOf, impactRules, impactSteps, readImpactEntry } from "./impact-rules.ts";

/** The relations by their names in the paper. */
const paperNames: Readonly<Record<string, string>> = {
  "called-by": "CalledBy",
  overrides: "Overrides",
  "overridden-by": "OverriddenBy",
  "used-by": "UsedBy",
  "constructed-by": "ConstructedBy",
  "instantiated-by": "InstantiatedBy",
  "base-of": "BaseClassOf",
  "derives-from": "DerivedClassOf",
  "imported-by": "ImportedBy",
};

/**
 * A row's first list in the notation of the paper: the block by its letter, the class around it as
 * C.
 */
function asInPaper(label: ChangeLabel, letter: string): string {
  const { affects, onlyIf } = impactRules[label];
  const list = affects
    .map(readImpactEntry)
    .map(({ graph, from, relation }) => {
      return `Rel(${graph === "before" ? "D" : "D'"}, ${from === "owner" ? "C" : letter}, ${paperNames[relation]})`;
    })
    .join(", ");
  return onlyIf === "escapes" ? `If an escaping object is modified then ${list} else Nil` : list || "Nil";
}

describe("impactRules and the table of the CodePlan paper", () => {
  const classes = "Rel(D, C, BaseClassOf), Rel(D, C, DerivedClassOf)";
  const rows: readonly (readonly [label: ChangeLabel, letter: string, affects: string])[] = [
    ["MMB", "M", "If an escaping object is modified then Rel(D, M, CalledBy) else Nil"],
    [
      "MMS",
      "M",
      "Rel(D, M, CalledBy), Rel(D, M, Overrides), Rel(D, M, OverriddenBy), Rel(D', M, Overrides), Rel(D', M, OverriddenBy)",
    ],
    ["MF", "F", `Rel(D, F, UsedBy), Rel(D, C, ConstructedBy), ${classes}`],
    ["MC", "C", `Rel(D, C, InstantiatedBy), ${classes}, ${classes.replaceAll("D,", "D',")}`],
    ["MCC", "C", `Rel(D, C, InstantiatedBy), ${classes}`],
    ["MI", "I", "Rel(D, I, ImportedBy)"],
    ["AM", "M", `${classes}, Rel(D', M, CalledBy)`],
    ["AF", "F", `Rel(D, C, ConstructedBy), ${classes}`],
    ["AC", "C", "Nil"],
    ["ACC", "C", `Rel(D, C, InstantiatedBy), ${classes}`],
    ["AI", "I", "Nil"],
    ["DM", "M", "Rel(D, M, CalledBy), Rel(D, M, Overrides), Rel(D, M, OverriddenBy)"],
    ["DF", "F", `Rel(D, F, UsedBy), Rel(D, C, ConstructedBy), ${classes}`],
    ["DC", "C", `Rel(D, C, InstantiatedBy), ${classes}`],
    ["DCC", "C", `Rel(D, C, InstantiatedBy), ${classes}`],
    ["DI", "I", "Rel(D, I, ImportedBy)"],
  ];
  test.each(rows)("%s: %s", (label, letter, affects) => expect(asInPaper(label, letter)).toBe(affects));

  test("rows that the paper does not have are Nil in the column of the paper", () => {
    const known = new Set(rows.map(([label]) => label));
    const others = (Object.keys(impactRules) as ChangeLabel[]).filter((label) => !known.has(label));
    expect(others.length).toBeGreaterThan(0);
    expect(others.filter((label) => impactRules[label].affects.length > 0)).toEqual([]);
  });
});

test("no row of the impact rules has an entry twice", () => {
  for (const { affects, alsoAffects } of Object.values(impactRules)) {
    const all = [...affects, ...alsoAffects];
    expect(new Set(all).size).toBe(all.length);
  }
});

test("edgesOf returns the direction of each relation and of its inverse", () => {
  for (const [relation, inverse] of Object.entries(inverseRelations) as ["calls", "called-by"][]) {
    const isOwnInverse = (relation as string) === inverse;
    expect(edgesOf(relation)).toEqual({ relation, away: true, towards: isOwnInverse });
    expect(edgesOf(inverse)).toEqual({ relation, away: isOwnInverse, towards: true });
  }
});

test("a change without an effect on others affects none", () => {
  for (const label of Object.keys(impactRules) as ChangeLabel[])
    expect([label, impactSteps({ label, escapes: false })]).toEqual([label, []]);
});

test("a changed body affects others only if the change is visible outside of it", () => {
  expect(impactSteps({ label: "MMB", escapes: false })).toEqual([]);
  expect(impactSteps({ label: "MMB", escapes: true }).map(({ relation }) => relation)).toContain("called-by");
});

test("readImpactEntry parses each part of an entry", () => {
  expect(readImpactEntry("D' owner base-of")).toEqual({
    graph: "after",
    from: "owner",
    relation: "base-of",
    isInFile: false,
    isPassedOther: false,
  });
  expect(readImpactEntry("D' calls otherwise")).toEqual({
    graph: "after",
    from: "block",
    relation: "calls",
    isInFile: false,
    isPassedOther: true,
  });
  expect(readImpactEntry("D calls in its file")).toEqual({
    graph: "before",
    from: "block",
    relation: "calls",
    isInFile: true,
    isPassedOther: false,
  });
});
