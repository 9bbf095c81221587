import { describe, expect, test } from "vitest";
import type { AtomicChange, ChangeLabel } from "../changes/atomic-change.ts";
import { blockId, type CodeBlock, type CodeBlockKind } from "../graph/code-block.ts";
import { DependencyGraph } from "../graph/dependency-graph.ts";
import type { Reference, ReferenceRole } from "../graph/reference.ts";
import { mayImpact } from "./may-impact.ts";

/**
 * A graph in lines of `kind name role kind name`, a reference each. Each block is in a file of its
 * own, a member in that of its class.
 */
function graphOf(lines: string): DependencyGraph {
  const blocks = new Map<string, CodeBlock>();
  const blockOf = (kind: string, name: string): CodeBlock => {
    const owner = name.includes(".") ? blockOf("class", name.slice(0, name.indexOf("."))) : undefined;
    const path = owner?.path ?? name;
    const start = owner === undefined ? 0 : 10 * (1 + [...blocks.values()].filter((one) => one.path === path).length);
    const range = { start, end: owner === undefined ? 1000 : start + 5 };
    const block = {
      ...{ path, kind: kind as CodeBlockKind, name, simpleName: name, range, isExported: true },
      ...{ ownRange: { start, end: start + 5 }, signature: [{ start, end: start + 5 }] },
      ...(owner && { owner: owner.name }),
    };
    const known = blocks.get(blockId(block));
    if (known === undefined) blocks.set(blockId(block), block);
    return known ?? block;
  };
  const references: (Reference & { readonly path: string })[] = [];
  for (const line of lines.trim().split("\n")) {
    const [fromKind, fromName, role, toKind, toName] = line.trim().split(" ");
    const from = blockOf(fromKind!, fromName!);
    const to = blockOf(toKind!, toName!);
    references.push({
      ...{ path: from.path, start: from.ownRange.start, role: role as ReferenceRole },
      ...{ targetPath: to.path, targetStart: to.ownRange.start },
    });
  }
  const graph = new DependencyGraph();
  const paths = [...new Set([...blocks.values()].map(({ path }) => path))];
  graph.update(
    paths.map((path) => ({
      path,
      blocks: [...blocks.values()].filter((block) => block.path === path),
      references: {
        path,
        unresolved: 0,
        precision: "names",
        references: references.filter((one) => one.path === path),
      },
    })),
  );
  return graph;
}

/** The closure as lines `hops name relation`. */
function closure(lines: string, change: string, maxHops?: number): string[] {
  const graph = graphOf(lines);
  const [label, name] = change.split(" ");
  const block = [...graph.paths].flatMap((path) => graph.blocksOf(path)).find((one) => one.name === name)!;
  const atomic: AtomicChange = {
    ...{ label: label as ChangeLabel, before: block, after: block },
    ...{ removedNames: [], addedNames: [], changedNames: [], escapes: true },
  };
  const reached = mayImpact({ before: graph }, [atomic], maxHops === undefined ? {} : { maxHops });
  return [...reached.values()].map(({ hops, block: { name }, relation }) => `${hops} ${name} ${relation}`);
}

const chain = `
  function process call function func
  function func call function create
  test checks call function process`;

const family = `
  class Square extend class Shape
  method Square.area override method Shape.area
  function draw call method Square.area
  function measure call method Shape.area`;

const shapes = `
  function configure shape interface Options
  variable defaults type interface Options
  function run value variable defaults
  test runs call function run`;

describe("mayImpact", () => {
  const cases: readonly (readonly [
    title: string,
    graph: string,
    change: string,
    expected: readonly string[],
    hops?: number,
  ])[] = [
    [
      "callers of callers, to the test",
      chain,
      "MMS create",
      ["1 func called-by", "2 process called-by", "3 checks called-by"],
    ],
    ["maxHops limits the closure", chain, "MMS create", ["1 func called-by"], 1],
    ["a test ends a path", chain, "MMS process", ["1 checks called-by"]],
    [
      "along overrides both ways, and to the callers of both",
      family,
      "MMS Shape.area",
      ["1 measure called-by", "1 Square.area overridden-by", "2 draw called-by"],
    ],
    [
      "those who fit a type without naming it",
      shapes,
      "MT Options",
      ["1 defaults type-used-by", "1 configure satisfied-by", "2 run used-by", "3 runs called-by"],
    ],
    ["a new type affects nothing", shapes, "AT Options", []],
  ];
  for (const [title, graph, change, expected, hops] of cases) {
    test(title, () => expect(closure(graph, change, hops)).toEqual(expected));
  }

  test("mayImpact returns nothing for a body whose change is not visible outside", () => {
    const graph = graphOf(chain);
    const before = graph.blocksOf("create")[0]!;
    const change = { label: "MMB", before, after: before, removedNames: [], addedNames: [], changedNames: [] } as const;
    expect(mayImpact({ before: graph }, [{ ...change, escapes: false }]).size).toBe(0);
    expect(mayImpact({ before: graph }, [{ ...change, escapes: true }]).size).toBe(3);
  });
});
