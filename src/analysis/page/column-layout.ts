import { addToGroup, groupBy } from "../../text/index.ts";
/** A node with its position, in the units of the drawing. */
export interface PlacedNode<Node> {
  readonly node: Node;
  readonly x: number;
  readonly y: number;
}

/** A link with its ends: the right side of one node, the left side of the other. */
export interface PlacedLink<Link> {
  readonly link: Link;
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** A graph laid out in columns. */
export interface ColumnLayout<Node, Link> {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode<Node>[];
  readonly links: readonly PlacedLink<Link>[];
  /** The left edge of each column, with its number. */
  readonly columns: readonly { readonly column: number; readonly x: number }[];
}

/** Sizes of nodes and gaps. */
export const nodeSize = { width: 190, height: 34, gapX: 90, gapY: 10, top: 28, margin: 8 };

/**
 * Lays a graph out in columns, by rising column number from left to right. Within a column, nodes
 * are ordered by the mean position of their predecessors, so that few links cross: the barycenter
 * heuristic in one pass. Links to missing nodes are left out. Positions are in the units of {@link
 * nodeSize}. Source: Sugiyama, Tagawa and Toda 1981, "Methods for visual understanding of
 * hierarchical system structures".
 */
export function layOutColumns<Node, Link extends { readonly from: string; readonly to: string }>(
  { nodes, links }: { readonly nodes: readonly Node[]; readonly links: readonly Link[] },
  { idOf, columnOf }: { readonly idOf: (node: Node) => string; readonly columnOf: (node: Node) => number },
): ColumnLayout<Node, Link> {
  const { width, height, gapX, gapY, top, margin } = nodeSize;
  const byColumn = groupBy(nodes, columnOf);
  const sources = new Map<string, string[]>();
  for (const { from, to } of links) addToGroup(sources, to, from);

  const rows = new Map<string, number>();
  const placed: PlacedNode<Node>[] = [];
  const columns: { column: number; x: number }[] = [];
  for (const [index, column] of [...byColumn.keys()].sort((a, b) => a - b).entries()) {
    const x = margin + index * (width + gapX);
    columns.push({ column, x });
    const middle = (node: Node): number => {
      const before = (sources.get(idOf(node)) ?? []).flatMap((id) => rows.get(id) ?? []);
      // Nodes without a predecessor come last.
      return before.length === 0 ? Number.MAX_VALUE : before.reduce((sum, row) => sum + row, 0) / before.length;
    };
    const sorted = byColumn.get(column)!.map((node, order) => ({ node, order, middle: middle(node) }));
    sorted.sort((a, b) => a.middle - b.middle || a.order - b.order);
    for (const [row, { node }] of sorted.entries()) {
      rows.set(idOf(node), row);
      placed.push({ node, x, y: top + margin + row * (height + gapY) });
    }
  }
  const byId = new Map(placed.map((one) => [idOf(one.node), one]));
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

/**
 * A curve between the ends of a link, as an SVG path that leaves its first end to the right and
 * arrives at its last end from the left; by 40 units for a link within a column or backwards.
 */
export function curveOf({ x1, y1, x2, y2 }: Omit<PlacedLink<unknown>, "link">): string {
  const bend = x2 > x1 ? (x2 - x1) / 2 : 40;
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
