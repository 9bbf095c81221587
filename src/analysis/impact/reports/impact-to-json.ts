import { type AffectedView, countStatus, type ImpactView } from "../impact-view.ts";

/** An impact as a JSON object. Fields may be added; existing ones keep their meaning. */
export interface ImpactJson {
  readonly kind: "impact";
  readonly between: string;
  readonly minLikelihood: number;
  readonly counts: {
    readonly changes: number;
    readonly toDo: number;
    readonly touched: number;
    readonly possible: number;
  };
  readonly changes: ImpactView["changes"];
  /** Work to do, then touched blocks, then possibly affected ones, each by falling likelihood. */
  readonly affected: readonly AffectedView[];
  readonly coverage: ImpactView["coverage"];
}

/**
 * The impact as data for other programs, possibly affected blocks included. Likelihoods are rounded
 * to four decimals.
 */
export function toImpactJson(view: ImpactView): ImpactJson {
  const { between, minLikelihood, changes, affected, coverage } = view;
  return {
    ...{ kind: "impact", between, minLikelihood },
    counts: {
      changes: changes.length,
      toDo: countStatus(view, "to-do"),
      touched: countStatus(view, "touched"),
      possible: countStatus(view, "possible"),
    },
    changes,
    affected: affected.map((one) => ({ ...one, likelihood: Math.round(one.likelihood * 1e4) / 1e4 })),
    coverage,
  };
}
