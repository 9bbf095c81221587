/**
 * The stacks of a nondeterministic parser, as a graph: each node is the top symbol of one or several stacks.
 *
 * Nodes are kept once: the same state over the same nodes is the same node. So a node stands for a set of stacks for good, and
 * what was found out about it stays true. No node is ever above itself, since no rule of a plain grammar is empty.
 * Source: Tomita 1985, "An Efficient Context-free Parsing Algorithm for Natural Languages".
 */
export class StackNode {
  readonly id: number;
  readonly state: number;
  /** The layout that holds above this node, as `Layouts` counts them; 0 where a grammar has none. */
  readonly layout: number;
  /** The nodes one symbol further down, by ascending id; none below the start. */
  readonly below: readonly StackNode[];
  /** The nodes that lie on this one alone, by state and layout; most nodes have none. */
  above: Map<number, StackNode> | undefined;

  constructor(id: number, state: number, layout: number, below: readonly StackNode[]) {
    this.id = id;
    this.state = state;
    this.layout = layout;
    this.below = below;
    this.above = undefined;
  }
}

/** The tops of all stacks that a text can have led to: no two nodes have the same state and layout. */
export class Front {
  static readonly none: Front = new Front(0, []);

  readonly id: number;
  readonly nodes: readonly StackNode[];
  #after: Map<number, Front> | undefined;

  constructor(id: number, nodes: readonly StackNode[]) {
    this.id = id;
    this.nodes = nodes;
  }

  /** The front after what `key` stands for, where that was found out. */
  after(key: number): Front | undefined {
    return this.#after?.get(key);
  }

  /** Keeps what was found out. */
  keepAfter(key: number, front: Front): void {
    this.#after ??= new Map();
    this.#after.set(key, front);
  }

  /** Whether no stack is left. */
  get isEmpty(): boolean {
    return this.nodes.length === 0;
  }
}

/** Where nodes and fronts are kept, each once. */
export class StackStore {
  readonly start: Front;
  readonly #merged = new Map<string, StackNode>();
  readonly #fronts = new Map<string, Front>();
  readonly #single: Front[] = [];
  #nodeCount = 0;
  #frontCount = 1;

  /** `layout` is the one that holds at the start of a text. */
  constructor(layout: number) {
    this.start = this.front([new StackNode(this.#nodeCount++, 0, layout, [])]);
  }

  /** How many nodes are kept. */
  get nodeCount(): number {
    return this.#nodeCount;
  }

  /** The node of `state` over the nodes `below`, of which there is one at least. */
  node(state: number, layout: number, below: readonly StackNode[]): StackNode {
    const [first] = below;
    if (below.length === 1) {
      const key = layout * 0x1_0000 + state;
      const known = first!.above?.get(key);
      if (known !== undefined) return known;
      const node = new StackNode(this.#nodeCount++, state, layout, below);
      first!.above ??= new Map();
      first!.above.set(key, node);
      return node;
    }
    const sorted = below.toSorted((a, b) => a.id - b.id);
    const key = `${state},${layout}:${sorted.map((node) => node.id).join()}`;
    const known = this.#merged.get(key);
    if (known !== undefined) return known;
    const node = new StackNode(this.#nodeCount++, state, layout, sorted);
    this.#merged.set(key, node);
    return node;
  }

  /** The front of these nodes; those with the same state and layout become one. */
  front(nodes: readonly StackNode[]): Front {
    const [first] = nodes;
    if (first === undefined) return Front.none;
    if (nodes.length === 1) {
      const known = this.#single[first.id];
      if (known !== undefined) return known;
      const front = new Front(this.#frontCount++, nodes);
      this.#single[first.id] = front;
      return front;
    }
    const distinct = this.#joined(nodes);
    if (distinct.length === 1) return this.front(distinct);
    const key = distinct.map((node) => node.id).join();
    const known = this.#fronts.get(key);
    if (known !== undefined) return known;
    const front = new Front(this.#frontCount++, distinct);
    this.#fronts.set(key, front);
    return front;
  }

  /** The front of one node. */
  alone(node: StackNode): Front {
    return this.#single[node.id] ?? this.front([node]);
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

  #joined(nodes: readonly StackNode[]): StackNode[] {
    const groups = new Map<number, Set<StackNode>>();
    for (const node of nodes) {
      const key = node.layout * 0x1_0000 + node.state;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, new Set([node]));
      else group.add(node);
    }
    const joined = [...groups.values()].map((group) => {
      const [first] = group;
      if (group.size === 1) return first!;
      const below = new Set<StackNode>();
      for (const node of group) for (const under of node.below) below.add(under);
      return this.node(first!.state, first!.layout, [...below]);
    });
    return joined.sort((a, b) => a.id - b.id);
  }
}
