import {
  type AffectedBlock,
  analyseImpact,
  blockId,
  type CodeBlock,
  comparePaths,
  type ReadableGraph,
  workLikelihood,
} from "../../codebase/index.ts";
import type { TextRange } from "../../text/index.ts";
import type { Moment, NextEditSource, Proposal } from "../next-edit-source.ts";
import { impactReason } from "./impact-reason.ts";
import { pastChanges } from "./past-change.ts";
import type { ScriptStates } from "./script-states.ts";

/** What {@link ImpactSource} works with. All of it stays its owner's. */
export interface ImpactSourceParts {
  /**
   * How the blocks of the workspace depend on each other; `undefined` while nobody knows. It may be a little behind: blocks are found again by their names, and who
   * depended on what is gone now is told only by a graph that still has it.
   */
  graph(): ReadableGraph | undefined;
  readonly states: ScriptStates;
  /**
   * Whether a type checker looks at a file. What it does not complain of hardly has to change, and what it complains of is shown by who asks it; no
   * file unless told.
   */
  checks?(path: string): boolean;
}

/**
 * Leads through the blocks that the last edits may affect by what they did to declarations, those first that depend on them directly: this file from the cursor on,
 * open files, then the rest by path. They are places to look at, with how likely they have to change.
 *
 * A block that was edited itself is done. What depends on that is affected once its own declaration changes.
 */
export class ImpactSource implements NextEditSource {
  readonly origin = "impact";
  readonly #parts: ImpactSourceParts;

  constructor(parts: ImpactSourceParts) {
    this.#parts = parts;
  }

  async *propose(moment: Moment, { signal }: { readonly signal?: AbortSignal } = {}): AsyncGenerator<Proposal> {
    const graph = this.#parts.graph();
    if (graph === undefined) return;
    const { states } = this.#parts;
    const changed = pastChanges(moment);
    const { affected } = await analyseImpact({
      ...{ changed, graphs: { before: graph }, maxHops: 1 },
      textOf: (path) => changed.get(path)?.before ?? moment.files.textOf(path),
      blocksOf: (path, text) => states.blocksOf(path, text),
      treeOf: (path, text) => states.treeOf(path, text),
      ...(signal && { signal }),
    });
    signal?.throwIfAborted();
    const places = affected.flatMap((one) => this.#placeOf(one, moment) ?? []);
    yield* inOrder(moment, places);
  }

  #placeOf({ block, likelihood, reach, signs, isTouched }: AffectedBlock, moment: Moment): Proposal | undefined {
    if (isTouched || reach === undefined || likelihood < workLikelihood) return undefined;
    const { checks } = this.#parts;
    if (checks?.(block.path) === true && signs.length === 0) return undefined;
    const { states } = this.#parts;
    const text = moment.files.textOf(block.path);
    if (text === undefined) return undefined;
    const now = states.blocksOf(block.path, text).find((other) => blockId(other) === blockId(block));
    if (now === undefined) return undefined;
    const { before, after } = reach.change;
    const place = saidIn(now, text, [before?.simpleName, after?.simpleName]);
    const { path, cursor } = moment;
    // Whoever is there already looks at it.
    if (block.path === path && now.own.start <= cursor && cursor <= now.own.end) return undefined;
    return { origin: "impact", path: block.path, place, reason: impactReason(reach), likelihood };
  }
}

/** Where a block first says one of these names, else its own name, or its beginning. */
function saidIn({ own, nameRange }: CodeBlock, text: string, names: readonly (string | undefined)[]): TextRange {
  const wanted = new Set(names.filter((name) => name !== undefined && name !== ""));
  const body = text.slice(own.start, own.end);
  for (const { 0: said, index } of body.matchAll(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu))
    if (wanted.has(said)) return { start: own.start + index, end: own.start + index + said.length };
  return nameRange ?? { start: own.start, end: own.start };
}

function inOrder({ path, cursor, files }: Moment, places: readonly Proposal[]): readonly Proposal[] {
  const rank = (one: Proposal) => {
    if (one.path === path) return one.place.end >= cursor ? 0 : 1;
    const at = files.open.indexOf(one.path);
    return 2 + (at < 0 ? files.open.length : at);
  };
  return [...places].sort(
    (one, other) =>
      rank(one) - rank(other) || comparePaths(one.path, other.path) || one.place.start - other.place.start,
  );
}
