import type { ImpactDrawing, ImpactLink, ImpactNode } from "./impact-links.ts";

/** A node with its place. All measures are in the units of the drawing. */
export interface PlacedNode {
  readonly node: ImpactNode;
  readonly x: number;
  readonly y: number;
}

/** A link with its two ends: the right side of one node, the left side of the other. */
export interface PlacedLink {
  readonly link: ImpactLink;
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** A drawing laid out: a column for each number of hops. */
export interface ImpactLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly links: readonly PlacedLink[];
  /** The left edge of each column with its hops. */
  readonly columns: readonly { readonly hops: number; readonly x: number }[];
}

/** Measures of a layout. */
export const nodeSize = { width: 190, height: 34, gapX: 90, gapY: 10, top: 28, margin: 8 };

/**
 * Lays a drawing out in columns by hops. In a column each node stands by the middle of those before it on the ways, so that few links
 * cross; it is the barycenter heuristic in one pass from left to right.
 * Source: Sugiyama, Tagawa and Toda 1981, "Methods for visual understanding of hierarchical system structures".
 */
export function layOutImpact({ nodes, links }: ImpactDrawing): ImpactLayout {
  const { width, height, gapX, gapY, top, margin } = nodeSize;
  const byHops = new Map<number, ImpactNode[]>();
  for (const node of nodes) byHops.set(node.hops, [...(byHops.get(node.hops) ?? []), node]);
  const sources = new Map<string, string[]>();
  for (const { from, to } of links) sources.set(to, [...(sources.get(to) ?? []), from]);

  const rows = new Map<string, number>();
  const placed: PlacedNode[] = [];
  const columns: { hops: number; x: number }[] = [];
  for (const [column, hops] of [...byHops.keys()].sort((a, b) => a - b).entries()) {
    const x = margin + column * (width + gapX);
    columns.push({ hops, x });
    const middle = (node: ImpactNode): number => {
      const before = (sources.get(node.block.id) ?? []).flatMap((id) => rows.get(id) ?? []);
      // What comes from nowhere stands below what has a way.
      return before.length === 0 ? Number.MAX_VALUE : before.reduce((sum, row) => sum + row, 0) / before.length;
    };
    const sorted = byHops.get(hops)!.map((node, index) => ({ node, index, middle: middle(node) }));
    sorted.sort((a, b) => a.middle - b.middle || a.index - b.index);
    for (const [row, { node }] of sorted.entries()) {
      rows.set(node.block.id, row);
      placed.push({ node, x, y: top + margin + row * (height + gapY) });
    }
  }
  const byId = new Map(placed.map((one) => [one.node.block.id, one]));
  const placedLinks = links.flatMap((link) => {
    const from = byId.get(link.from);
    const to = byId.get(link.to);
    if (from === undefined || to === undefined) return [];
    return [{ link, x1: from.x + width, y1: from.y + height / 2, x2: to.x, y2: to.y + height / 2 }];
  });
  const lowest = Math.max(0, ...placed.map(({ y }) => y));
  return {
    width: 2 * margin + Math.max(1, columns.length) * (width + gapX) - gapX,
    height: lowest + height + margin,
    ...{ nodes: placed, links: placedLinks, columns },
  };
}
