import fc from "fast-check";
import { expect, test } from "vitest";
import { componentsOf, uniteReached } from "./components.ts";

const size = 8;
const graphs = fc.array(fc.array(fc.nat(size - 1), { maxLength: 3 }), { minLength: size, maxLength: size });

/** The nodes that can be reached from each, itself among them. */
function reachedFrom(edges: readonly (readonly number[])[]): Set<number>[] {
  return edges.map((_, node) => {
    const reached = new Set([node]);
    for (const each of reached) for (const target of edges[each]!) reached.add(target);
    return reached;
  });
}

test("componentsOf names a component by its least node", () => {
  fc.assert(
    fc.property(graphs, (edges) => {
      const reached = reachedFrom(edges);
      const least = edges.map((_, node) =>
        edges.findIndex((_, other) => reached[node]!.has(other) && reached[other]!.has(node)),
      );
      expect(componentsOf(edges)).toEqual(least);
    }),
  );
});

test("law: uniteReached unites the sets of all reachable nodes", () => {
  fc.assert(
    fc.property(graphs, (edges) => {
      // Each node holds itself, in the second of two words.
      const sets = new Uint32Array(2 * size);
      for (let node = 0; node < size; node++) sets[2 * node + 1] = 1 << node;
      uniteReached(edges, sets, 2);
      const expected = reachedFrom(edges).flatMap((reached) => [
        0,
        [...reached].reduce((bits, node) => bits | (1 << node), 0),
      ]);
      expect([...sets]).toEqual(expected);
    }),
  );
});

test("componentsOf handles a long chain without recursion", () => {
  const edges = Array.from({ length: 200_000 }, (_, node) => (node === 199_999 ? [] : [node + 1]));
  const sets = new Uint32Array(edges.length);
  sets[199_999] = 1;
  uniteReached(edges, sets, 1);
  expect(sets[0]).toBe(1);
});
