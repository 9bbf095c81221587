import { groupBy } from "../../text/index.ts";

/**
 * The strongly connected components of a graph: for each node, the least node of its component.
 * `edges[node]` are the nodes that `node` leads to.
 *
 * Iterative, so that long chains do not exhaust the stack. Source: Tarjan 1972.
 */
export function componentsOf(edges: readonly (readonly number[])[]): number[] {
  const component: number[] = edges.map(() => -1);
  // The order of the first visits, from 1, and the earliest node that each can return to.
  const visit = new Int32Array(edges.length);
  const low = new Int32Array(edges.length);
  const nextEdge = new Int32Array(edges.length);
  const open: number[] = [];
  const path: number[] = [];
  let visits = 0;
  for (let root = 0; root < edges.length; root++) {
    if (visit[root] !== 0) continue;
    path.push(root);
    while (path.length > 0) {
      const node = path.at(-1)!;
      if (visit[node] === 0) {
        visits++;
        visit[node] = visits;
        low[node] = visits;
        open.push(node);
      }
      const target = edges[node]![nextEdge[node]!];
      if (target !== undefined) {
        nextEdge[node]!++;
        if (visit[target] === 0) path.push(target);
        else if (component[target] === -1) low[node] = Math.min(low[node]!, visit[target]!);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[node]!);
      if (low[node] !== visit[node]) continue;
      const members = open.splice(open.lastIndexOf(node));
      const least = members.reduce((a, b) => Math.min(a, b));
      for (const member of members) component[member] = least;
    }
  }
  return component;
}

/**
 * Adds to the set of each node of a graph the sets of all nodes that it reaches.
 *
 * The set of `node` is `words` 32-bit words from `node * words` on. All nodes of a component get
 * the same set. Source: DeRemer and Pennello 1982, for sets of lookaheads.
 */
export function uniteReached(edges: readonly (readonly number[])[], sets: Uint32Array, words: number): void {
  const component = componentsOf(edges);
  const members = groupBy(component.keys(), (node) => component[node]!);
  const state = new Uint8Array(edges.length);
  const add = (to: number, from: number): void => {
    for (let w = 0; w < words; w++) sets[to * words + w]! |= sets[from * words + w]!;
  };
  const pending: number[] = [];
  for (const root of members.keys()) {
    pending.push(root);
    while (pending.length > 0) {
      const node = pending.at(-1)!;
      const group = members.get(node)!;
      if (state[node] === 0) {
        state[node] = 1;
        for (const member of group) {
          for (const target of edges[member]!) if (state[component[target]!] === 0) pending.push(component[target]!);
        }
        continue;
      }
      pending.pop();
      if (state[node] === 2) continue;
      state[node] = 2;
      for (const member of group) {
        add(node, member);
        for (const target of edges[member]!) add(node, component[target]!);
      }
      for (const member of group)
        if (member !== node) sets.copyWithin(member * words, node * words, (node + 1) * words);
    }
  }
}
