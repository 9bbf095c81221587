import { componentsOf } from "./components.ts";

/**
 * Adds to the set of each node of a graph the sets of all nodes that it reaches.
 *
 * The set of `node` is `words` words of bits from `node * words` on. Each circle of nodes shares
 * one set. Source: DeRemer and Pennello 1982, for sets of lookaheads.
 */
export function uniteReached(edges: readonly (readonly number[])[], sets: Uint32Array, words: number): void {
  const component = componentsOf(edges);
  const members = new Map<number, number[]>();
  for (const [node, least] of component.entries()) {
    const known = members.get(least);
    if (known === undefined) members.set(least, [node]);
    else known.push(node);
  }
  const state = new Uint8Array(edges.length);
  const add = (to: number, from: number): void => {
    for (let w = 0; w < words; w++) sets[to * words + w]! |= sets[from * words + w]!;
  };
  const pending: number[] = [];
  for (const root of members.keys()) {
    pending.push(root);
    while (pending.length > 0) {
      const node = pending.at(-1)!;
      const circle = members.get(node)!;
      if (state[node] === 0) {
        state[node] = 1;
        for (const member of circle) {
          for (const target of edges[member]!) if (state[component[target]!] === 0) pending.push(component[target]!);
        }
        continue;
      }
      pending.pop();
      if (state[node] === 2) continue;
      state[node] = 2;
      for (const member of circle) {
        add(node, member);
        for (const target of edges[member]!) add(node, component[target]!);
      }
      for (const member of circle)
        if (member !== node) sets.copyWithin(member * words, node * words, (node + 1) * words);
    }
  }
}
