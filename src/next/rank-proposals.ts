import { Edit } from "../text/index.ts";
import type { Moment, Proposal } from "./next-edit-source.ts";

/**
 * Proposals of several sources as one list, what is to be offered first in front. Rivals for one place are all in it.
 *
 * What is at least as likely as `likelyEnough` goes in the order in which a person comes by: the nearest below the cursor, the nearest above, then those in
 * other files, the likeliest first. At the next place somebody who goes on writing is in a moment, and what was not offered by then comes too late; places
 * further on wait. Of rivals the likeliest is first all the same. Behind them comes the rest, the likeliest and nearest first.
 *
 * Two who propose the same edit make it likelier: they judge by different things. Places of one rename in a file that are about as likely go by where they are alone, as people go through them.
 */
export function rankProposals(moment: Moment, proposals: readonly Proposal[], likelyEnough = 1): readonly Proposal[] {
  const joined = joinSame(proposals);
  const best = new Map<string, number>();
  const groupOf = ({ path, chain }: Proposal) => `${path}\n${chain}`;
  for (const one of joined) best.set(groupOf(one), Math.max(best.get(groupOf(one)) ?? 0, one.likelihood));
  const likelihoodOf = (one: Proposal) => {
    const ofGroup = best.get(groupOf(one))!;
    const isLike = one.origin === "name" && one.chain !== undefined && ofGroup - one.likelihood < aboutAsLikely;
    return isLike ? ofGroup : one.likelihood;
  };
  const ranked = joined
    .map((proposal) => ({ proposal, worth: likelihoodOf(proposal) - detour(moment, proposal) }))
    .sort((one, other) => other.worth - one.worth)
    .map(({ proposal }) => proposal);
  const isLikely = ({ likelihood }: Proposal) => likelihood >= likelyEnough;
  return [...onTheWay(moment, ranked.filter(isLikely)), ...ranked.filter((one) => !isLikely(one))];
}

/** Ranked proposals in the order in which somebody comes by; rivals, which touch each other, where the likeliest of them is. */
function onTheWay(moment: Moment, proposals: readonly Proposal[]): readonly Proposal[] {
  const stops: { readonly at: Proposal; readonly rivals: Proposal[] }[] = [];
  for (const one of [...proposals].sort((one, other) => other.likelihood - one.likelihood)) {
    const stop = stops.find(({ at }) => touch(at, one));
    if (stop === undefined) stops.push({ at: one, rivals: [one] });
    else stop.rivals.push(one);
  }
  return stops
    .map(({ at, rivals }) => ({ ...(wayHere(at, moment) ?? { turn: 2, distance: proposals.indexOf(at) }), rivals }))
    .sort((one, other) => one.turn - other.turn || one.distance - other.distance)
    .flatMap(({ rivals }) => rivals);
}

/** When somebody comes by who stays in the file: what the cursor is in or has below it, then what is above; and how far away it is. */
function wayHere({ path, place }: Proposal, { path: here, cursor }: Moment) {
  if (path !== here) return undefined;
  if (place.end >= cursor) return { turn: 0, distance: Math.max(0, place.start - cursor) };
  return { turn: 1, distance: cursor - place.end };
}

const aboutAsLikely = 0.2;

/** Those that touch none that is in front of them, `taken` first of all. */
export function withoutRivals(taken: Proposal, proposals: readonly Proposal[]): readonly Proposal[] {
  const kept = [taken];
  for (const proposal of proposals) if (!kept.some((other) => touch(other, proposal))) kept.push(proposal);
  return kept.slice(1);
}

/** How much of its likelihood a proposal loses by how far away it is: people go on near to where they are, and below. */
function detour({ path, text, cursor, files }: Moment, proposal: Proposal): number {
  if (proposal.path !== path) return files.open.includes(proposal.path) ? 0.15 : 0.2;
  const { start, end } = proposal.place;
  if (start <= cursor && cursor <= end) return 0;
  const share = Math.abs(start - cursor) / Math.max(1, text.length);
  return start > cursor ? 0.05 * share : 0.05 + 0.05 * share;
}

function joinSame(proposals: readonly Proposal[]): readonly Proposal[] {
  const joined: Proposal[] = [];
  for (const proposal of proposals) {
    const same = joined.findIndex((other) => isSame(other, proposal));
    if (same < 0) joined.push(proposal);
    else joined[same] = both(joined[same]!, proposal);
  }
  return joined;
}

function isSame(one: Proposal, other: Proposal): boolean {
  if (one.path !== other.path || one.edit === undefined || other.edit === undefined) return false;
  return one.edit.equals(other.edit);
}

/** About as likely, a rename says more of why it is proposed, and of what belongs to it, than that something like it was done. */
function both(one: Proposal, other: Proposal): Proposal {
  const [first, second] = one.likelihood >= other.likelihood ? [one, other] : [other, one];
  const isRename = second.origin === "name" && first.origin === "example";
  const told = isRename && second.likelihood >= first.likelihood * 0.75 ? second : first;
  return { ...told, likelihood: 1 - (1 - first.likelihood) * (1 - second.likelihood / 2) };
}

function touch(one: Proposal, other: Proposal): boolean {
  if (one.path !== other.path) return false;
  const edit = (proposal: Proposal) => proposal.edit ?? Edit.replace(proposal.place, "");
  const isSamePlace = one.place.start === other.place.start;
  const overlap = one.place.start < other.place.end && other.place.start < one.place.end;
  return isSamePlace || overlap || edit(one).touches(edit(other));
}
