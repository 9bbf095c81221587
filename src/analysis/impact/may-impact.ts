import { isIdentifier } from "../../text/index.ts";
import type { AtomicChange, ChangeLabel } from "../changes/atomic-change.ts";
import type { ReadableGraph } from "../graph/changed-graph.ts";
import { type BlockId, blockId, type CodeBlock } from "../graph/code-block.ts";
import { containsAnyName } from "../graph/contains-name.ts";
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

/** Options of {@link mayImpact}. */
export interface MayImpactOptions {
  /** From 1; default: 3. */
  readonly maxHops?: number | undefined;
  /**
   * The text of any file before the change. Without it, a change of one imported name reaches the
   * users of all names of the import.
   */
  readonly textOf?: (path: string) => string | undefined;
  /** The changes that these follow, such as a rename whose uses they repair. */
  readonly earlier?: readonly AtomicChange[] | undefined;
}

/**
 * The blocks that changes may affect by the rules alone: the closure, nearest first.
 *
 * Up to `maxHops` hops: a block that was reached may have to change visibly, and then affects
 * others in turn. Tests and statements end a path, since nothing refers to them. A path through an
 * import continues to the blocks that use the imported name. Changed blocks are left out. Source:
 * may-impact analysis of CodePlan (Bairi et al. 2024, section 2.2.2).
 */
export function mayImpact(
  graphs: ImpactGraphs,
  changes: readonly AtomicChange[],
  { maxHops = 3, textOf = () => undefined, earlier = [] }: MayImpactOptions = {},
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
    const names = changedNames(change, [...earlier, ...changes]);
    front.push(...frontOf({ change, before: change.before, after: change.after, steps, names }));
  }
  for (let hops = 1; hops <= maxHops && front.length > 0; hops++) {
    const fresh: ImpactReach[] = [];
    const origins = new Map<ImpactReach, CodeBlock>();
    for (const { step, from, change, names } of front) {
      const graph = (step.graph === "after" ? graphs.after : undefined) ?? graphs.before;
      const all = neighbours(graph, from, step);
      const isNamed = step.relation === "imported-by" && names !== undefined;
      const around = isNamed ? all.filter((one) => mayName(one, names, textOf)) : all;
      const found = step.isPassedOther ? around.filter((one) => takesOther(change, one)) : around;
      for (const block of found) {
        const id = blockId(block);
        if (reached.has(id) || changed.has(id)) continue;
        const reach = { block, hops, change, from: blockId(from), relation: step.relation, crowd: found.length };
        reached.set(id, reach);
        fresh.push(reach);
        origins.set(reach, from);
      }
    }
    front = fresh.flatMap((reach) => {
      const { block, change } = reach;
      const label = labelIfChanged(block);
      if (label === undefined) return [];
      const { simpleName } = origins.get(reach)!;
      const names = block.kind !== "import" || simpleName === "" ? undefined : namesOf(simpleName, block, textOf);
      return frontOf({ change, before: block, after: block, steps: impactSteps({ label }), names });
    });
  }
  return reached;
}

/** Whether a block is called with other arguments than before; for a class, its constructor. */
function takesOther({ passesOther }: AtomicChange, { kind, simpleName }: CodeBlock): boolean {
  return kind !== "class" && passesOther?.includes(simpleName) === true;
}

/**
 * The names in code that a changed import statement gives to something else, or to nothing;
 * `undefined` where that may be all of its names, and for other blocks. A name that is given to the
 * same declaration, which was renamed, is left out.
 */
function changedNames(change: AtomicChange, changes: readonly AtomicChange[]): ReadonlySet<string> | undefined {
  const { before, after, beforeText, afterText } = change;
  if (before?.kind !== "import" || before.name !== after?.name) return undefined;
  const old = importedNames(before, beforeText);
  const now = importedNames(after, afterText);
  if (old === undefined || now === undefined) return undefined;
  const isSame = (from: string, to: string | undefined) =>
    from === to ||
    changes.some((one) => one.label === "RENAME" && one.before?.simpleName === from && one.after?.simpleName === to);
  const names = [...old].flatMap(([name, meant]) => (isSame(meant, now.get(name)) ? [] : [name]));
  // The module or another part of the statement changed.
  return names.length === 0 && [...now].every(([name, meant]) => old.get(name) === meant) ? undefined : new Set(names);
}

/**
 * The declarations that an import statement names, by the names that it gives them; `undefined`
 * where they are not all known. `text` is that of the statement's own range.
 */
function importedNames(
  { parts = [], ownRange }: CodeBlock,
  text: string | undefined,
): ReadonlyMap<string, string> | undefined {
  if (text === undefined || parts.length === 0) return undefined;
  const names = new Map<string, string>();
  for (const { name, range } of parts) {
    const given = lastName(text.slice(range.start - ownRange.start, range.end - ownRange.start));
    // Of a path, such as `a.b`, code may use any part.
    if (!isIdentifier(name) || given === undefined) return undefined;
    names.set(given, name);
  }
  return names;
}

/** The names by which code may refer to a declaration that an import statement imports. */
function namesOf(declared: string, { parts = [], path }: CodeBlock, textOf: TextOf): ReadonlySet<string> {
  const names = new Set([declared]);
  const text = textOf(path) ?? "";
  for (const { name, range } of parts) {
    const part = text.slice(range.start, range.end);
    const given = lastName(part);
    if (given !== undefined && (name === "default" || containsAnyName(part, new Set([declared])))) names.add(given);
  }
  return names;
}

/** The last name in a part of an import: `b` in `a as b`. */
function lastName(part: string): string | undefined {
  return part.match(/[\p{ID_Continue}$]+/gu)?.at(-1);
}

/**
 * Whether a block contains one of these names. True for statements that import or export, and where
 * the text is unknown.
 */
function mayName({ kind, path, ownRange }: CodeBlock, names: ReadonlySet<string>, textOf: TextOf): boolean {
  const text = textOf(path);
  if (kind === "import" || kind === "export" || text === undefined) return true;
  return containsAnyName(text.slice(ownRange.start, ownRange.end), names);
}

type TextOf = NonNullable<MayImpactOptions["textOf"]>;

/** A block that is changed, or may be, and one entry of the table to follow. */
interface Front {
  /** Where `from` is an import statement: the names in code that count; absent where all do. */
  readonly names: ReadonlySet<string> | undefined;
  readonly change: AtomicChange;
  readonly from: CodeBlock;
  readonly step: ImpactStep;
}

function frontOf(parts: {
  readonly change: AtomicChange;
  readonly before: CodeBlock | undefined;
  readonly after: CodeBlock | undefined;
  readonly steps: readonly ImpactStep[];
  readonly names: ReadonlySet<string> | undefined;
}): Front[] {
  const { change, before, after, steps, names } = parts;
  return steps.flatMap((step) => {
    const from = step.graph === "after" ? (after ?? before) : (before ?? after);
    return from === undefined ? [] : [{ change, from, step, names }];
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
