import {
  type AffectedBlock,
  analyseImpact,
  blockId,
  type CodeBlock,
  classifyChanges,
  type ImpactReach,
  isScript,
  type ReadableGraph,
  type TypeFinding,
  workLikelihood,
} from "../../codebase/index.ts";
import type { Syntax } from "../../syntax/index.ts";
import { EmendError, type TextRange } from "../../text/index.ts";
import type { Moment, NextEditSource, Proposal } from "../next-edit-source.ts";
import { findingReason } from "./finding-reason.ts";
import { FreshComplaints } from "./fresh-complaints.ts";
import { type ImpactPlace, inDependencyOrder } from "./impact-order.ts";
import { impactReason } from "./impact-reason.ts";
import { isBrokenBy } from "./is-broken-by.ts";
import { isSeenByOthers, NearbyGraphs } from "./nearby-graph.ts";
import { type PastChange, pastChanges } from "./past-change.ts";
import type { PastReferences } from "./past-references.ts";
import type { ScriptStates } from "./script-states.ts";
import { brokenLikelihood, silentLikelihood } from "./silent-likelihood.ts";

/** What {@link ImpactSource} works with. All of it stays its owner's. */
export interface ImpactSourceParts {
  /**
   * How the blocks of the workspace depend on each other, but for scripts; `undefined` while nobody knows. It may be a little behind: blocks are found again by their
   * names, and who depended on what is gone now is told only by a graph that still has it.
   */
  graph(): ReadableGraph | undefined;
  /** What names of scripts mean, and what is wrong with them; `undefined` while nobody knows. */
  references?(): PastReferences | undefined;
  readonly states: ScriptStates;
  readonly syntax: Pick<Syntax, "syntaxErrors">;
}

/** What the last edits did, by file. */
type Changes = ReadonlyMap<string, PastChange>;

/**
 * Leads through the blocks that the last edits may affect by what they did to declarations, as {@link inDependencyOrder} says. They are places to look at, with how
 * likely they have to change.
 *
 * A block that was edited itself is done. What depends on that is affected once its own declaration changes. In scripts whoever knows the types is asked
 * about the files near the change alone; of what the checker complains, it gives the checker's own reason, and so the same place as who goes by errors.
 * Nothing is proposed while an edited file has syntax errors that it did not have.
 */
export class ImpactSource implements NextEditSource {
  readonly origin = "impact";
  readonly #parts: ImpactSourceParts;
  readonly #nearby: NearbyGraphs;
  readonly #complaints: FreshComplaints;

  constructor(parts: ImpactSourceParts) {
    this.#parts = parts;
    this.#nearby = new NearbyGraphs(parts);
    this.#complaints = new FreshComplaints(parts.states);
  }

  async *propose(moment: Moment, { signal }: { readonly signal?: AbortSignal } = {}): AsyncGenerator<Proposal> {
    const changes = pastChanges(moment);
    const isOfScript = ([path]: readonly [string, PastChange]) => isScript(path);
    yield* await this.#byTypes(moment, new Map([...changes].filter(isOfScript)), signal);
    yield* await this.#byNames(moment, new Map([...changes].filter((one) => !isOfScript(one))), signal);
  }

  /** Where a graph of the whole workspace leads. */
  async #byNames(moment: Moment, changes: Changes, signal: AbortSignal | undefined): Promise<readonly Proposal[]> {
    const graph = changes.size === 0 ? undefined : this.#parts.graph();
    if (graph === undefined) return [];
    const places: ImpactPlace[] = [];
    for (const one of await this.#affected({ moment, changes, graph, signal })) {
      const { reach, likelihood } = one;
      if (isRenamedParameter(reach) && !saysRemoved(one)) continue;
      if (likelihood < workLikelihood) continue;
      places.push(placeOf(one, { place: saidIn(one), reason: impactReason(reach), likelihood }));
    }
    if (places.length === 0 || (await this.#isBroken(moment, changes, signal))) return [];
    return inDependencyOrder(moment, places, graph);
  }

  /** Where the types of the files near the change lead. */
  async #byTypes(moment: Moment, all: Changes, signal: AbortSignal | undefined): Promise<readonly Proposal[]> {
    const references = this.#parts.references?.();
    const changes = new Map([...all].filter(([path]) => references?.types.knows(path)));
    if (references === undefined || changes.size === 0) return [];
    // A text that is being typed is broken at most keys, which costs least to find out.
    if (await this.#isBroken(moment, changes, signal)) return [];
    const { states } = this.#parts;
    const { files } = moment;
    const stateOf = (path: string, text: string) => ({ text, blocks: states.blocksOf(path, text) });
    const atomic = classifyChanges(
      [...changes].map(([path, { before, after }]) => {
        return { path, before: stateOf(path, before), after: stateOf(path, after) };
      }),
    );
    // Most edits change nothing that others see, and ask nobody.
    if (!atomic.some(isSeenByOthers)) return [];
    try {
      const graph = await this.#nearby.around(atomic, changes, { files, references, signal });
      if (graph === undefined) return [];
      const complaintsOf = this.#complaints.at({ types: references.types, files, changes, signal });
      const near: NearBlock[] = [];
      const places: ImpactPlace[] = [];
      for (const one of await this.#affected({ moment, changes, graph, signal })) {
        const place = tryPlace(one, await complaintsOf(one.block.path));
        if (place === undefined) continue;
        near.push(one);
        places.push(place);
      }
      const question = { files, references, signal };
      const blocks = near.map(({ block }) => block);
      return inDependencyOrder(moment, places, await this.#nearby.among(blocks, changes, question));
    } catch (error) {
      signal?.throwIfAborted();
      // Where the checker fails there is nothing to go by; whoever owns it hears of it elsewhere.
      if (error instanceof EmendError) return [];
      throw error;
    }
  }

  /** The blocks that changes reach in one step, as they are now, but for those that were edited themselves and the one where the person is. */
  async #affected({ moment, changes, graph, signal }: GraphLook): Promise<readonly NearBlock[]> {
    const { states } = this.#parts;
    const { files, path, cursor } = moment;
    const { affected } = await analyseImpact({
      ...{ changed: changes, graphs: { before: graph }, maxHops: 1 },
      textOf: (file) => changes.get(file)?.before ?? files.textOf(file),
      blocksOf: (file, text) => states.blocksOf(file, text),
      treeOf: (file, text) => states.treeOf(file, text),
      ...(signal && { signal }),
    });
    signal?.throwIfAborted();
    return affected.flatMap((one): NearBlock[] => {
      const { block, reach, isTouched } = one;
      if (isTouched || reach === undefined) return [];
      const text = files.textOf(block.path);
      const now = text && states.blocksOf(block.path, text).find((other) => blockId(other) === blockId(block));
      if (!text || !now) return [];
      // Whoever is there already looks at it.
      if (block.path === path && now.own.start <= cursor && cursor <= now.own.end) return [];
      return [{ ...one, reach, now, text }];
    });
  }

  #isBroken({ files }: Moment, changes: Changes, signal: AbortSignal | undefined): Promise<boolean> {
    return isBrokenBy(changes, { files, syntax: this.#parts.syntax, signal });
  }
}

/** What is looked through. */
interface GraphLook {
  readonly moment: Moment;
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

/** A place of which the checker complains, or that is likely to need something all the same. */
function tryPlace(one: NearBlock, complaints: readonly TypeFinding[]): ImpactPlace | undefined {
  const { reach, now, text } = one;
  const { start, end } = now.own;
  const finding = complaints.find((complaint) => start <= complaint.start && complaint.start < end);
  if (finding !== undefined)
    return placeOf(one, { place: finding, reason: findingReason(finding), likelihood: brokenLikelihood });
  if (isRenamedParameter(reach)) return undefined;
  const likelihood = silentLikelihood({ ...one, text: text.slice(start, end) });
  if (likelihood < workLikelihood) return undefined;
  return placeOf(one, { place: saidIn(one), reason: impactReason(reach), likelihood });
}

function placeOf(
  { block, reach }: NearBlock,
  { place, reason, likelihood }: Pick<Proposal, "place" | "reason" | "likelihood">,
): ImpactPlace {
  const { start, end } = place;
  const proposal = { origin: "impact", path: block.path, place: { start, end }, reason, likelihood } as const;
  return { proposal, id: blockId(block), change: reach.change };
}

/** Where a block first says a name of the declaration that reaches it, else its own name, or its beginning. */
function saidIn({ now: { own, nameRange }, text, reach: { change } }: NearBlock): TextRange {
  const names = [change.before?.simpleName, change.after?.simpleName];
  const wanted = new Set(names.filter((name) => name !== undefined && name !== ""));
  const body = text.slice(own.start, own.end);
  for (const { 0: said, index } of body.matchAll(word))
    if (wanted.has(said)) return { start: own.start + index, end: own.start + index + said.length };
  return nameRange ?? { start: own.start, end: own.start };
}

/** Whether of a function nothing but the names of parameters changed, which only those say who pass them by name. */
function isRenamedParameter({
  change: { label, before, after, removedNames, addedNames, ...rest },
}: ImpactReach): boolean {
  if (label !== "MMS" || removedNames.length === 0 || removedNames.length !== addedNames.length) return false;
  const bare = (text = "", names: readonly string[]) =>
    text.replaceAll(word, (said) => (names.includes(said) ? "_" : said));
  const headIn = (block: CodeBlock | undefined, text = "") =>
    (block?.signature ?? [])
      .map(({ start, end }) => text.slice(start - block!.own.start, end - block!.own.start))
      .join("\n");
  return bare(headIn(before, rest.beforeText), removedNames) === bare(headIn(after, rest.afterText), addedNames);
}

function saysRemoved({ now: { own }, text, reach: { change } }: NearBlock): boolean {
  return (text.slice(own.start, own.end).match(word) ?? []).some((said) => change.removedNames.includes(said));
}

/** A name. */
const word = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;
