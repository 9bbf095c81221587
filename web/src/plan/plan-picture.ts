import { curveOf, layOutColumns, nodeSize, type PlacedNode } from "../../../src/codebase/page/column-layout.ts";
import type { StepLink, StepView } from "../../../src/plan/page/plan-view.ts";
import { stepDepths } from "../../../src/plan/page/step-depths.ts";

/**
 * By how many steps lie between a step and where the plan begins, or by the round of the oracle
 * that it belongs to.
 */
export type PictureColumns = "depth" | "round";

/** A step with its place. */
export type PlacedStep = PlacedNode<StepView>;

/**
 * A link with its curve, and where its relation is written: in front of the step that it leads to.
 */
export interface PlacedWay {
  readonly link: StepLink;
  readonly curve: string;
  readonly x: number;
  readonly y: number;
  /** Whether it is the first that leads to its step: those of others would lie on it. */
  readonly isFirst: boolean;
}

/** A plan as a drawing. Measures are those of {@link nodeSize}. */
export interface PlanPicture {
  readonly width: number;
  readonly height: number;
  readonly steps: readonly PlacedStep[];
  readonly ways: readonly PlacedWay[];
  readonly heads: readonly { readonly x: number; readonly text: string }[];
}

/** A column of more steps continues beside itself. */
const maxRows = 24;
/** Between two columns: room for a relation's name. */
const wideGap = 120;
/** Between a column and where it continues. */
const narrowGap = 18;

/** Draws the steps that are given, and the links between them. */
export function pictureOf(
  { steps, links }: { readonly steps: readonly StepView[]; readonly links: readonly StepLink[] },
  columns: PictureColumns,
): PlanPicture {
  const depths = columns === "depth" ? stepDepths(steps, links) : undefined;
  const numberOf = (step: StepView) => depths?.get(step.id) ?? step.round;
  const parts = partsOfColumns(steps, numberOf);
  const layout = layOutColumns(
    { nodes: steps, links: links.map(({ from, to }) => ({ from: String(from), to: String(to) })) },
    { idOf: ({ id }) => String(id), columnOf: (step) => parts.get(step)! },
  );
  const { width, height, margin } = nodeSize;
  const places = new Map<number, number>();
  let x = margin;
  for (const [at, { column }] of layout.columns.entries()) {
    if (at > 0) x += width + (Number.isInteger(column) ? wideGap : narrowGap);
    places.set(layout.columns[at]!.x, x);
  }
  const placed = layout.nodes.map((one) => ({ ...one, x: places.get(one.x)! }));
  const byId = new Map(placed.map((one) => [one.node.id, one]));
  const reached = new Set<number>();
  const ways = links.flatMap((link): PlacedWay[] => {
    const from = byId.get(link.from);
    const to = byId.get(link.to);
    if (from === undefined || to === undefined) return [];
    const ends = { x1: from.x + width, y1: from.y + height / 2, x2: to.x, y2: to.y + height / 2 };
    const isFirst = !reached.has(link.to);
    reached.add(link.to);
    // On the side that the curve does not come from.
    const y = ends.y2 > ends.y1 ? ends.y2 + 12 : ends.y2 - 5;
    return [{ link, curve: curveOf(ends), x: ends.x2 - 10, y, isFirst }];
  });
  const heads = layout.columns.flatMap(({ column, x: old }) =>
    Number.isInteger(column) ? [{ x: places.get(old)!, text: headOf(column, columns) }] : [],
  );
  return { width: x + width + margin, height: layout.height, steps: placed, ways, heads };
}

/**
 * The column of each step: its own number, and a fraction for those beside it that it continues in.
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

function headOf(column: number, columns: PictureColumns): string {
  if (columns === "round") return column === 0 ? "before" : `round ${column}`;
  return column === 0 ? "where it begins" : column === 1 ? "one step on" : `${column} steps on`;
}
