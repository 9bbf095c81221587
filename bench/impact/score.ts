import type { AffectedBlock } from "../../src/analysis/impact/impact-analysis.ts";
import { caseKey, type ImpactCase } from "./impact-case.ts";

/** What an answer to a case came to, by the rules that are written beside the cases. */
export interface CaseScore {
  readonly id: string;
  readonly forced: number;
  /**
   * Of the work list: forced blocks, linked blocks, and blocks that did not change; how long it is.
   */
  readonly hits: number;
  readonly linked: number;
  readonly falseAlarms: number;
  readonly length: number;
  /** Forced blocks that are in the closure, and how long that is. */
  readonly reached: number;
  readonly closure: number;
  /**
   * Mean precision over the places of changed blocks in the ranked closure; those that are not in
   * it count as nothing.
   */
  readonly averagePrecision: number;
  /** The predicted likelihoods, and whether the block changed: neutral blocks are left out. */
  readonly predictions: readonly { readonly likelihood: number; readonly changed: boolean }[];
  readonly missed: readonly string[];
  readonly alarms: readonly string[];
}

/** Scores a ranked answer; blocks of at least `workLikelihood` are the work list. */
export function scoreCase(one: ImpactCase, affected: readonly AffectedBlock[], workLikelihood: number): CaseScore {
  const { seed } = one;
  const seeds = new Set([caseKey(seed), caseKey({ ...seed.after, file: seed.file })]);
  const forced = new Set(one.forced.map(caseKey));
  const linked = new Set(one.linked.map(caseKey));
  const neutral = new Set(one.other.map(caseKey));
  const seen = new Set<string>();
  const ranked = affected
    .map(({ block: { path, kind, name }, likelihood }) => ({ key: caseKey({ file: path, kind, name }), likelihood }))
    .filter(({ key }) => !seeds.has(key) && !seen.has(key) && seen.add(key));
  const work = ranked.filter(({ likelihood }) => likelihood >= workLikelihood).map(({ key }) => key);
  const counted = ranked.filter(({ key }) => !neutral.has(key) || forced.has(key) || linked.has(key));
  const isHit = (key: string) => forced.has(key) || linked.has(key);
  let found = 0;
  let precisions = 0;
  for (const [place, { key }] of counted.entries()) {
    if (!isHit(key)) continue;
    found += 1;
    precisions += found / (place + 1);
  }
  const inWork = new Set(work);
  return {
    id: one.id,
    forced: forced.size,
    hits: work.filter((key) => forced.has(key)).length,
    linked: work.filter((key) => !forced.has(key) && linked.has(key)).length,
    falseAlarms: work.filter((key) => !isHit(key) && !neutral.has(key)).length,
    length: work.length,
    reached: ranked.filter(({ key }) => forced.has(key)).length,
    closure: ranked.length,
    averagePrecision: precisions / Math.max(1, new Set([...forced, ...linked]).size),
    predictions: counted.map(({ key, likelihood }) => ({ likelihood, changed: isHit(key) })),
    missed: [...forced].filter((key) => !inWork.has(key)),
    alarms: work.filter((key) => !isHit(key) && !neutral.has(key)),
  };
}

/** The figures over all cases. */
export interface ImpactFigures {
  readonly cases: number;
  readonly recall: number;
  readonly precision: number;
  /** The share of cases in which the work list has every forced block. */
  readonly complete: number;
  readonly medianLength: number;
  readonly closureRecall: number;
  readonly medianClosure: number;
  readonly meanAveragePrecision: number;
  /**
   * The mean distance between likelihoods and what came of them, over ten bins, weighted by the
   * blocks in each.
   */
  readonly calibrationError: number;
}

export function figuresOf(scores: readonly CaseScore[]): ImpactFigures {
  const sum = (pick: (score: CaseScore) => number) => scores.reduce((all, score) => all + pick(score), 0);
  const hits = sum(({ hits }) => hits);
  const linked = sum(({ linked }) => linked);
  return {
    cases: scores.length,
    recall: hits / sum(({ forced }) => forced),
    precision: (hits + linked) / Math.max(1, hits + linked + sum(({ falseAlarms }) => falseAlarms)),
    complete: scores.filter(({ hits, forced }) => hits === forced).length / scores.length,
    medianLength: median(scores.map(({ length }) => length)),
    closureRecall: sum(({ reached }) => reached) / sum(({ forced }) => forced),
    medianClosure: median(scores.map(({ closure }) => closure)),
    meanAveragePrecision: sum(({ averagePrecision }) => averagePrecision) / scores.length,
    calibrationError: calibrationError(scores.flatMap(({ predictions }) => predictions)),
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length === 0 ? 0 : (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
}

function calibrationError(predictions: CaseScore["predictions"]): number {
  const bins = Array.from({ length: 10 }, () => ({ count: 0, likelihood: 0, changed: 0 }));
  for (const { likelihood, changed } of predictions) {
    const bin = bins[Math.min(9, Math.floor(likelihood * 10))]!;
    bin.count += 1;
    bin.likelihood += likelihood;
    bin.changed += changed ? 1 : 0;
  }
  return (
    bins.reduce((all, { likelihood, changed }) => all + Math.abs(likelihood - changed), 0) /
    Math.max(1, predictions.length)
  );
}
