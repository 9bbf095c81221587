import { describe, expect, test } from "vitest";
import { workLikelihood } from "./impact-analysis.ts";
import { type ImpactEvidence, likelihoodOf, StaleNames } from "./likelihood.ts";
import type { ImpactReach } from "./may-impact.ts";
import type { CheckedBlock } from "./speculative-check.ts";

/** Renamed names, and whether a text contains a name akin to them. */
const kin: readonly (readonly [renamed: string, text: string, isKin: boolean])[] = [
  ["PatchRoutesOnMissFunction > PatchRoutesOnNavigationFunction", "unstable_patchRoutesOnMiss", true],
  ["PatchRoutesOnMissFunction > PatchRoutesOnNavigationFunction", "onMiss", false],
  ["HandlerResult > StrategyResult", "export { HandlerResult as unstable_HandlerResult }", true],
  ["HandlerResult > StrategyResult", "eventHandler", false],
  ["loadLogger > createLogger", "loadLoggerOnce()", true],
  ["AST > SchemaTree", "AST", false],
  ["$scope_of > $scope_at", "my_$scope_of", true],
];

/** A removed name and a text, and whether the text uses the name. */
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
    addedParameters: new Map(),
    removed: new Set(removed),
  });
}

describe("StaleNames", () => {
  for (const [renamed, text, isKin] of kin) {
    test(`StaleNames ${isKin ? "finds" : "finds no"} name akin to ${renamed} in ${text}`, () => {
      expect(names(renamed).usesKin(text)).toBe(isKin);
    });
  }
  for (const [removed, text, isGone] of gone) {
    test(`StaleNames ${isGone ? "finds" : "does not find"} the removed name ${removed} in ${text}`, () => {
      expect(names("", [removed]).usesRemoved(text)).toBe(isGone);
    });
  }
});

describe("likelihood by the graph alone, where no type checker covers the block", () => {
  /** A change and a relation from it; `args`: only arguments of calls changed. */
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
    // All callers have to follow a signature, however many there are; blocks behind them only once
    // they did.
    expect(isWork(way, 1, 1000)).toBe(expected);
    expect(isWork(way, 2, 1)).toBe(false);
  });
});

describe("likelihoodOf", () => {
  const reach = (hops: number, crowd = 1) =>
    ({ hops, crowd, relation: "called-by", change: { label: "MMS" } }) as ImpactReach;
  const checked = (certainty: CheckedBlock["certainty"], wave = 1, ...codes: string[]) =>
    ({ certainty, wave, codes }) as unknown as CheckedBlock;
  const calls = (callers: number) => ({ signs: ["calls-what-has-to-change"], callers }) as const;
  const rest = { wasChecked: true, signs: [] } as const;

  test("a block with a type error is likelier than one that only the graph reaches", () => {
    const order = [
      likelihoodOf({ ...rest, checked: checked("follows") }),
      likelihoodOf({ ...rest, checked: checked("error", 1, "2345") }),
      likelihoodOf({ ...rest, checked: checked("error", 1, "7006") }),
      likelihoodOf({ ...rest, reach: reach(1), signs: ["uses-removed-name"] }),
      likelihoodOf({ ...rest, reach: reach(1) }),
      likelihoodOf({ ...rest, reach: reach(1, 40) }),
      likelihoodOf({ ...rest, reach: reach(3, 40) }),
    ];
    expect(order).toEqual([...order].sort((a, b) => b - a));
  });

  test("the graph weighs more where no type checker covers the block", () => {
    const unchecked = likelihoodOf({ reach: reach(1), wasChecked: false, signs: [] });
    expect(unchecked).toBeGreaterThan(likelihoodOf({ ...rest, reach: reach(1) }));
  });

  /** The evidence for a block, and whether it is work to do. */
  const works: readonly (readonly [known: string, evidence: Partial<ImpactEvidence>, isWork: boolean])[] = [
    ["one of three callers of a function that cannot be repaired alone", { ...calls(3), reach: reach(2, 3) }, true],
    ["one of forty callers of a function that cannot be repaired alone", { ...calls(40), reach: reach(2, 40) }, false],
    [
      "the only caller of a function that may get a parameter",
      { checked: checked("guess", 2), reach: reach(2, 1) },
      true,
    ],
    [
      "one of many callers of a function that may get a parameter",
      { checked: checked("guess", 2), reach: reach(2, 9) },
      false,
    ],
    [
      "the caller of a caller of a function that may get a parameter",
      { checked: checked("guess", 3), reach: reach(3, 1) },
      false,
    ],
    ["a block with an error until others are repaired", { checked: checked("cascade", 1, "2322") }, true],
    ["a block whose expected error comes back", { checked: checked("cascade", 1, "2578") }, false],
  ];
  test.each(works)("%s: %s", (_, evidence, isWork) => {
    expect(likelihoodOf({ ...rest, ...evidence }) >= workLikelihood).toBe(isWork);
  });

  test("a block without evidence has likelihood 0", () => expect(likelihoodOf(rest)).toBe(0));
});
