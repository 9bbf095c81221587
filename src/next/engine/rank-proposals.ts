import { Edit } from "../../text/index.ts";
import type { NextEditContext, Proposal, ProvidedProposal } from "../providers/next-edit-provider.ts";

/**
 * Joins and orders the proposals of several providers, the one to suggest first in front. Rivals
 * for one location are all kept.
 *
 * Proposals at least as likely as `likelyEnough` come in the order in which the user reaches them:
 * all at or below the cursor, the nearest first; then all above the cursor, the nearest first; then
 * those in other files, the likeliest first. A user who keeps typing reaches the next location
 * within seconds, and a later suggestion for it comes too late. Among rivals the likeliest is
 * first. The less likely proposals follow, ordered by likelihood and distance.
 *
 * An edit that two providers propose gets a higher likelihood: they are treated as independent.
 * Places of one change in one file whose likelihoods are close count as equally likely, and
 * are ordered by distance alone.
 */
export function rankProposals(
  context: NextEditContext,
  proposals: readonly ProvidedProposal[],
  likelyEnough = 1,
): readonly ProvidedProposal[] {
  const joined = joinSame(proposals);
  const best = new Map<string, number>();
  const groupOf = ({ path, chain }: Proposal) => `${path}\n${chain}`;
  for (const one of joined) best.set(groupOf(one), Math.max(best.get(groupOf(one)) ?? 0, one.likelihood));
  const likelihoodOf = (one: ProvidedProposal) => {
    const ofGroup = best.get(groupOf(one))!;
    const isLike =
      one.policy.chain === "one-change" && one.chain !== undefined && ofGroup - one.likelihood < aboutAsLikely;
    return isLike ? ofGroup : one.likelihood;
  };
  const ranked = joined
    .map((proposal) => ({ proposal, worth: likelihoodOf(proposal) - distancePenalty(context, proposal) }))
    .sort((one, other) => other.worth - one.worth)
    .map(({ proposal }) => proposal);
  const isLikely = ({ likelihood }: Proposal) => likelihood >= likelyEnough;
  return [...inReadingOrder(context, ranked.filter(isLikely)), ...ranked.filter((one) => !isLikely(one))];
}

/**
 * Ranked proposals in the order in which the user reaches them. Rivals, which touch each other,
 * come together where the likeliest of them is.
 */
function inReadingOrder(context: NextEditContext, proposals: readonly ProvidedProposal[]): readonly ProvidedProposal[] {
  const stops: { readonly at: ProvidedProposal; readonly rivals: ProvidedProposal[] }[] = [];
  for (const one of [...proposals].sort((one, other) => other.likelihood - one.likelihood)) {
    const stop = stops.find(({ at }) => touch(at, one));
    if (stop === undefined) stops.push({ at: one, rivals: [one] });
    else stop.rivals.push(one);
  }
  return stops
    .map(({ at, rivals }) => ({
      ...(distanceInFile(at, context) ?? { turn: 2, distance: proposals.indexOf(at) }),
      rivals,
    }))
    .sort((one, other) => one.turn - other.turn || one.distance - other.distance)
    .flatMap(({ rivals }) => rivals);
}

/**
 * When the user reaches a proposal in this file, and its distance in UTF-16 units: `turn` 0 for
 * what the cursor is in or has below it, 1 for what is above. `undefined` for another file.
 */
function distanceInFile({ path, place }: Proposal, { path: here, cursor }: NextEditContext) {
  if (path !== here) return undefined;
  if (place.end >= cursor) return { turn: 0, distance: Math.max(0, place.start - cursor) };
  return { turn: 1, distance: cursor - place.end };
}

const aboutAsLikely = 0.2;

/** The proposals, in their order, that touch neither `taken` nor an earlier one of the list. */
export function withoutRivals<One extends Proposal>(taken: One, proposals: readonly One[]): readonly One[] {
  const kept = [taken];
  for (const proposal of proposals) if (!kept.some((other) => touch(other, proposal))) kept.push(proposal);
  return kept.slice(1);
}

/**
 * Splits ranked proposals into those with an error of the type checker and the others. The former
 * are ordered by `paths` and by the places of their errors. A place with an error and no edit is
 * replaced by an edit that another provider proposes there, and left out where its error is among
 * the others already.
 */
export function brokenPlaces(
  proposals: readonly ProvidedProposal[],
  paths: readonly string[],
): { readonly broken: readonly ProvidedProposal[]; readonly others: readonly ProvidedProposal[] } {
  const taken = new Set<ProvidedProposal>();
  const known = new Map<string, ProvidedProposal>();
  const keyOf = ({ path, start, code }: NonNullable<Proposal["error"]>) => `${start} ${code} ${path}`;
  const madeOfErrors = ({ policy }: ProvidedProposal) => Number(policy.isMadeOfErrors === true);
  const withError = proposals
    .filter(({ error }) => error !== undefined)
    .sort((one, other) => madeOfErrors(other) - madeOfErrors(one));
  for (const one of withError) if (one.edit !== undefined) known.set(keyOf(one.error!), one);
  const broken = withError.flatMap((one): ProvidedProposal[] => {
    if (one.edit !== undefined) return [one];
    const key = keyOf(one.error!);
    if (known.has(key)) return [];
    const edit = proposals.find((other) => other.edit !== undefined && !taken.has(other) && touch(one, other));
    if (edit !== undefined) taken.add(edit);
    const place = edit === undefined ? one : { ...edit, error: one.error! };
    known.set(key, place);
    return [place];
  });
  broken.sort((one, other) => {
    const byFile = paths.indexOf(one.path) - paths.indexOf(other.path);
    return byFile || one.error!.start - other.error!.start || one.place.start - other.place.start;
  });
  const isOther = (one: ProvidedProposal) =>
    one.error === undefined && !taken.has(one) && !broken.some((place) => touch(place, one));
  return { broken, others: proposals.filter(isOther) };
}

/**
 * The likelihood that a proposal loses by its distance: users continue near the cursor and below
 * it.
 */
function distancePenalty({ path, text, cursor, files }: NextEditContext, proposal: Proposal): number {
  if (proposal.path !== path) return files.open.includes(proposal.path) ? 0.15 : 0.2;
  const { start, end } = proposal.place;
  if (start <= cursor && cursor <= end) return 0;
  const share = Math.abs(start - cursor) / Math.max(1, text.length);
  return start > cursor ? 0.05 * share : 0.05 + 0.05 * share;
}

function joinSame(proposals: readonly ProvidedProposal[]): readonly ProvidedProposal[] {
  const joined: ProvidedProposal[] = [];
  for (const proposal of proposals) {
    const same = joined.findIndex((other) => isSame(other, proposal));
    if (same < 0) joined.push(proposal);
    else joined[same] = joinPair(joined[same]!, proposal);
  }
  return joined;
}

function isSame(one: Proposal, other: Proposal): boolean {
  if (one.path !== other.path || one.edit === undefined || other.edit === undefined) return false;
  return one.edit.equals(other.edit);
}

/**
 * Joins two proposals of the same edit. A place of one change that is about as likely as an edit of
 * another provider is kept, as its reason and chain are more precise.
 */
function joinPair(one: ProvidedProposal, other: ProvidedProposal): ProvidedProposal {
  const [first, second] = one.likelihood >= other.likelihood ? [one, other] : [other, one];
  const error = first.error ?? second.error;
  const isPreciser = second.policy.chain === "one-change" && first.policy.chain !== "one-change";
  const kept = isPreciser && second.likelihood >= first.likelihood * 0.75 ? second : first;
  const likelihood = 1 - (1 - first.likelihood) * (1 - second.likelihood / 2);
  return { ...kept, likelihood, ...(error && { error }) };
}

function touch(one: Proposal, other: Proposal): boolean {
  if (one.path !== other.path) return false;
  const edit = (proposal: Proposal) => proposal.edit ?? Edit.replace(proposal.place, "");
  const isSamePlace = one.place.start === other.place.start;
  const overlap = one.place.start < other.place.end && other.place.start < one.place.end;
  return isSamePlace || overlap || edit(one).touches(edit(other));
}
