import type { ScriptTree } from "../../names/index.ts";
import { type ChangedText, textsAt } from "../../workspace/index.ts";
import type { AtomicChange } from "../changes/atomic-change.ts";
import { classifiedChanges } from "../changes/classify-changes.ts";
import type { FileDiagnostic, OverlayTypeChecker } from "../diagnostics/type-checker.ts";
import { type BlockId, blockId, type CodeBlock } from "../graph/code-block.ts";
import type { Relation } from "../graph/dependency-graph.ts";
import { changeFacts } from "../repair/facts/change-facts.ts";
import { type ImpactSign, likelihoodOf, StaleNames } from "./likelihood.ts";
import { type ImpactGraphs, type ImpactReach, mayImpact } from "./may-impact.ts";
import { type CheckedBlock, checkSpeculatively } from "./speculative-check.ts";

/** Input of {@link analyseImpact}: a change, and the workspace before it. */
export interface ImpactRequest {
  readonly changed: ReadonlyMap<string, ChangedText>;
  readonly graphs: ImpactGraphs;
  /** The text of any file before the change. */
  readonly textOf: (path: string) => string | undefined;
  readonly blocksOf: (path: string, text: string) => readonly CodeBlock[];
  readonly treeOf: (path: string, text: string) => ScriptTree | undefined;
  /** The changes that this one follows; see `classifyChanges`. */
  readonly earlier?: readonly AtomicChange[] | undefined;
  /**
   * A type checker in the state before the change, with its diagnostics of that state. Without it
   * the result depends on the graph alone.
   */
  readonly checker?: {
    readonly checker: OverlayTypeChecker;
    readonly before: readonly FileDiagnostic[];
    /** Whether the checker covers a file; default: all files. */
    readonly checks?: (path: string) => boolean;
  };
  /** The files that changes of these may affect; `undefined` where all may be affected. */
  readonly reachOf?: (paths: readonly string[]) => readonly string[] | undefined;
  /** From 1; default: 3. */
  readonly maxHops?: number;
  readonly signal?: AbortSignal | undefined;
  /**
   * Yields to the event loop between files. Without it a change of many files blocks the event
   * loop.
   */
  readonly yieldThread?: () => Promise<void>;
}

/** A block that a change may affect. Plain data. */
export interface AffectedBlock {
  readonly block: CodeBlock;
  /** The probability that it has to change, from 0 to 1. */
  readonly likelihood: number;
  /**
   * The path by which the change reaches it in the graph; absent where only the type checker
   * reports it.
   */
  readonly reach?: ImpactReach;
  /** The type checker's result for it, with the change applied. */
  readonly checked?: CheckedBlock;
  readonly signs: readonly ImpactSign[];
  /** Whether it is part of the change. */
  readonly isTouched: boolean;
}

/** The atomic changes of a change, and the blocks that it may affect, by falling likelihood. */
export interface ImpactReport {
  readonly changes: readonly AtomicChange[];
  readonly affected: readonly AffectedBlock[];
}

/**
 * Blocks of at least this likelihood are reported as work to do, the others as possibly affected.
 */
export const workLikelihood = 0.35;

/**
 * Finds the blocks that a change may affect, by rules along the dependency graph and by a type
 * checker with the change applied. Blocks of the change itself are included as `isTouched` where
 * the type checker reports them.
 *
 * The checker is restored to its state before the change. Rejects with the signal's reason on
 * abort, and with the checker's errors.
 */
export async function analyseImpact(request: ImpactRequest): Promise<ImpactReport> {
  const { changed, graphs, textOf, checker, maxHops, earlier } = request;
  const changes = await classifiedChanges(request);
  const facts = changeFacts(changes);
  const textBefore = textsAt("before", changed, textOf);
  const reached = mayImpact(graphs, changes, { maxHops, textOf: textBefore, earlier });
  const checkedBlocks =
    checker === undefined
      ? []
      : await checkSpeculatively({ ...request, checker: checker.checker, before: checker.before, facts });
  const byId = new Map(checkedBlocks.map((one) => [blockId(one.block), one]));

  const touched = new Set<BlockId>(
    changes.flatMap(({ before, after }) => [before, after].flatMap((b) => (b ? [blockId(b)] : []))),
  );
  const names = new StaleNames(changes, facts);
  const callers = callersOf(
    graphs,
    checkedBlocks.filter((one) => one.certainty === "error" && (one.isFromParameter || one.isInSignature)),
  );
  const affected: AffectedBlock[] = [];
  for (const id of new Set([...byId.keys(), ...reached.keys()])) {
    const reach = reached.get(id);
    const found = byId.get(id);
    const block = reach?.block ?? found!.block;
    const text = textBefore(block.path) ?? "";
    const own = text.slice(block.ownRange.start, block.ownRange.end);
    const signs: ImpactSign[] = [];
    if (names.usesRemoved(own)) signs.push("uses-removed-name");
    if (names.usesKin(own)) signs.push("uses-derived-name");
    const behind = reach && byId.get(reach.from);
    if (behind?.isInSignature && behind.certainty === "error") signs.push("behind-broken-signature");
    const crowd = callers.get(id);
    if (crowd !== undefined) signs.push("calls-what-has-to-change");
    const likelihood = likelihoodOf({
      ...(reach && { reach }),
      ...(found && { checked: found }),
      wasChecked: checker !== undefined && (checker.checks?.(block.path) ?? true),
      signs,
      ...(crowd !== undefined && { callers: crowd }),
    });
    affected.push({
      block,
      likelihood,
      signs,
      isTouched: touched.has(id),
      ...(reach && { reach }),
      ...(found && { checked: found }),
    });
  }
  affected.sort((a, b) => b.likelihood - a.likelihood || (a.reach?.hops ?? 9) - (b.reach?.hops ?? 9));
  return { changes, affected };
}

/**
 * The blocks that call or construct any of these, each with the number of callers of the called
 * block; of several called blocks, the one with the fewest counts.
 */
function callersOf({ before }: ImpactGraphs, called: readonly CheckedBlock[]): ReadonlyMap<BlockId, number> {
  const crowds = new Map<BlockId, number>();
  for (const { block } of called) {
    const callers = new Set<BlockId>();
    for (const { from, relation } of before.dependentsOf(blockId(block))) if (isCall(relation)) callers.add(from);
    for (const caller of callers) crowds.set(caller, Math.min(callers.size, crowds.get(caller) ?? callers.size));
  }
  return crowds;
}

function isCall(relation: Relation): boolean {
  return relation === "calls" || relation === "instantiates";
}
