import { type AffectedView, countStanding, type ImpactView } from "../impact-view.ts";

/** An impact as one JSON object. Fields may be added; none changes its meaning. */
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
  /**
   * The work to be done, then what was touched, then what is possible; each with the likeliest
   * first.
   */
  readonly affected: readonly AffectedView[];
  readonly coverage: ImpactView["coverage"];
}

/** The impact as data for other programs: all of it, also what is only possible. */
export function toImpactJson(view: ImpactView): ImpactJson {
  const { between, minLikelihood, changes, affected, coverage } = view;
  return {
    ...{ kind: "impact", between, minLikelihood },
    counts: {
      changes: changes.length,
      toDo: countStanding(view, "to-do"),
      touched: countStanding(view, "touched"),
      possible: countStanding(view, "possible"),
    },
    changes,
    affected: affected.map((one) => ({ ...one, likelihood: Math.round(one.likelihood * 1e4) / 1e4 })),
    coverage,
  };
}
