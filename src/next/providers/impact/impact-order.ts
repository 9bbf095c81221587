import type { AtomicChange, BlockId, ReadableGraph } from "../../../analysis/index.ts";
import { getOrInsert, Lines } from "../../../text/index.ts";
import { comparePaths } from "../../../workspace/index.ts";
import type { NextEditContext, Proposal } from "../next-edit-provider.ts";

/** A place that a change may affect. */
export interface ImpactPlace {
  readonly proposal: Proposal;
  readonly id: BlockId;
  /** The change that reaches it. */
  readonly change: AtomicChange;
}

/**
 * Returns the places as proposals in the order in which they should be visited: what depends on the
 * declaration that was edited last before what depends on others, and blocks before the blocks that
 * depend on them; then this file from the cursor on, open files, and the rest by path. The
 * likelihood of a place is reduced for each place that comes before it in the dependencies.
 *
 * Law: the order depends only on the places and edges, not on the order in which they are passed.
 */
export function inDependencyOrder(
  context: NextEditContext,
  places: readonly ImpactPlace[],
  graph: Pick<ReadableGraph, "dependenciesOf">,
): readonly Proposal[] {
  const behind = stepsBehind(new Set(places.map(({ id }) => id)), graph);
  const times = new Map<AtomicChange, number>();
  for (const { change } of places) if (!times.has(change)) times.set(change, editedAtMs(change, context));
  const last = Math.max(...times.values());
  const waits = ({ id, change }: ImpactPlace) => behind.get(id)! + (times.get(change) === last ? 0 : 1);
  const { path, cursor, files } = context;
  const rank = ({ proposal }: ImpactPlace) => {
    if (proposal.path === path) return proposal.place.end >= cursor ? 0 : 1;
    const at = files.open.indexOf(proposal.path);
    return 2 + (at < 0 ? files.open.length : at);
  };
  return places
    .map((one) => ({ one, proposal: one.proposal, waits: Math.min(maxWaits, waits(one)), rank: rank(one) }))
    .sort(
      (a, b) =>
        a.waits - b.waits ||
        a.rank - b.rank ||
        comparePaths(a.proposal.path, b.proposal.path) ||
        a.proposal.place.start - b.proposal.place.start,
    )
    .map(({ proposal, waits: steps }) => ({ ...proposal, likelihood: proposal.likelihood * waiting ** steps }));
}

/**
 * The factor on the likelihood of a place for each block it depends on, and the most blocks that
 * count.
 */
const waiting = 0.9;
const maxWaits = 3;

/**
 * Returns the length of the longest chain of these blocks that each block depends on. In a cycle,
 * the block that is visited first comes last.
 */
function stepsBehind(
  ids: ReadonlySet<BlockId>,
  graph: Pick<ReadableGraph, "dependenciesOf">,
): ReadonlyMap<BlockId, number> {
  const steps = new Map<BlockId, number>();
  const visit = (id: BlockId): number => {
    return getOrInsert(steps, id, () => {
      steps.set(id, 0);
      let most = 0;
      // A member and its class, or a test and its group, are edited separately.
      for (const { to, relation } of graph.dependenciesOf(id))
        if (ids.has(to) && to !== id && relation !== "child-of" && relation !== "constructs")
          most = Math.max(most, 1 + visit(to));
      return most;
    });
  };
  for (const id of [...ids].sort()) visit(id);
  return steps;
}

/** When the declaration was edited last; 0 where the history has no edit of it. */
function editedAtMs({ before, after }: AtomicChange, { history, files }: NextEditContext): number {
  const { path, range } = (after ?? before)!;
  const entries = history.filter((entry) => entry.path === path);
  const lines = Lines.of(files.textOf(path) ?? "");
  const lineOf = (offset: number) => lines.lineAt(Math.min(offset, lines.source.length));
  const [start, end] = after === undefined ? [0, lines.count] : [lineOf(range.start), lineOf(range.end)];
  const own = entries.filter((entry) => entry.lines.start <= end && start <= entry.lines.end);
  return Math.max(0, ...own.map(({ atMs }) => atMs));
}
