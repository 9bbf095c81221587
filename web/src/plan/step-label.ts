import type { StepView } from "../../../src/plan/page/plan-view.ts";

/**
 * What a step is called in few letters: its block's name, and of imports and statements what they
 * are.
 */
export function labelOf({ block, name }: Pick<StepView, "block" | "name">): string {
  const kind = block.slice(0, block.indexOf(" "));
  return kind === "import" || kind === "statement" ? `${kind} ${name}` : name;
}

/** A relation as people read it; of several the first, and how many others there are. */
export function sayRelation(relation: string): string {
  const [first = "", ...others] = relation.split(", ");
  return `${first.replaceAll("-", " ")}${others.length === 0 ? "" : ` +${others.length}`}`;
}
