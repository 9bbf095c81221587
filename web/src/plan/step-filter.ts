import type { StepStanding, StepView } from "../../../src/plan/page/plan-view.ts";

/** Which steps a person wants to see. Plain data. */
export interface StepFilter {
  /** Words that all have to stand in a step's name, path or reasons. */
  readonly words: string;
  readonly hidden: ReadonlySet<StepStanding>;
}

/** All but what was dropped. */
export const usualFilter: StepFilter = { words: "", hidden: new Set(["dropped"]) };

/** The steps that a filter lets through, in their order. */
export function filterSteps(steps: readonly StepView[], { words, hidden }: StepFilter): readonly StepView[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return steps.filter((step) => {
    if (hidden.has(step.standing)) return false;
    if (wanted.length === 0) return true;
    const text = `${step.id} ${step.block} ${step.reasons.join(" ")} ${step.note ?? ""}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** The filter with a standing shown or hidden. */
export function toggleStanding(filter: StepFilter, standing: StepStanding): StepFilter {
  const hidden = new Set(filter.hidden);
  if (!hidden.delete(standing)) hidden.add(standing);
  return { ...filter, hidden };
}
