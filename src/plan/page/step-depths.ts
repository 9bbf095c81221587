import { addToGroup } from "../../text/index.ts";
import type { StepId } from "../plan-graph.ts";
import type { StepLink } from "./plan-view.ts";

/**
 * The distance of each step from the start of the plan: the longest path of links to it. Steps
 * without a cause have 0.
 *
 * A link that would close a cycle is ignored. A plan has no cycles, but a drawing must end in any
 * case.
 */
export function stepDepths(
  steps: readonly { readonly id: StepId }[],
  links: readonly StepLink[],
): ReadonlyMap<StepId, number> {
  const sources = new Map<StepId, StepId[]>();
  for (const { from, to } of links) addToGroup(sources, to, from);
  const depths = new Map<StepId, number>();
  const open = new Set<StepId>();
  for (const { id: start } of steps) {
    // Without recursion, because paths may be long.
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
