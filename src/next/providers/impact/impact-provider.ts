import {
  type AffectedBlock,
  type AtomicChange,
  analyseImpact,
  blockId,
  type CodeBlock,
  type FileDiagnostic,
  type ImpactReach,
  type ParseCache,
  type ReadableGraph,
  relationWords,
  type TypeCheckCache,
  workLikelihood,
} from "../../../analysis/index.ts";
import type { AbortOptions } from "../../../async/index.ts";
import { isScript } from "../../../names/index.ts";
import type { Syntax } from "../../../syntax/index.ts";
import { anyIdentifier, EmendError, type TextRange } from "../../../text/index.ts";
import type { NextEditContext, NextEditProvider, Proposal } from "../next-edit-provider.ts";
import { diagnosticReason, NewDiagnostics } from "../types/new-diagnostics.ts";
import { isBrokenBy, type PastChange, pastChanges } from "../types/past-change.ts";
import { type ImpactPlace, inDependencyOrder } from "./impact-order.ts";
import { brokenLikelihood, likelihoodWithoutDiagnostic } from "./likelihood-without-diagnostic.ts";
import { isSeenByOthers, NearbyGraphs } from "./nearby-graph.ts";

/** The dependencies of {@link ImpactProvider}. Their owner disposes of them. */
interface ImpactProviderParts {
  /**
   * Returns the dependencies between the blocks of the workspace, without those of scripts;
   * `undefined` until they are known. The graph may be slightly outdated: blocks are found by name,
   * and only a graph from before a deletion has the dependents of what was deleted.
   */
  graph(): ReadableGraph | undefined;
  /**
   * Returns what names of scripts refer to, and their diagnostics; `undefined` until they are
   * known.
   */
  types?(): TypeCheckCache | undefined;
  readonly states: ParseCache;
  readonly syntax: Pick<Syntax, "syntaxErrors">;
}

/** The effect of the recent edits, by path. */
type Changes = ReadonlyMap<string, PastChange>;

/**
 * Proposes to look at the blocks that recent changes of declarations may affect, in the order of
 * {@link inDependencyOrder}, each with the likelihood that it has to change.
 *
 * A block that was edited itself is left out; its dependents are affected once its own declaration
 * changes. For scripts, the type checker is queried about the files near the change only; where it
 * has a new diagnostic, the proposal has its message as the reason, and so the same place as the
 * proposal of `fix`. Nothing is proposed while an edited file has new syntax errors.
 */
export class ImpactProvider implements NextEditProvider {
  readonly origin = "impact";
  readonly policy = { trustGroup: "impact" };
  readonly #parts: ImpactProviderParts;
  readonly #nearby: NearbyGraphs;
  readonly #newDiagnostics: NewDiagnostics;

  constructor(parts: ImpactProviderParts) {
    this.#parts = parts;
    this.#nearby = new NearbyGraphs(parts);
    this.#newDiagnostics = new NewDiagnostics(parts.states);
  }

  /** Drops what is known of a document that was closed. */
  forget(path: string): void {
    this.#nearby.forget(path);
    this.#newDiagnostics.forget(path);
  }

  /**
   * Yields the places of scripts, then those of other languages; none of scripts where the type
   * checker fails. Rejects with the signal's reason on abort.
   */
  async *propose(context: NextEditContext, { signal }: AbortOptions = {}): AsyncGenerator<Proposal> {
    const changes = pastChanges(context);
    const isOfScript = ([path]: readonly [string, PastChange]) => isScript(path);
    yield* await this.#byTypes(context, new Map([...changes].filter(isOfScript)), signal);
    yield* await this.#byNames(context, new Map([...changes].filter((one) => !isOfScript(one))), signal);
  }

  /** The places by the graph of the whole workspace, for languages other than scripts. */
  async #byNames(
    context: NextEditContext,
    changes: Changes,
    signal: AbortSignal | undefined,
  ): Promise<readonly Proposal[]> {
    const graph = changes.size === 0 ? undefined : this.#parts.graph();
    if (graph === undefined) return [];
    const places: ImpactPlace[] = [];
    for (const one of await this.#affected({ context, changes, graph, signal })) {
      const { reach, likelihood } = one;
      if (isRenamedParameter(reach) && !usesRemovedName(one)) continue;
      if (likelihood < workLikelihood) continue;
      places.push(placeOf(one, { place: placeOfName(one), reason: impactReason(reach), likelihood }));
    }
    if (places.length === 0 || (await this.#isBroken(context, changes, signal))) return [];
    return inDependencyOrder(context, places, graph);
  }

  /** The places by the types of the files near the change. */
  async #byTypes(
    context: NextEditContext,
    all: Changes,
    signal: AbortSignal | undefined,
  ): Promise<readonly Proposal[]> {
    const types = this.#parts.types?.();
    const changes = new Map([...all].filter(([path]) => types?.knows(path)));
    if (types === undefined || changes.size === 0) return [];
    // Checked first because it is cheap: text that is being typed has syntax errors after most
    // keys.
    if (await this.#isBroken(context, changes, signal)) return [];
    const { states } = this.#parts;
    const { files } = context;
    const atomic = await states.atomicChanges(changes, { signal });
    // Most edits change nothing that other code sees; then the type checker is not queried.
    if (!atomic.some(isSeenByOthers)) return [];
    try {
      const graph = await this.#nearby.around(atomic, changes, { files, types, signal });
      if (graph === undefined) return [];
      const diagnosticsOf = this.#newDiagnostics.at({ types, files, changes, signal });
      const near: NearBlock[] = [];
      const places: ImpactPlace[] = [];
      for (const one of await this.#affected({ context, changes, graph, signal })) {
        const place = tryPlace(one, await diagnosticsOf(one.block.path));
        if (place === undefined) continue;
        near.push(one);
        places.push(place);
      }
      const question = { files, types, signal };
      const blocks = near.map(({ block }) => block);
      return inDependencyOrder(context, places, await this.#nearby.among(blocks, changes, question));
    } catch (error) {
      signal?.throwIfAborted();
      // A failing checker gives no places; its owner reports the failure.
      if (error instanceof EmendError) return [];
      throw error;
    }
  }

  /**
   * Returns the blocks that changes reach in one step, in the present texts, without those that
   * were edited themselves and the block of the cursor.
   */
  async #affected({ context, changes, graph, signal }: GraphSearch): Promise<readonly NearBlock[]> {
    const { states } = this.#parts;
    const { files, path, cursor } = context;
    await states.prepare(changes, { signal });
    const { affected } = await analyseImpact({
      ...{ changed: changes, graphs: { before: graph }, maxHops: 1 },
      textOf: (file) => files.textOf(file),
      blocksOf: (file, text) => states.blocksOf(file, text),
      treeOf: (file, text) => states.treeOf(file, text),
      signal,
    });
    signal?.throwIfAborted();
    const near: NearBlock[] = [];
    for (const one of affected) {
      const { block, reach, isTouched } = one;
      if (isTouched || reach === undefined) continue;
      const text = files.textOf(block.path);
      if (!text) continue;
      const blocks = await states.blocksInSlices(block.path, text, { signal });
      const now = blocks.find((other) => blockId(other) === blockId(block));
      if (now === undefined) continue;
      // The person already looks at the block of the cursor.
      if (block.path === path && now.ownRange.start <= cursor && cursor <= now.ownRange.end) continue;
      near.push({ ...one, reach, now, text });
    }
    return near;
  }

  #isBroken({ files }: NextEditContext, changes: Changes, signal: AbortSignal | undefined): Promise<boolean> {
    return isBrokenBy(changes, { files, syntax: this.#parts.syntax, signal });
  }
}

/** The input of one search in a graph. */
interface GraphSearch {
  readonly context: NextEditContext;
  readonly changes: Changes;
  readonly graph: ReadableGraph;
  readonly signal: AbortSignal | undefined;
}

/** A block that a change reaches. */
interface NearBlock extends AffectedBlock {
  readonly reach: ImpactReach;
  /** The block in the present text of its file. */
  readonly now: CodeBlock;
  readonly text: string;
}

/**
 * Returns a place with a diagnostic of the checker, or one that is likely to need a change without;
 * `undefined` otherwise.
 */
function tryPlace(one: NearBlock, diagnostics: readonly FileDiagnostic[]): ImpactPlace | undefined {
  const { reach, now, text } = one;
  const { start, end } = now.ownRange;
  const diagnostic = diagnostics.find((one) => start <= one.start && one.start < end);
  if (diagnostic !== undefined) {
    const reason = diagnosticReason(diagnostic);
    return placeOf(one, { place: diagnostic, reason, likelihood: brokenLikelihood, error: diagnostic });
  }
  if (isRenamedParameter(reach)) return undefined;
  const likelihood = likelihoodWithoutDiagnostic({ ...one, text: text.slice(start, end) });
  if (likelihood < workLikelihood) return undefined;
  return placeOf(one, { place: placeOfName(one), reason: impactReason(reach), likelihood });
}

function placeOf(
  { block, reach }: NearBlock,
  { place: { start, end }, ...rest }: Pick<Proposal, "place" | "reason" | "likelihood" | "error">,
): ImpactPlace {
  const proposal = { origin: "impact", path: block.path, place: { start, end }, ...rest } as const;
  return { proposal, id: blockId(block), change: reach.change };
}

/**
 * Returns the range of the first name in a block that refers to the declaration that reaches it,
 * else of the block's own name, else its empty beginning.
 */
function placeOfName({ now: { ownRange, nameRange }, text, reach: { change } }: NearBlock): TextRange {
  const names = [change.before?.simpleName, change.after?.simpleName];
  const wanted = new Set(names.filter((name) => name !== undefined && name !== ""));
  const body = text.slice(ownRange.start, ownRange.end);
  for (const { 0: name, index } of body.matchAll(anyIdentifier))
    if (wanted.has(name)) return { start: ownRange.start + index, end: ownRange.start + index + name.length };
  return nameRange ?? { start: ownRange.start, end: ownRange.start };
}

/** Whether only names of parameters changed, which concerns only callers that pass them by name. */
function isRenamedParameter({
  change: { label, before, after, removedNames, addedNames, ...rest },
}: ImpactReach): boolean {
  if (label !== "MMS" || removedNames.length === 0 || removedNames.length !== addedNames.length) return false;
  const bare = (text = "", names: readonly string[]) =>
    text.replaceAll(anyIdentifier, (name) => (names.includes(name) ? "_" : name));
  const headIn = (block: CodeBlock | undefined, text = "") =>
    (block?.signature ?? [])
      .map(({ start, end }) => text.slice(start - block!.ownRange.start, end - block!.ownRange.start))
      .join("\n");
  return bare(headIn(before, rest.beforeText), removedNames) === bare(headIn(after, rest.afterText), addedNames);
}

function usesRemovedName({ now: { ownRange }, text, reach: { change } }: NearBlock): boolean {
  return (text.slice(ownRange.start, ownRange.end).match(anyIdentifier) ?? []).some((name) =>
    change.removedNames.includes(name),
  );
}

/** A name. */

/**
 * Returns the reason why a block may be affected, for people: `calls send, whose parameters
 * changed`.
 */
function impactReason({ relation, change }: Pick<ImpactReach, "relation" | "change">): string {
  const { before, after } = change;
  const name = (before ?? after)?.simpleName || (before ?? after)?.name || "it";
  return `${relationWords[relation]} ${name}, ${changeWords(change)}`;
}

function changeWords({ label, before, after, addedNames, removedNames, changedNames }: AtomicChange): string {
  const parts = [...addedNames, ...removedNames, ...changedNames];
  switch (label) {
    case "RENAME":
      return `which was renamed to ${after?.simpleName ?? "another name"}`;
    case "MOVE":
      return `which moved to ${after?.path ?? "another file"}`;
    case "MMB":
      return "whose body changed";
    case "MMS":
    case "MCC":
      return parts.length > 0 ? "whose parameters changed" : "whose signature changed";
    case "AX":
      return "which is exported now";
    case "DX":
      return "which is no longer exported";
    default:
      if (before === undefined) return "which is new";
      if (after === undefined) return "which was removed";
      return parts.length > 0 && parts.length <= maxParts ? `of which ${parts.join(", ")} changed` : "which changed";
  }
}

/** The most names that are listed. */
const maxParts = 3;
