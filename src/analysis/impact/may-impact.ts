import type { AtomicChange, ChangeLabel } from "../changes/atomic-change.ts";
import type { ReadableGraph } from "../graph/changed-graph.ts";
import { type BlockId, blockId, type CodeBlock } from "../graph/code-block.ts";
import type { InverseRelation, Relation } from "../graph/dependency-graph.ts";
import { edgesOf, type ImpactStep, impactSteps } from "./impact-rules.ts";

/**
 * The graphs of a workspace before and after a change; without `after`, `before` is used for both.
 */
export interface ImpactGraphs {
  readonly before: ReadableGraph;
  readonly after?: ReadableGraph;
}

/**
 * How a change reaches a block: by the shortest path, and of several by the first in the order of
 * the rules.
 */
export interface ImpactReach {
  readonly block: CodeBlock;
  /** From 1. */
  readonly hops: number;
  /** The change at the start of the path. */
  readonly change: AtomicChange;
  /** The block before it on the path; at the first hop, the changed block. */
  readonly from: BlockId;
  readonly relation: Relation | InverseRelation;
  /**
   * The number of blocks reached from there by that relation: the more, the less likely is each.
   */
  readonly crowd: number;
}

/**
 * The blocks that changes may affect by the rules alone: the closure, nearest first.
 *
 * Up to `maxHops` (default: 3) hops: a block that was reached may have to change visibly, and then
 * affects others in turn. Tests and statements end a path, since nothing refers to them. Changed
 * blocks are left out. Source: may-impact analysis of CodePlan (Bairi et al. 2024, section 2.2.2).
 */
export function mayImpact(
  graphs: ImpactGraphs,
  changes: readonly AtomicChange[],
  { maxHops = 3 }: { readonly maxHops?: number } = {},
): ReadonlyMap<BlockId, ImpactReach> {
  const reached = new Map<BlockId, ImpactReach>();
  const changed = new Set<BlockId>();
  for (const { before, after } of changes) {
    if (before !== undefined) changed.add(blockId(before));
    if (after !== undefined) changed.add(blockId(after));
  }
  let front: Front[] = [];
  for (const change of changes) {
    const steps = impactSteps(change);
    front.push(...frontOf({ change, before: change.before, after: change.after, steps }));
  }
  for (let hops = 1; hops <= maxHops && front.length > 0; hops++) {
    const fresh: ImpactReach[] = [];
    for (const { step, from, change } of front) {
      const graph = (step.graph === "after" ? graphs.after : undefined) ?? graphs.before;
      const around = neighbours(graph, from, step);
      const found = step.isPassedOther ? around.filter((one) => takesOther(change, one)) : around;
      for (const block of found) {
        const id = blockId(block);
        if (reached.has(id) || changed.has(id)) continue;
        const reach = { block, hops, change, from: blockId(from), relation: step.relation, crowd: found.length };
        reached.set(id, reach);
        fresh.push(reach);
      }
    }
    front = fresh.flatMap(({ block, change }) => {
      const label = labelIfChanged(block);
      if (label === undefined) return [];
      return frontOf({ change, before: block, after: block, steps: impactSteps({ label }) });
    });
  }
  return reached;
}

/** Whether a block is called with other arguments than before; for a class, its constructor. */
function takesOther({ passesOther }: AtomicChange, { kind, simpleName }: CodeBlock): boolean {
  return kind !== "class" && passesOther?.includes(simpleName) === true;
}

/** A block that is changed, or may be, and one entry of the table to follow. */
interface Front {
  readonly change: AtomicChange;
  readonly from: CodeBlock;
  readonly step: ImpactStep;
}

function frontOf(parts: {
  readonly change: AtomicChange;
  readonly before: CodeBlock | undefined;
  readonly after: CodeBlock | undefined;
  readonly steps: readonly ImpactStep[];
}): Front[] {
  const { change, before, after, steps } = parts;
  return steps.flatMap((step) => {
    const from = step.graph === "after" ? (after ?? before) : (before ?? after);
    return from === undefined ? [] : [{ change, from, step }];
  });
}

/** The blocks that one entry of the table leads to, each once. */
function neighbours(
  graph: ReadableGraph,
  from: CodeBlock,
  { relation, from: start, isInFile }: ImpactStep,
): CodeBlock[] {
  const source = start === "block" ? from : ownerIn(graph, from);
  if (source === undefined) return [];
  const id = blockId(source);
  const edges = edgesOf(relation);
  const ids = new Set<BlockId>();
  if (edges.away) for (const edge of graph.dependenciesOf(id)) if (edge.relation === edges.relation) ids.add(edge.to);
  if (edges.towards)
    for (const edge of graph.dependentsOf(id)) if (edge.relation === edges.relation) ids.add(edge.from);
  return [...ids].flatMap((one) => {
    const block = graph.tryBlock(one);
    return block === undefined || (isInFile && block.path !== from.path) ? [] : [block];
  });
}

function ownerIn(graph: ReadableGraph, { path, owner }: CodeBlock): CodeBlock | undefined {
  return owner === undefined ? undefined : graph.blocksOf(path).find(({ name }) => name === owner);
}

/** The label of a visible change of a block; `undefined` where nothing can refer to it. */
function labelIfChanged({ kind }: CodeBlock): ChangeLabel | undefined {
  switch (kind) {
    case "function":
    case "method":
    case "accessor":
      return "MMS";
    case "constructor":
      return "MCC";
    case "field":
      return "MF";
    case "class":
      return "MC";
    case "import":
      return "MI";
    case "export":
      return "MX";
    case "interface":
    case "type":
      return "MT";
    case "enum":
      return "ME";
    case "variable":
      return "MV";
    default:
      return undefined;
  }
}
