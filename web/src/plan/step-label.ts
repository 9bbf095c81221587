import type { StepView } from "../../../src/plan/page/plan-view.ts";

/**
 * A short label of a step: the name of its block, with the kind for imports and statements.
 */
export function labelOf({ block, name }: Pick<StepView, "block" | "name">): string {
  const kind = block.slice(0, block.indexOf(" "));
  return kind === "import" || kind === "statement" ? `${kind} ${name}` : name;
}

/** A relation for people; of several, the first and the number of others: `called by +2`. */
export function printRelation(relation: string): string {
  const [first = "", ...others] = relation.split(", ");
  return `${first.replaceAll("-", " ")}${others.length === 0 ? "" : ` +${others.length}`}`;
}
