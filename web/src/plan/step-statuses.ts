import type { StepView, StepViewStatus } from "../../../src/plan/page/plan-view.ts";

/**
 * All statuses in display order: open steps first, then completed ones.
 */
export const statusOrder: readonly StepViewStatus[] = [
  ...(["requested", "pending", "obligation"] as const),
  ...(["changed", "done", "unchanged", "rejected", "dropped"] as const),
];

/** The number of steps of each status; statuses without steps are omitted. */
export function tallyOf(steps: readonly Pick<StepView, "status">[]): readonly (readonly [StepViewStatus, number])[] {
  const counts = new Map<StepViewStatus, number>();
  for (const { status } of steps) counts.set(status, (counts.get(status) ?? 0) + 1);
  return statusOrder.flatMap((name) => (counts.has(name) ? [[name, counts.get(name)!] as const] : []));
}

/** A segment of the progress bar. */
export interface BarPart {
  readonly kind: "settled" | "left" | "requested" | "to-do";
  readonly count: number;
}

/** The progress of a plan. Initial changes and dropped steps are not counted. */
export function progressOf(steps: readonly Pick<StepView, "status">[]): {
  readonly parts: readonly BarPart[];
  /** The share of steps that are not pending or requested, from 0 to 1. */
  readonly share: number;
} {
  const count = (...wanted: readonly StepViewStatus[]) => steps.filter(({ status }) => wanted.includes(status)).length;
  const parts: readonly BarPart[] = [
    { kind: "settled", count: count("done", "unchanged", "rejected") },
    { kind: "left", count: count("obligation") },
    { kind: "requested", count: count("requested") },
    { kind: "to-do", count: count("pending") },
  ];
  const all = parts.reduce((sum, part) => sum + part.count, 0);
  const open = parts[2]!.count + parts[3]!.count;
  return { parts: parts.filter(({ count: number }) => number > 0), share: all === 0 ? 0 : 1 - open / all };
}
