import { curveOf, layOutColumns, nodeSize, type PlacedNode } from "../../../src/analysis/page/column-layout.ts";
import type { StepLink, StepView } from "../../../src/plan/page/plan-view.ts";
import { stepDepths } from "../../../src/plan/page/step-depths.ts";

/**
 * The columns of the graph: the distance of a step from the start of the plan, or the round of
 * verification.
 */
export type GraphColumns = "depth" | "round";

/** A step with its position. */
export type PlacedStep = PlacedNode<StepView>;

/** A link with its curve. */
export interface PlacedLink {
  readonly link: StepLink;
  readonly curve: string;
}

/** The layout of a plan's graph, in the units of {@link nodeSize}. */
export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  readonly steps: readonly PlacedStep[];
  readonly links: readonly PlacedLink[];
  readonly heads: readonly { readonly x: number; readonly text: string }[];
}

/** The most rows of a column; more steps continue in a column beside it. */
const maxRows = 24;
/** The width of a step, wide enough for its relation and the name of its file. */
export const stepWidth = 240;
/** The gap between two columns. */
const wideGap = 64;
/** The gap between a column and its continuation. */
const narrowGap = 18;

/** Lays out steps and the links between them. */
export function layOutGraph(
  { steps, links }: { readonly steps: readonly StepView[]; readonly links: readonly StepLink[] },
  columns: GraphColumns,
): GraphLayout {
  const depths = columns === "depth" ? stepDepths(steps, links) : undefined;
  const numberOf = (step: StepView) => depths?.get(step.id) ?? step.round;
  const parts = partsOfColumns(steps, numberOf);
  const layout = layOutColumns(
    { nodes: steps, links: links.map(({ from, to }) => ({ from: String(from), to: String(to) })) },
    { idOf: ({ id }) => String(id), columnOf: (step) => parts.get(step)! },
  );
  const { height, margin } = nodeSize;
  const places = new Map<number, number>();
  let x = margin;
  for (const [at, { column }] of layout.columns.entries()) {
    if (at > 0) x += stepWidth + (Number.isInteger(column) ? wideGap : narrowGap);
    places.set(layout.columns[at]!.x, x);
  }
  const placed = layout.nodes.map((one) => ({ ...one, x: places.get(one.x)! }));
  const byId = new Map(placed.map((one) => [one.node.id, one]));
  const placedLinks = links.flatMap((link): PlacedLink[] => {
    const from = byId.get(link.from);
    const to = byId.get(link.to);
    if (from === undefined || to === undefined) return [];
    const ends = { x1: from.x + stepWidth, y1: from.y + height / 2, x2: to.x, y2: to.y + height / 2 };
    return [{ link, curve: curveOf(ends) }];
  });
  const heads = layout.columns.flatMap(({ column, x: old }) =>
    Number.isInteger(column) ? [{ x: places.get(old)!, text: headOf(column, columns) }] : [],
  );
  return { width: x + stepWidth + margin, height: layout.height, steps: placed, links: placedLinks, heads };
}

/**
 * The column of each step: its number, plus a fraction for the continuations of a column.
 */
function partsOfColumns(
  steps: readonly StepView[],
  numberOf: (step: StepView) => number,
): ReadonlyMap<StepView, number> {
  const byNumber = new Map<number, StepView[]>();
  for (const step of steps) {
    const number = numberOf(step);
    const known = byNumber.get(number);
    if (known === undefined) byNumber.set(number, [step]);
    else known.push(step);
  }
  const parts = new Map<StepView, number>();
  for (const [number, own] of byNumber) {
    const count = Math.ceil(own.length / maxRows);
    const rows = Math.ceil(own.length / count);
    for (const [at, step] of own.entries()) parts.set(step, number + Math.floor(at / rows) / count);
  }
  return parts;
}

function headOf(column: number, columns: GraphColumns): string {
  if (columns === "round") return column === 0 ? "before" : `round ${column}`;
  return column === 0 ? "start" : column === 1 ? "1 step later" : `${column} steps later`;
}
