import { type ImpactRow, likelihoodNow } from "./impact-row.ts";

/** A kind of evidence: each has a model of its own. */
export type EvidenceKind = "follows" | "error" | "cascade" | "guess" | "reached" | "none";

/**
 * What is known of a block first of all: what the type checker reports of it, else that a rule
 * leads to it.
 */
export function evidenceKindOf({ checked, reach }: ImpactRow): EvidenceKind {
  return checked?.certainty ?? (reach === undefined ? "none" : "reached");
}

/** A feature of a row: a number that a weight is learnt for. */
export interface ImpactFeature {
  readonly name: string;
  readonly of: (row: ImpactRow) => number;
  /** Its weight before anything is learnt; default: 0. */
  readonly prior?: number;
}

const is = (name: string, holds: (row: ImpactRow) => boolean): ImpactFeature => ({
  name,
  of: (row) => (holds(row) ? 1 : 0),
});

const usesRemovedName = is("uses-removed-name", ({ signs }) => signs.includes("uses-removed-name"));
const usesDerivedName = is("uses-derived-name", ({ signs }) => signs.includes("uses-derived-name"));
const isTest = is("in a file of tests", (row) => row.isTest);
const isImport = is("import or export", ({ kind }) => kind === "import" || kind === "export");
const isHere = is("in a file of the change", ({ isInSeedFile }) => isInSeedFile);
const isReached = is("reached by a rule, too", ({ reach }) => reach !== undefined);
const isNear = is("reached at the first hop", ({ reach }) => reach?.hops === 1);
const isRename = is("the change is a RENAME", ({ seedLabel }) => seedLabel === "RENAME");
const beside = is("another block of its file is broken", ({ brokenBeside }) => brokenBeside > 0);
const broken: ImpactFeature = { name: "log2 of broken blocks", of: ({ broken }) => Math.log2(1 + broken) };

const code = (name: string, codes: readonly string[]) =>
  is(name, ({ checked }) => checked?.codes.some((one) => codes.includes(one)) ?? false);

/** What TypeScript's codes say, by what has to be done. */
const codes = [
  code("a name is not found", ["2304", "2305", "2552", "2614", "2694", "2724", "2503"]),
  code("a member is not found", ["2339", "2551", "2353", "2561", "2559"]),
  code("a value does not fit", ["2322", "2345", "2740", "2741", "2739", "2416", "2420", "2430"]),
  code("arguments too few or many", ["2554", "2555", "2556", "2575", "2314", "2707"]),
  code("an overload does not fit", ["2769"]),
  code("a parameter has no type any more", ["7006", "7031", "7005", "7034", "7053"]),
  is("nothing but that", ({ checked }) => checked?.codes.every((one) => /^70/.test(one)) ?? false),
  code("may be absent", ["2532", "2531", "2533", "18046", "18047", "18048", "18049"]),
  code("an expected error is none", ["2578"]),
  code("a module is not found", ["2307"]),
];

const relation = (name: string, relations: readonly string[]) =>
  is(name, ({ reach }) => reach !== undefined && relations.includes(reach.relation));
const behind = (name: string, ...kinds: readonly string[]) =>
  is(name, ({ reach }) => reach !== undefined && reach.hops > 1 && kinds.includes(reach.behind));

const crowd: ImpactFeature = {
  name: "log2 of the crowd",
  of: ({ reach }) => Math.log2(Math.max(1, reach?.crowd ?? 1)),
};

/**
 * The present likelihood of the analysis. Every other weight is thus a correction of what is there,
 * and 0 where that is right.
 */
const now: ImpactFeature = {
  name: "log-odds by the weights as they are",
  of: (row) => {
    const chance = likelihoodNow(row);
    return Math.log(chance / (1 - chance));
  },
  prior: 1,
};

/**
 * The features of each kind of evidence. All blocks that the analysis does not name at all are
 * alike.
 */
export const impactFeatures: Readonly<Record<Exclude<EvidenceKind, "none">, readonly ImpactFeature[]>> = {
  follows: [now, isImport, isTest, isReached],
  error: [
    now,
    { name: "waves after the first", of: ({ checked }) => (checked?.wave ?? 1) - 1 },
    ...codes,
    is("in its signature", ({ checked }) => checked?.isInSignature ?? false),
    is("hands through what it is given", ({ checked }) => checked?.isFromParameter ?? false),
    ...[usesRemovedName, usesDerivedName, isTest, isImport, isHere, isReached, isNear, broken],
  ],
  cascade: [
    ...[now, ...codes, usesRemovedName, usesDerivedName, isTest, isImport, isHere, isReached, isNear, isRename, broken],
  ],
  guess: [
    now,
    { name: "guesses after the first", of: ({ checked }) => (checked?.wave ?? 2) - 2 },
    ...[crowd, ...codes, usesRemovedName, usesDerivedName, isTest, isHere, isReached, isNear, beside, broken],
  ],
  reached: [
    now,
    { name: "hops after the first", of: ({ reach }) => (reach?.hops ?? 1) - 1 },
    ...[crowd, usesRemovedName, usesDerivedName],
    is("calls-what-has-to-change", ({ signs }) => signs.includes("calls-what-has-to-change")),
    { name: "log2 of the callers of that", of: ({ callers }) => Math.log2(callers ?? 1) },
    is("behind-broken-signature", ({ signs }) => signs.includes("behind-broken-signature")),
    behind("behind an error", "error"),
    behind("behind what follows", "follows"),
    behind("behind a cascade or a guess", "cascade", "guess"),
    relation("satisfies", ["satisfied-by", "satisfies"]),
    relation("overrides", ["overrides", "overridden-by"]),
    relation("calls", ["called-by", "instantiated-by"]),
    relation("imports", ["imported-by", "re-exported-by"]),
    relation("types", ["type-used-by"]),
    relation("family", ["base-of", "derives-from", "constructed-by", "merges-with"]),
    relation("tests", ["tested-by"]),
    ...[isTest, isImport, isHere, beside, broken],
  ],
};
