import fc from "fast-check";
import { expect, test } from "vitest";
import type { AtomicChange, GraphEdge } from "../../../analysis/index.ts";
import { languageOf } from "../../../syntax/index.ts";
import { TextIndex } from "../../engine/text-index.ts";
import type { NextEditContext } from "../next-edit-provider.ts";
import { type ImpactPlace, inDependencyOrder } from "./impact-order.ts";

const none = { removedNames: [], addedNames: [], changedNames: [] };

/** Returns a request context with changes of `base.ts` at these minutes. */
function made(...minutes: readonly number[]): { context: NextEditContext; changes: readonly AtomicChange[] } {
  const text = minutes.map((_, at) => `f${at}();\n\n`).join("");
  const files = new TextIndex();
  files.update("base.ts", text);
  files.show(["base.ts", "open.ts"]);
  const range = (at: number) => ({ start: 7 * at, end: 7 * at + 5 });
  const history = minutes.map((minute, at) => {
    return {
      path: "base.ts",
      lines: { start: 2 * at, end: 2 * at + 1 },
      before: [""],
      after: [""],
      atMs: 60_000 * minute,
    };
  });
  const changes = minutes.map((_, at): AtomicChange => {
    const name = `f${at}`;
    const block = {
      path: "base.ts",
      kind: "function",
      name,
      simpleName: name,
      signature: [],
      isExported: true,
    } as const;
    return { label: "MMS", after: { ...block, range: range(at), ownRange: range(at) }, ...none };
  });
  const language = languageOf("base.ts").id;
  return { context: { path: "base.ts", language, text, cursor: 0, history, files }, changes };
}

function placeAt(path: string, change: AtomicChange): ImpactPlace {
  const proposal = { origin: "impact", path, place: { start: 0, end: 1 }, reason: "", likelihood: 0.5 } as const;
  return { id: `${path}|function:f`, change, proposal };
}

/** Edges, written `a b`: a depends on b. */
function graphOf(edges: readonly string[]): { dependenciesOf(id: string): readonly GraphEdge[] } {
  const id = (path: string) => `${path}|function:f`;
  const all = edges.map((edge): GraphEdge => {
    const [from = "", to = ""] = edge.split(" ");
    return { from: id(from), to: id(to), relation: "calls", isInSignature: false };
  });
  return { dependenciesOf: (from) => all.filter((edge) => edge.from === from) };
}

/**
 * Places as `path:change`, edges among them, the minutes of the changes, and the expected order.
 */
type Case = readonly [
  what: string,
  places: string,
  edges: readonly string[],
  minutes: readonly number[],
  order: string,
];

const cases: readonly Case[] = [
  ["by path", "c a b", [], [1], "a b c"],
  ["the current file, then open files", "a open.ts base.ts", [], [1], "base.ts open.ts a"],
  ["a dependency before its dependents", "a b c", ["a c", "b a"], [1], "c a b"],
  ["a dependency before a nearer file", "open.ts z", ["open.ts z"], [1], "z open.ts"],
  ["what depends on the last edit first", "a b:1 c", [], [1, 2], "b a c"],
  ["what depends on the last edit first, in either order of changes", "a b:1 c", [], [2, 1], "a c b"],
  ["a cycle is visited once", "a b", ["a b", "b a"], [1], "b a"],
];

test.each(cases)("orders places: %s", (_, places, edges, minutes, order) => {
  const { context, changes } = made(...minutes);
  const all = places.split(" ").map((one) => {
    const [path = "", change = "0"] = one.split(":");
    return placeAt(path, changes[Number(change)]!);
  });
  const found = inDependencyOrder(context, all, graphOf(edges));
  expect(found.map(({ path }) => path).join(" ")).toBe(order);
});

test("the likelihood of a place decreases with its dependencies, down to a limit", () => {
  const { context, changes } = made(1);
  const places = ["a", "b", "c", "d", "e", "f"].map((path) => placeAt(path, changes[0]!));
  const found = inDependencyOrder(context, places, graphOf(["b a", "c b", "d c", "e d", "f e"]));
  expect(found.map(({ likelihood }) => Math.round(100 * likelihood))).toEqual([50, 45, 41, 36, 36, 36]);
});

test("law: the order depends on places and edges alone, and no place is lost", () => {
  const path = fc.constantFrom("a", "b", "c", "d", "e");
  const edge = fc.tuple(path, path).map(([from, to]) => `${from} ${to}`);
  fc.assert(
    fc.property(fc.uniqueArray(path), fc.array(edge), fc.infiniteStream(fc.nat(9)), (paths, edges, random) => {
      const { context, changes } = made(1);
      const orderOf = (all: readonly string[]) => {
        const places = all.map((one) => placeAt(one, changes[0]!));
        return inDependencyOrder(context, places, graphOf(edges)).map((one) => one.path);
      };
      const shuffled = paths.map((one) => ({ one, key: random.next().value! })).sort((a, b) => a.key - b.key);
      const order = orderOf(paths);
      expect(orderOf(shuffled.map(({ one }) => one))).toEqual(order);
      expect([...order].sort()).toEqual([...paths].sort());
    }),
  );
});
