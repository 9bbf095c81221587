import type { StepId } from "../plan-graph.ts";
import type { StepLink } from "./plan-view.ts";

/**
 * How far each step is from where the plan begins: the most links of all ways to it. Steps that nothing caused are at 0.
 *
 * A link that would close a circle counts as none: a plan has no such link, and a drawing of one that had should not hang.
 */
export function stepDepths(
  steps: readonly { readonly id: StepId }[],
  links: readonly StepLink[],
): ReadonlyMap<StepId, number> {
  const sources = new Map<StepId, StepId[]>();
  for (const { from, to } of links) sources.set(to, [...(sources.get(to) ?? []), from]);
  const depths = new Map<StepId, number>();
  const open = new Set<StepId>();
  for (const { id: start } of steps) {
    // Without recursion: a plan's ways may be long.
    const stack = [start];
    while (stack.length > 0) {
      const id = stack.at(-1)!;
      open.add(id);
      const own = sources.get(id) ?? [];
      const missing = own.find((from) => !depths.has(from) && !open.has(from));
      if (missing !== undefined) {
        stack.push(missing);
        continue;
      }
      depths.set(id, Math.max(0, ...own.flatMap((from) => (depths.has(from) ? [depths.get(from)! + 1] : []))));
      open.delete(id);
      stack.pop();
    }
  }
  return depths;
}
