import fc from "fast-check";
import { expect, test } from "vitest";
import { type Entry, mergeEntries, tryEntriesOf } from "./entries.ts";

const origin = { kind: "default" } as const;

function entries(value: unknown): readonly Entry[] {
  return tryEntriesOf(value, origin)!;
}

function merged(...layers: readonly unknown[]): unknown {
  return JSON.parse(JSON.stringify(mergeEntries(layers.flatMap(entries))));
}

test("merging settings merges objects and replaces lists and scalars", () => {
  expect(merged({ a: { b: 1, c: [1, 2] } }, { a: { c: [3], d: null } })).toEqual({ a: { b: 1, c: [3], d: null } });
  expect(merged({ a: 1 }, { a: { b: 2 } })).toEqual({ a: { b: 2 } });
  expect(merged({ a: { b: 2 } }, { a: 1 })).toEqual({ a: 1 });
  expect(merged({ a: { b: 2 } }, { a: {} })).toEqual({ a: { b: 2 } });
  expect(merged({ a: 1 }, { a: undefined })).toEqual({ a: 1 });
});

test("merging settings keeps names such as `__proto__` as plain names", () => {
  const tree = mergeEntries([{ path: ["__proto__", "polluted"], value: true, origin }]);
  expect(Object.keys(tree)).toEqual(["__proto__"]);
  expect(Object.hasOwn({}, "polluted") || "polluted" in {}).toBe(false);
});

test("cyclic data has no entries", () => {
  const loop: Record<string, unknown> = {};
  loop["loop"] = loop;
  expect(tryEntriesOf(loop, origin)).toBeUndefined();
});

const names = fc.constantFrom("a", "b", "c.d", "__proto__", "constructor");
const tree = fc.letrec<{ tree: unknown; object: unknown }>((tie) => ({
  tree: fc.oneof({ depthSize: "small" }, fc.integer(), fc.constant([1]), tie("object")),
  object: fc.dictionary(names, tie("tree"), { noNullPrototype: false }),
})).object;

test("law: entries of a settings tree give the same tree", () => {
  fc.assert(
    fc.property(tree, (value) => {
      expect(mergeEntries(entries(value))).toEqual(value);
    }),
  );
});

test("law: a later source overrides an earlier one, and merging it twice changes nothing", () => {
  let leaves = 0;
  fc.assert(
    fc.property(tree, tree, (before, after) => {
      const layers = [...entries(before), ...entries(after)];
      const both = mergeEntries(layers);
      expect(mergeEntries([...layers, ...entries(after)])).toEqual(both);
      for (const { path, value } of entries(after)) {
        const found = path.reduce((node, name) => (node as Record<string, unknown>)[name], both as unknown);
        const isLeaf = typeof value === "number" || Array.isArray(value);
        leaves += isLeaf ? 1 : 0;
        expect(isLeaf ? found : typeof found).toEqual(isLeaf ? value : "object");
      }
    }),
  );
  expect(leaves).toBeGreaterThan(300);
});
