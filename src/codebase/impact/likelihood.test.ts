import { describe, expect, test } from "vitest";
import { workLikelihood } from "./impact-analysis.ts";
import { type ImpactEvidence, likelihoodOf, StaleNames } from "./likelihood.ts";
import type { ImpactReach } from "./may-impact.ts";
import type { CheckedBlock } from "./speculative-check.ts";

/** Names as they were renamed, and whether a text says one akin to them. */
const kin: readonly (readonly [renamed: string, text: string, isKin: boolean])[] = [
  ["PatchRoutesOnMissFunction > PatchRoutesOnNavigationFunction", "unstable_patchRoutesOnMiss", true],
  ["PatchRoutesOnMissFunction > PatchRoutesOnNavigationFunction", "onMiss", false],
  ["HandlerResult > StrategyResult", "export { HandlerResult as unstable_HandlerResult }", true],
  ["HandlerResult > StrategyResult", "eventHandler", false],
  ["loadLogger > createLogger", "loadLoggerOnce()", true],
  ["AST > SchemaTree", "AST", false],
  ["$scope_of > $scope_at", "my_$scope_of", true],
];

/** Of a change's names and of a text: whether the text says one that is no more. */
const gone: readonly (readonly [removed: string, text: string, isGone: boolean])[] = [
  ["name", "options.name", true],
  ["name", "options.names", false],
  ["$el", "this.$el", true],
  ["größe", "x.größe", true],
];

function names(renamed: string, removed: readonly string[] = []): StaleNames {
  const [from, to] = renamed.split(" > ");
  return new StaleNames([], {
    renamed: new Map(to === undefined ? [] : [[from!, to]]),
    grown: new Map(),
    removed: new Set(removed),
  });
}

describe("StaleNames", () => {
  for (const [renamed, text, isKin] of kin) {
    test(`${renamed}: ${text} is ${isKin ? "akin" : "not akin"}`, () => {
      expect(names(renamed).saysKin(text)).toBe(isKin);
    });
  }
  for (const [removed, text, isGone] of gone) {
    test(`${removed}: ${text} ${isGone ? "says it" : "does not say it"}`, () => {
      expect(names("", [removed]).saysGone(text)).toBe(isGone);
    });
  }
});

describe("what the graph alone asks, where no type checker looks", () => {
  /** A change and a way from it; `args` says that only arguments of calls changed. */
  const cases: readonly (readonly [way: string, isWork: boolean])[] = [
    ["MMS called-by", true],
    ["MMS overridden-by", true],
    ["MCC instantiated-by", true],
    ["AF constructed-by", true],
    ["MMB called-by", true],
    ["MMB called-by args", false],
    ["MMB calls", true],
    ["MMB calls args", true],
    ["MC base-of", true],
    ["AF base-of", false],
    ["MCC derives-from", false],
    ["RENAME called-by", false],
    ["MOVE calls", false],
  ];
  const isWork = (way: string, hops: number, crowd: number) => {
    const [label, relation, args] = way.split(" ");
    const change = { label, ...(args && { isInArguments: true }) };
    const reach = { hops, crowd, relation, change } as unknown as ImpactReach;
    return likelihoodOf({ wasChecked: false, signs: [], reach }) >= workLikelihood;
  };
  test.each(cases)("%s: %s", (way, expected) => {
    expect(isWork(way, 1, 1)).toBe(expected);
    // All callers have to follow a signature, however many they are; nobody beyond them before they
    // did.
    expect(isWork(way, 1, 1000)).toBe(expected);
    expect(isWork(way, 2, 1)).toBe(false);
  });
});

describe("likelihoodOf", () => {
  const reach = (hops: number, crowd = 1) =>
    ({ hops, crowd, relation: "called-by", change: { label: "MMS" } }) as ImpactReach;
  const witness = (certainty: CheckedBlock["certainty"], wave = 1, ...codes: string[]) =>
    ({ certainty, wave, codes }) as unknown as CheckedBlock;
  const calls = (callers: number) => ({ signs: ["calls-what-has-to-change"], callers }) as const;
  const rest = { wasChecked: true, signs: [] } as const;

  test("what the checker refuses comes before what the graph alone reaches", () => {
    const order = [
      likelihoodOf({ ...rest, witness: witness("follows") }),
      likelihoodOf({ ...rest, witness: witness("error", 1, "2345") }),
      likelihoodOf({ ...rest, witness: witness("error", 1, "7006") }),
      likelihoodOf({ ...rest, reach: reach(1), signs: ["says-old-name"] }),
      likelihoodOf({ ...rest, reach: reach(1) }),
      likelihoodOf({ ...rest, reach: reach(1, 40) }),
      likelihoodOf({ ...rest, reach: reach(3, 40) }),
    ];
    expect(order).toEqual([...order].sort((a, b) => b - a));
  });

  test("without a checker the graph weighs more", () => {
    const unchecked = likelihoodOf({ reach: reach(1), wasChecked: false, signs: [] });
    expect(unchecked).toBeGreaterThan(likelihoodOf({ ...rest, reach: reach(1) }));
  });

  /** What is known of a block, and whether it is work. */
  const works: readonly (readonly [known: string, evidence: Partial<ImpactEvidence>, isWork: boolean])[] = [
    ["one of three callers of what cannot be mended", { ...calls(3), reach: reach(2, 3) }, true],
    ["one of forty", { ...calls(40), reach: reach(2, 40) }, false],
    ["the one caller of what may grow", { witness: witness("guess", 2), reach: reach(2, 1) }, true],
    ["one of many", { witness: witness("guess", 2), reach: reach(2, 9) }, false],
    ["the caller of that caller", { witness: witness("guess", 3), reach: reach(3, 1) }, false],
    ["wrong until others are mended", { witness: witness("cascade", 1, "2322") }, true],
    ["expects an error that comes back", { witness: witness("cascade", 1, "2578") }, false],
  ];
  test.each(works)("%s: %s", (_, evidence, isWork) => {
    expect(likelihoodOf({ ...rest, ...evidence }) >= workLikelihood).toBe(isWork);
  });

  test("nothing known is no chance", () => expect(likelihoodOf(rest)).toBe(0));
});
