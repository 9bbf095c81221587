import type { StepId } from "../../../src/plan/plan-graph.ts";
import type { PlacedStep, PlanPicture } from "./plan-picture.ts";

/**
 * Where an arrow key leads: to what caused a step, to what it caused, to its neighbours in the
 * column, to the first and the last.
 */
export type Direction = "left" | "right" | "up" | "down" | "first" | "last";

/**
 * The step that is reached from another; `undefined` where there is none in that direction. Without
 * a step to begin with it is the first.
 *
 * To the left and right the ways are followed, to the end of one that is nearest in height; where
 * no way leads there, the nearest step of the next column.
 */
export function tryWalk(
  { steps, ways }: Pick<PlanPicture, "steps" | "ways">,
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
    ways.flatMap(({ link }) => {
      if (direction === "right") return link.from === from ? [link.to] : [];
      return link.to === from ? [link.from] : [];
    }),
  );
  const byWay = steps.filter(({ node }) => linked.has(node.id));
  const ahead = steps.filter(isAhead);
  const nextX = direction === "right" ? Math.min(...ahead.map(({ x }) => x)) : Math.max(...ahead.map(({ x }) => x));
  const wanted = byWay.length > 0 ? byWay : ahead.filter(({ x }) => x === nextX);
  return nearest(wanted, here)?.node.id;
}

function nearest(steps: readonly PlacedStep[], here: PlacedStep): PlacedStep | undefined {
  const distance = ({ x, y }: PlacedStep) => Math.abs(y - here.y) + Math.abs(x - here.x) / 4;
  return steps.reduce<PlacedStep | undefined>((best, step) => {
    return best === undefined || distance(step) < distance(best) ? step : best;
  }, undefined);
}

/** All steps on the ways to a step and from it, itself included. */
export function nearStep(ways: PlanPicture["ways"], id: StepId): ReadonlySet<StepId> {
  const follow = (pick: (way: PlanPicture["ways"][number]["link"]) => readonly [StepId, StepId]) => {
    const next = new Map<StepId, StepId[]>();
    for (const { link } of ways) {
      const [here, there] = pick(link);
      next.set(here, [...(next.get(here) ?? []), there]);
    }
    const reached = new Set([id]);
    for (const one of reached) for (const other of next.get(one) ?? []) reached.add(other);
    return reached;
  };
  return new Set([...follow(({ from, to }) => [from, to]), ...follow(({ from, to }) => [to, from])]);
}
