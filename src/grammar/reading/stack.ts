import { absent, PairMap } from "../tables/pair-map.ts";

/**
 * A node of the graph-structured stack of a nondeterministic parser: the top symbol of one or
 * several stacks.
 *
 * Nodes are interned: the same state over the same nodes is the same object. A node therefore
 * always represents the same set of stacks, and cached results about it stay valid. The graph has
 * no cycles, since a plain grammar has no empty rules. Source: Tomita 1985, "An Efficient
 * Context-free Parsing Algorithm for Natural Languages".
 */
export class StackNode {
  readonly id: number;
  readonly state: number;
  /** The layout above this node, as numbered by `Layouts`; 0 in a grammar without layout. */
  readonly layout: number;
  /** The nodes one symbol down, by ascending id; none below the start. */
  readonly below: readonly StackNode[];

  constructor(id: number, state: number, layout: number, below: readonly StackNode[]) {
    this.id = id;
    this.state = state;
    this.layout = layout;
    this.below = below;
  }
}

/** The tops of all stacks that a text can lead to; no two nodes have the same state and layout. */
export class Front {
  static readonly none: Front = new Front(0, []);

  readonly id: number;
  readonly nodes: readonly StackNode[];

  constructor(id: number, nodes: readonly StackNode[]) {
    this.id = id;
    this.nodes = nodes;
  }

  /** Whether there are no stacks. */
  get isEmpty(): boolean {
    return this.nodes.length === 0;
  }
}

/** Interns nodes and fronts. */
export class StackStore {
  readonly start: Front;
  readonly #nodes: StackNode[] = [];
  readonly #fronts: Front[] = [Front.none];
  /** Nodes over a single node, by that node's id, and by state and layout. */
  readonly #above = new PairMap();
  /** Nodes over several nodes, by the number of their row. */
  readonly #aboveRow = new PairMap();
  /**
   * A trie of rows of nodes: the number of a row, by the number of the row without its last node,
   * and by that node.
   */
  readonly #rows = new PairMap();
  /** Fronts of one node, by its id. */
  readonly #single: Front[] = [];
  /** Fronts of several nodes, by the number of their row. */
  readonly #ofRow: (Front | undefined)[] = [];

  /** `layout`: the layout at the start of a text. */
  constructor(layout: number) {
    this.start = this.alone(this.#newNode(0, layout, []));
  }

  /** The number of nodes. */
  get nodeCount(): number {
    return this.#nodes.length;
  }

  /** The front with this id. */
  frontOf(id: number): Front {
    return this.#fronts[id]!;
  }

  /** The node with `state` over the nodes `below`, at least one. */
  node(state: number, layout: number, below: readonly StackNode[]): StackNode {
    if (below.length === 1) return this.nodeOn(state, layout, below[0]!);
    const sorted = below.toSorted((a, b) => a.id - b.id);
    const row = this.#rowOf(sorted);
    const key = keyOf(state, layout);
    const known = this.#aboveRow.get(row, key);
    if (known !== absent) return this.#nodes[known]!;
    const node = this.#newNode(state, layout, sorted);
    this.#aboveRow.set(row, key, node.id);
    return node;
  }

  /** The node with `state` over one node. */
  nodeOn(state: number, layout: number, below: StackNode): StackNode {
    const key = keyOf(state, layout);
    const known = this.#above.get(below.id, key);
    if (known !== absent) return this.#nodes[known]!;
    const node = this.#newNode(state, layout, this.alone(below).nodes);
    this.#above.set(below.id, key, node.id);
    return node;
  }

  /** The front of these nodes; nodes with the same state and layout are merged. */
  front(nodes: readonly StackNode[]): Front {
    if (nodes.length === 0) return Front.none;
    if (nodes.length === 1) return this.alone(nodes[0]!);
    const distinct = this.#mergedNodes(nodes);
    if (distinct.length === 1) return this.alone(distinct[0]!);
    const row = this.#rowOf(distinct);
    let front = this.#ofRow[row];
    if (front === undefined) {
      front = this.#newFront(distinct);
      this.#ofRow[row] = front;
    }
    return front;
  }

  /** The front of one node. */
  alone(node: StackNode): Front {
    let front = this.#single[node.id];
    if (front === undefined) {
      front = this.#newFront([node]);
      this.#single[node.id] = front;
    }
    return front;
  }

  /** The stacks of both fronts. */
  union(a: Front, b: Front): Front {
    if (a === b || b.isEmpty) return a;
    if (a.isEmpty) return b;
    return this.front([...a.nodes, ...b.nodes]);
  }

  /** The stacks of all fronts. */
  unionOf(fronts: readonly Front[]): Front {
    const [first = Front.none] = fronts;
    return fronts.length < 2 ? first : this.front(fronts.flatMap(({ nodes }) => nodes));
  }

  #newNode(state: number, layout: number, below: readonly StackNode[]): StackNode {
    const node = new StackNode(this.#nodes.length, state, layout, below);
    this.#nodes.push(node);
    return node;
  }

  #newFront(nodes: readonly StackNode[]): Front {
    const front = new Front(this.#fronts.length, nodes);
    this.#fronts.push(front);
    return front;
  }

  /** The number of a row of nodes; 0 for the empty row. */
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

  #mergedNodes(nodes: readonly StackNode[]): StackNode[] {
    const joined: StackNode[] = [];
    for (const node of nodes) {
      const same = joined.findIndex(({ state, layout }) => state === node.state && layout === node.layout);
      if (same < 0) joined.push(node);
      else if (joined[same] !== node) joined[same] = this.#merge(joined[same]!, node);
    }
    return joined.sort((a, b) => a.id - b.id);
  }

  /** The node over all nodes below two nodes with the same state and layout. */
  #merge({ state, layout, below }: StackNode, other: StackNode): StackNode {
    return this.node(state, layout, [...new Set([...below, ...other.below])]);
  }
}

/** A state and a layout as one number. */
function keyOf(state: number, layout: number): number {
  return layout * 0x1_0000 + state;
}
