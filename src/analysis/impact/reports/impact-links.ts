import type { AffectedView, BlockView, ImpactStatus, ImpactView } from "../impact-view.ts";

/** A block in a drawing of an impact. */
export interface ImpactNode {
  readonly block: BlockView;
  /** `changed` starts a path; `passed` is on a path without being shown as affected. */
  readonly status: ImpactStatus | "changed" | "passed";
  /**
   * The number of steps from a change; 0 for changes, 1 for blocks that only the type checker
   * reports.
   */
  readonly hops: number;
  /** Its details where it is affected. */
  readonly affected?: AffectedView;
}

/** A step between two blocks, by their ids. */
export interface ImpactLink {
  readonly from: string;
  readonly to: string;
  /** The relation that the change follows: `called-by`. */
  readonly relation: string;
}

/** A drawing of an impact: its blocks and the links between them. */
export interface ImpactDrawing {
  readonly nodes: readonly ImpactNode[];
  readonly links: readonly ImpactLink[];
  /** The number of affected blocks that exceed the limit and are left out. */
  readonly omitted: number;
}

/** Options of {@link drawImpact}. */
interface ImpactDrawingOptions {
  /** Whether possibly affected blocks are drawn too. */
  readonly all?: boolean;
  /** The most affected blocks to draw; the likeliest are kept. */
  readonly maxBlocks?: number;
}

/**
 * The blocks and paths of an impact as a graph; nodes are ordered by their distance from a change.
 * Possibly affected blocks are drawn only with `all`, and of the affected blocks the first
 * `maxBlocks`. Changes without a path are left out where others have one.
 */
export function drawImpact(
  view: ImpactView,
  { all = false, maxBlocks = Number.POSITIVE_INFINITY }: ImpactDrawingOptions = {},
): ImpactDrawing {
  const nodes = new Map<string, ImpactNode>();
  const links = new Map<string, ImpactLink>();
  const shown = view.affected.filter(({ status }) => all || status !== "possible");
  const drawn = shown.slice(0, maxBlocks);
  for (const affected of drawn) {
    const { block, status, path } = affected;
    for (const [index, step] of path.entries()) {
      const known = nodes.get(step.block.id);
      const isLast = index === path.length - 1;
      if (index === 0) nodes.set(step.block.id, { ...known, block: step.block, status: "changed", hops: 0 });
      else if (!isLast && known === undefined) {
        nodes.set(step.block.id, { block: step.block, status: "passed", hops: index });
      }
      const before = path[index - 1];
      if (before === undefined || step.relation === undefined) continue;
      const link = { from: before.block.id, to: step.block.id, relation: step.relation };
      links.set(`${link.from}\n${link.to}\n${link.relation}`, link);
    }
    const known = nodes.get(block.id);
    const isChange = known?.status === "changed";
    const hops = isChange ? 0 : Math.max(1, path.length - 1);
    nodes.set(block.id, { block, status: isChange ? "changed" : status, hops, affected });
  }
  if (nodes.size === 0) {
    for (const { block } of view.changes.slice(0, maxBlocks))
      nodes.set(block.id, { block, status: "changed", hops: 0 });
  }
  const inOrder = [...nodes.values()].sort((a, b) => a.hops - b.hops);
  return { nodes: inOrder, links: [...links.values()], omitted: shown.length - drawn.length };
}
