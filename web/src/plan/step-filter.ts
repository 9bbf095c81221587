import type { StepView, StepViewStatus } from "../../../src/plan/page/plan-view.ts";

/** A filter for steps. Plain data. */
export interface StepFilter {
  /** Words that a step's name, path, reasons or note must all contain. */
  readonly words: string;
  readonly hidden: ReadonlySet<StepViewStatus>;
}

/** The default filter: all steps except dropped ones. */
export const defaultFilter: StepFilter = { words: "", hidden: new Set(["dropped"]) };

/** The steps that match a filter, in order. */
export function filterSteps(steps: readonly StepView[], { words, hidden }: StepFilter): readonly StepView[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return steps.filter((step) => {
    if (hidden.has(step.status)) return false;
    if (wanted.length === 0) return true;
    const text = `${step.id} ${step.block} ${step.reasons.join(" ")} ${step.note ?? ""}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** The filter with a status shown or hidden. */
export function toggleStatus(filter: StepFilter, status: StepViewStatus): StepFilter {
  const hidden = new Set(filter.hidden);
  if (!hidden.delete(status)) hidden.add(status);
  return { ...filter, hidden };
}
