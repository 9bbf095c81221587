import { absent, PairMap } from "../tables/pair-map.ts";

/**
 * The stacks of a nondeterministic parser, as a graph: each node is the top symbol of one or
 * several stacks.
 *
 * Nodes are kept once: the same state over the same nodes is the same node. So a node stands for a
 * set of stacks for good, and what was found out about it stays true. No node is ever above itself,
 * since no rule of a plain grammar is empty. Source: Tomita 1985, "An Efficient Context-free
 * Parsing Algorithm for Natural Languages".
 */
export class StackNode {
  readonly id: number;
  readonly state: number;
  /**
   * The layout that holds above this node, as `Layouts` counts them; 0 where a grammar has none.
   */
  readonly layout: number;
  /** The nodes one symbol further down, by ascending id; none below the start. */
  readonly below: readonly StackNode[];

  constructor(id: number, state: number, layout: number, below: readonly StackNode[]) {
    this.id = id;
    this.state = state;
    this.layout = layout;
    this.below = below;
  }
}

/**
 * The tops of all stacks that a text can have led to: no two nodes have the same state and layout.
 */
export class Front {
  static readonly none: Front = new Front(0, []);

  readonly id: number;
  readonly nodes: readonly StackNode[];

  constructor(id: number, nodes: readonly StackNode[]) {
    this.id = id;
    this.nodes = nodes;
  }

  /** Whether no stack is left. */
  get isEmpty(): boolean {
    return this.nodes.length === 0;
  }
}

/** Where nodes and fronts are kept, each once. */
export class StackStore {
  readonly start: Front;
  readonly #nodes: StackNode[] = [];
  readonly #fronts: Front[] = [Front.none];
  /** The nodes that lie on one alone, by its number, and by state and layout. */
  readonly #above = new PairMap();
  /** Those that lie on several, by the number of the row of these. */
  readonly #aboveRow = new PairMap();
  /**
   * Rows of nodes: the number of one, by that of the row without the last node, and by that node.
   */
  readonly #rows = new PairMap();
  /** Fronts of one node, by its number. */
  readonly #single: Front[] = [];
  /** Fronts of several, by the number of their row. */
  readonly #ofRow: (Front | undefined)[] = [];

  /** `layout` is the one that holds at the start of a text. */
  constructor(layout: number) {
    this.start = this.alone(this.#kept(0, layout, []));
  }

  /** How many nodes are kept. */
  get nodeCount(): number {
    return this.#nodes.length;
  }

  /** The front with this number. */
  frontOf(id: number): Front {
    return this.#fronts[id]!;
  }

  /** The node of `state` over the nodes `below`, of which there is one at least. */
  node(state: number, layout: number, below: readonly StackNode[]): StackNode {
    if (below.length === 1) return this.nodeOn(state, layout, below[0]!);
    const sorted = below.toSorted((a, b) => a.id - b.id);
    const row = this.#rowOf(sorted);
    const key = keyOf(state, layout);
    const known = this.#aboveRow.get(row, key);
    if (known !== absent) return this.#nodes[known]!;
    const node = this.#kept(state, layout, sorted);
    this.#aboveRow.set(row, key, node.id);
    return node;
  }

  /** The node of `state` over one. */
  nodeOn(state: number, layout: number, below: StackNode): StackNode {
    const key = keyOf(state, layout);
    const known = this.#above.get(below.id, key);
    if (known !== absent) return this.#nodes[known]!;
    const node = this.#kept(state, layout, this.alone(below).nodes);
    this.#above.set(below.id, key, node.id);
    return node;
  }

  /** The front of these nodes; those with the same state and layout become one. */
  front(nodes: readonly StackNode[]): Front {
    if (nodes.length === 0) return Front.none;
    if (nodes.length === 1) return this.alone(nodes[0]!);
    const distinct = this.#joined(nodes);
    if (distinct.length === 1) return this.alone(distinct[0]!);
    const row = this.#rowOf(distinct);
    let front = this.#ofRow[row];
    if (front === undefined) {
      front = this.#keptFront(distinct);
      this.#ofRow[row] = front;
    }
    return front;
  }

  /** The front of one node. */
  alone(node: StackNode): Front {
    let front = this.#single[node.id];
    if (front === undefined) {
      front = this.#keptFront([node]);
      this.#single[node.id] = front;
    }
    return front;
  }

  /** The stacks of both. */
  union(a: Front, b: Front): Front {
    if (a === b || b.isEmpty) return a;
    if (a.isEmpty) return b;
    return this.front([...a.nodes, ...b.nodes]);
  }

  /** The stacks of all. */
  unionOf(fronts: readonly Front[]): Front {
    const [first = Front.none] = fronts;
    return fronts.length < 2 ? first : this.front(fronts.flatMap(({ nodes }) => nodes));
  }

  #kept(state: number, layout: number, below: readonly StackNode[]): StackNode {
    const node = new StackNode(this.#nodes.length, state, layout, below);
    this.#nodes.push(node);
    return node;
  }

  #keptFront(nodes: readonly StackNode[]): Front {
    const front = new Front(this.#fronts.length, nodes);
    this.#fronts.push(front);
    return front;
  }

  /** The number of this row of nodes; 0 is the empty one's. */
  #rowOf(nodes: readonly StackNode[]): number {
    let row = 0;
    for (const { id } of nodes) {
      const known = this.#rows.get(row, id);
      const longer = known === absent ? this.#rows.size + 1 : known;
      if (known === absent) this.#rows.set(row, id, longer);
      row = longer;
    }
    return row;
  }

  #joined(nodes: readonly StackNode[]): StackNode[] {
    const joined: StackNode[] = [];
    for (const node of nodes) {
      const same = joined.findIndex(({ state, layout }) => state === node.state && layout === node.layout);
      if (same < 0) joined.push(node);
      else if (joined[same] !== node) joined[same] = this.#over(joined[same]!, node);
    }
    return joined.sort((a, b) => a.id - b.id);
  }

  /** The node over all that lies below two. */
  #over({ state, layout, below }: StackNode, other: StackNode): StackNode {
    return this.node(state, layout, [...new Set([...below, ...other.below])]);
  }
}

/** A state and a layout as one number. */
function keyOf(state: number, layout: number): number {
  return layout * 0x1_0000 + state;
}
