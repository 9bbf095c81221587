import type { StepId } from "../../../src/plan/plan-graph.ts";
import type { GraphLayout, PlacedStep } from "./graph-layout.ts";

/**
 * The direction of a navigation key: to a cause, to an effect, to a neighbour in the column, to the
 * first or to the last step.
 */
export type Direction = "left" | "right" | "up" | "down" | "first" | "last";

/**
 * The next step in a direction; `undefined` if there is none. Without `from`, the first step.
 *
 * Left and right follow the links to the step that is nearest in height; without a link, to the
 * nearest step of the next column.
 */
export function tryNavigate(
  { steps, links }: Pick<GraphLayout, "steps" | "links">,
  from: StepId | undefined,
  direction: Direction,
): StepId | undefined {
  const ordered = [...steps].sort((a, b) => a.x - b.x || a.y - b.y);
  if (direction === "first" || from === undefined) return ordered[0]?.node.id;
  if (direction === "last") return ordered.at(-1)?.node.id;
  const here = steps.find(({ node }) => node.id === from);
  if (here === undefined) return ordered[0]?.node.id;
  if (direction === "up" || direction === "down") {
    const column = ordered.filter(({ x }) => x === here.x);
    return column[column.indexOf(here) + (direction === "down" ? 1 : -1)]?.node.id;
  }
  const isAhead = ({ x }: PlacedStep) => (direction === "right" ? x > here.x : x < here.x);
  const linked = new Set(
    links.flatMap(({ link }) => {
      if (direction === "right") return link.from === from ? [link.to] : [];
      return link.to === from ? [link.from] : [];
    }),
  );
  const linkedSteps = steps.filter(({ node }) => linked.has(node.id));
  const ahead = steps.filter(isAhead);
  const nextX = direction === "right" ? Math.min(...ahead.map(({ x }) => x)) : Math.max(...ahead.map(({ x }) => x));
  const wanted = linkedSteps.length > 0 ? linkedSteps : ahead.filter(({ x }) => x === nextX);
  return nearest(wanted, here)?.node.id;
}

function nearest(steps: readonly PlacedStep[], here: PlacedStep): PlacedStep | undefined {
  const distance = ({ x, y }: PlacedStep) => Math.abs(y - here.y) + Math.abs(x - here.x) / 4;
  return steps.reduce<PlacedStep | undefined>((best, step) => {
    return best === undefined || distance(step) < distance(best) ? step : best;
  }, undefined);
}

/** The step with all its direct and indirect causes and effects. */
export function relatedSteps(links: GraphLayout["links"], id: StepId): ReadonlySet<StepId> {
  const follow = (pick: (link: GraphLayout["links"][number]["link"]) => readonly [StepId, StepId]) => {
    const next = new Map<StepId, StepId[]>();
    for (const { link } of links) {
      const [here, there] = pick(link);
      next.set(here, [...(next.get(here) ?? []), there]);
    }
    const reached = new Set([id]);
    for (const one of reached) for (const other of next.get(one) ?? []) reached.add(other);
    return reached;
  };
  return new Set([...follow(({ from, to }) => [from, to]), ...follow(({ from, to }) => [to, from])]);
}
