import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { parseScriptTree } from "../../names/node/parse-script-tree.ts";
import { tryScriptTree } from "../../names/script-node.ts";
import { ChangedGraph, changedGraph, type ReadableGraph } from "./changed-graph.ts";
import { type BlockId, blockId, type CodeBlock } from "./code-block.ts";
import { DependencyGraph, type GraphFile } from "./dependency-graph.ts";
import type { Reference, ReferenceSource } from "./reference.ts";
import { scriptBlocks } from "./script-blocks.ts";

const paths = ["a.ts", "b.ts", "c.ts"];
const names = ["f", "g", "h"];

/** A file of functions, each of which calls some functions: `f: b.ts g, a.ts h`. */
type Calls = Readonly<Record<string, readonly (readonly [path: string, name: string])[]>>;

function blocksOf(path: string, text: string): readonly CodeBlock[] {
  return scriptBlocks(path, text, tryScriptTree(parseScriptTree, { path, text, kind: "ts" })!);
}

function textOf(calls: Calls): string {
  return Object.entries(calls)
    .map(([name, called]) => `function ${name}() { ${called.map(([, one]) => `${one}();`).join(" ")} }\n`)
    .join("");
}

/** The calls of a file, resolved with the texts of all files. */
function referencesOf(path: string, state: ReadonlyMap<string, Calls>): Reference[] {
  const text = textOf(state.get(path)!);
  let at = 0;
  return Object.values(state.get(path)!)
    .flat()
    .flatMap(([targetPath, name]) => {
      at = text.indexOf(` ${name}();`, at) + 1;
      const target = textOf(state.get(targetPath) ?? {}).indexOf(`function ${name}(`);
      return target < 0 ? [] : [{ start: at, role: "call", targetPath, targetStart: target + 9 } as const];
    });
}

function filesOf(state: ReadonlyMap<string, Calls>, some: Iterable<string> = state.keys()): GraphFile[] {
  return [...some].map((path) => ({
    path,
    blocks: blocksOf(path, textOf(state.get(path)!)),
    references: { path, references: referencesOf(path, state), unresolved: 0, precision: "names" },
  }));
}

function graphOf(state: ReadonlyMap<string, Calls>): DependencyGraph {
  const graph = new DependencyGraph();
  graph.update(filesOf(state));
  return graph;
}

const calls = fc.dictionary(
  fc.constantFrom(...names),
  fc.uniqueArray(fc.tuple(fc.constantFrom(...paths), fc.constantFrom(...names)), { maxLength: 3, selector: String }),
  { maxKeys: 3, noNullPrototype: true },
);
const states = fc.record(Object.fromEntries(paths.map((path) => [path, calls])), { noNullPrototype: true });

function seen(graph: ReadableGraph): Record<BlockId, unknown> {
  const ids = paths.flatMap((path) => names.map((name) => `${path}|function:${name}` as BlockId));
  const sorted = (edges: Iterable<{ readonly from: BlockId; readonly relation: string; readonly to: BlockId }>) =>
    Array.from(edges, ({ from, relation, to }) => `${from} ${relation} ${to}`).sort();
  return Object.fromEntries(
    ids.map((id) => {
      const there = graph.tryBlock(id) !== undefined;
      return [id, { there, out: sorted(graph.dependenciesOf(id)), into: sorted(graph.dependentsOf(id)) }];
    }),
  );
}

describe("ChangedGraph", () => {
  it("equals a graph that is built with the changed files", () => {
    fc.assert(
      fc.property(states, states, fc.subarray(paths), (before, after, changed) => {
        const was = new Map(Object.entries(before));
        const now = new Map([...was, ...changed.map((path) => [path, after[path]!] as const)]);
        const original = graphOf(was);
        const graph = new ChangedGraph(original, new Set(changed), filesOf(now, changed));
        const taken = graphOf(was);
        taken.update(filesOf(now, changed));
        expect(seen(graph)).toEqual(seen(taken));
        // The original graph is unchanged.
        expect(seen(original)).toEqual(seen(graphOf(was)));
      }),
    );
  });
});

/** Changes one file, and returns the updates that the sources received and the resulting graph. */
async function change(was: ReadonlyMap<string, Calls>, path: string, calls: Calls) {
  const now = new Map([...was, [path, calls] as const]);
  const updates: string[] = [];
  let state = was;
  const source: ReferenceSource = {
    languages: ["typescript"],
    update: async (texts) => {
      for (const [path, text] of texts) updates.push(`${path} ${text?.trim()}`);
      state = updates.length % 2 === 1 ? now : was;
    },
    referencesOf: async (paths) => filesOf(state, paths).map(({ references }) => references),
    [Symbol.asyncDispose]: async () => undefined,
  };
  const texts = { before: textOf(was.get(path)!), after: textOf(calls) };
  const graph = await changedGraph({
    ...{ graph: graphOf(was), changed: new Map([[path, texts]]), sources: [source], blocksOf },
    textOf: (path) => textOf(was.get(path)!),
  });
  return { graph, updates };
}

test("changedGraph passes the change to the sources and resets them afterwards", async () => {
  const { graph, updates } = await change(
    new Map([
      ["a.ts", { f: [["b.ts", "g"]] }],
      ["b.ts", { g: [], h: [] }],
    ]),
    ...(["a.ts", { f: [["b.ts", "h"]] }] as const),
  );
  const [f] = graph.blocksOf("a.ts");
  expect(graph.dependenciesOf(blockId(f!)).map(({ to }) => to)).toEqual(["b.ts|function:h"]);
  expect(updates).toEqual(["a.ts function f() { h(); }", "a.ts function f() { g(); }"]);
});

test("changedGraph resolves files again that contain a name before it is added", async () => {
  const was = new Map<string, Calls>([
    ["a.ts", { f: [] }],
    ["b.ts", { g: [["a.ts", "h"]] }],
  ]);
  const { graph } = await change(was, "a.ts", { f: [], h: [] });
  expect([...graph.dependentsOf("a.ts|function:h" as BlockId)].map(({ from }) => from)).toEqual(["b.ts|function:g"]);
});
