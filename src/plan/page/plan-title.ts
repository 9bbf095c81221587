import { printLabel } from "../describe-causes.ts";
import { causingStep, type PlanStep } from "../plan-graph.ts";
import type { PlanState } from "../plan-state.ts";

/**
 * The title of a plan, in one line: its instruction, or what was changed at its beginning, such as
 * `Price.total → Price.sum`.
 */
export function planTitleOf({
  instruction,
  seeds,
  graph,
}: Pick<PlanState, "instruction" | "seeds"> & { readonly graph: Pick<PlanState["graph"], "steps"> }): string {
  if (instruction !== undefined) return instruction.trim().split("\n", 1)[0]!;
  const changed = graph.steps.filter(({ rewrite }) => rewrite?.by.kind === "seed");
  // The change that most of the plan is about.
  const weightOf = (step: PlanStep) => 2 * effectsOf(step, graph.steps) + (isRename(step) ? 1 : 0);
  const first = changed.toSorted((a, b) => weightOf(b) - weightOf(a))[0];
  if (first !== undefined) return `${printChange(first)}${changed.length > 1 ? `, ${changed.length - 1} more` : ""}`;
  const [findings] = seeds.filter((seed) => seed.kind === "findings");
  if (findings === undefined) return "Consequences of a change";
  return `Errors of ${findings.given?.source ?? "the verification commands"}`;
}

function effectsOf({ id }: PlanStep, steps: readonly PlanStep[]): number {
  return steps.filter(({ causes }) => causes.some((cause) => causingStep(cause) === id)).length;
}

function isRename({ changes }: PlanStep): boolean {
  return changes?.some(({ label }) => label === "RENAME") === true;
}

function printChange({ block, changes = [] }: PlanStep): string {
  const { label, before, after } = changes.find((change) => change.label === "RENAME") ?? changes[0] ?? {};
  if (label === "RENAME" && before !== undefined && after !== undefined) return `${before.name} → ${after.name}`;
  return `${block.name} ${label === undefined ? "changed" : printLabel(label)}`;
}
