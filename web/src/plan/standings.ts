import type { StepStanding, StepView } from "../../../src/plan/page/plan-view.ts";

/**
 * All standings, in the order in which they are told: what is at work and what is left first, then
 * what is settled.
 */
export const standingNames: readonly StepStanding[] = [
  ...(["asked", "pending", "obligation"] as const),
  ...(["changed", "done", "unchanged", "rejected", "dropped"] as const),
];

/** How many steps stand in each way; those that none is in are left out. */
export function tallyOf(steps: readonly Pick<StepView, "standing">[]): readonly (readonly [StepStanding, number])[] {
  const counts = new Map<StepStanding, number>();
  for (const { standing } of steps) counts.set(standing, (counts.get(standing) ?? 0) + 1);
  return standingNames.flatMap((name) => (counts.has(name) ? [[name, counts.get(name)!] as const] : []));
}

/** A stretch of the bar that says how far a plan is. */
export interface BarPart {
  readonly kind: "settled" | "left" | "asked" | "to-do";
  readonly count: number;
}

/** How far a plan is: what it began with and what was dropped count for nothing. */
export function progressOf(steps: readonly Pick<StepView, "standing">[]): {
  readonly parts: readonly BarPart[];
  /** From 0 to 1: all but what is still to do. */
  readonly share: number;
} {
  const count = (...wanted: readonly StepStanding[]) =>
    steps.filter(({ standing }) => wanted.includes(standing)).length;
  const parts: readonly BarPart[] = [
    { kind: "settled", count: count("done", "unchanged", "rejected") },
    { kind: "left", count: count("obligation") },
    { kind: "asked", count: count("asked") },
    { kind: "to-do", count: count("pending") },
  ];
  const all = parts.reduce((sum, part) => sum + part.count, 0);
  const open = parts[2]!.count + parts[3]!.count;
  return { parts: parts.filter(({ count: number }) => number > 0), share: all === 0 ? 0 : 1 - open / all };
}
