import type { AffectedView, BlockView, ImpactStanding, ImpactView } from "../impact-view.ts";

/** A block in a drawing of an impact. */
export interface ImpactNode {
  readonly block: BlockView;
  /**
   * `changed` is where ways begin; `passed` lies on a way, and is not itself among what is shown.
   */
  readonly standing: ImpactStanding | "changed" | "passed";
  /**
   * How many steps lead here from a change; 0 for changes, 1 for what the type checker alone names.
   */
  readonly hops: number;
  /** What is known of it where it is affected. */
  readonly affected?: AffectedView;
}

/** One step from block to block, by their ids. */
export interface ImpactLink {
  readonly from: string;
  readonly to: string;
  /** How the change continues: `called-by`. */
  readonly relation: string;
}

/** A drawing of an impact: its blocks, and the ways between them. */
export interface ImpactDrawing {
  readonly nodes: readonly ImpactNode[];
  readonly links: readonly ImpactLink[];
  /** How many affected blocks are left out, since there would be too many. */
  readonly left: number;
}

/** What of an impact is drawn. */
export interface ImpactDrawingOptions {
  /** Whether blocks that are only possibly affected are drawn too. */
  readonly all?: boolean;
  /** The most affected blocks; the likeliest are drawn. */
  readonly maxBlocks?: number;
}

/**
 * The blocks and ways of an impact as a graph. Changes from which no way leads on are left out
 * where others have ways.
 */
export function drawImpact(
  view: ImpactView,
  { all = false, maxBlocks = Number.POSITIVE_INFINITY }: ImpactDrawingOptions = {},
): ImpactDrawing {
  const nodes = new Map<string, ImpactNode>();
  const links = new Map<string, ImpactLink>();
  const shown = view.affected.filter(({ standing }) => all || standing !== "possible");
  const drawn = shown.slice(0, maxBlocks);
  for (const affected of drawn) {
    const { block, standing, way } = affected;
    for (const [index, step] of way.entries()) {
      const known = nodes.get(step.block.id);
      const isLast = index === way.length - 1;
      if (index === 0) nodes.set(step.block.id, { ...known, block: step.block, standing: "changed", hops: 0 });
      else if (!isLast && known === undefined) {
        nodes.set(step.block.id, { block: step.block, standing: "passed", hops: index });
      }
      const before = way[index - 1];
      if (before === undefined || step.relation === undefined) continue;
      const link = { from: before.block.id, to: step.block.id, relation: step.relation };
      links.set(`${link.from}\n${link.to}\n${link.relation}`, link);
    }
    const known = nodes.get(block.id);
    const isChange = known?.standing === "changed";
    const hops = isChange ? 0 : Math.max(1, way.length - 1);
    nodes.set(block.id, { block, standing: isChange ? "changed" : standing, hops, affected });
  }
  if (nodes.size === 0) {
    for (const { block } of view.changes.slice(0, maxBlocks))
      nodes.set(block.id, { block, standing: "changed", hops: 0 });
  }
  const inOrder = [...nodes.values()].sort((a, b) => a.hops - b.hops);
  return { nodes: inOrder, links: [...links.values()], left: shown.length - drawn.length };
}
