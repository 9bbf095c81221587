import type { WorkspaceAnalysis } from "../../analysis/node/index.ts";
import { CheckedMechanicalEdits } from "../mechanical/checked-mechanical-edits.ts";
import type { ImpactSource, MechanicalEdits } from "../plan-parts.ts";

/** The impact of changes in the copy that a plan runs in, by the analysis of that copy. */
export function analysisImpact(analysis: WorkspaceAnalysis): ImpactSource {
  return {
    get graph() {
      return analysis.graph;
    },
    impactOf: (changed, options) => analysis.at(changed).impact(options),
    update: (changed, options) => analysis.update(changed, options),
    load: (paths, options) => analysis.load(paths, options),
  };
}

/**
 * The edits that follow from changes without a model, checked by the type checker; `undefined`
 * without one. With `repairsOldErrors`, diagnostics that existed before the plan are repaired too.
 */
export function tryMechanicalEdits(
  { checks }: Pick<WorkspaceAnalysis, "checks">,
  { repairsOldErrors }: { readonly repairsOldErrors: boolean },
): MechanicalEdits | undefined {
  return checks && new CheckedMechanicalEdits({ ...checks, ...(repairsOldErrors && { before: [] }) });
}
