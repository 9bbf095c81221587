import { Edit, type TextEdit, type TextRange } from "../../text/index.ts";
import type { Proposal } from "../next-edit-source.ts";
import type { Site } from "./find-sites.ts";
import type { SiteFeatures } from "./site-features.ts";
import { siteNumbers } from "./site-likelihood.ts";
import { siteTrees } from "./site-trees.ts";
import type { TextLines } from "./text-lines.ts";

/** A place where a rewrite applies, and how likely it is that the person does just that. */
export interface LikelySite {
  readonly site: Site;
  readonly features: SiteFeatures;
  readonly likelihood: number;
}

/** A proposal, and what its least likely place was judged by. */
export interface JudgedSites {
  readonly proposal: Proposal;
  readonly features: SiteFeatures;
}

/** What is less likely is a guess. */
const leastLikelihood = 0.03;
/** The most places of a file that are proposed. */
const maxSites = 200;

/** Places of a file as proposals, the likeliest first. Of those that touch, the likeliest is taken; those on lines next to each other are one step. */
export function siteProposals(
  path: string,
  text: TextLines,
  sites: readonly LikelySite[],
  likelihoodOf: (features: SiteFeatures) => number,
): readonly JudgedSites[] {
  const groups: LikelySite[][] = [];
  for (const site of withoutRivals(sites)) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && site.site.first <= last.site.end) groups.at(-1)!.push(site);
    else groups.push([site]);
  }
  return groups
    .map((group) => proposalOf(path, text, group, likelihoodOf))
    .sort(({ proposal: one }, { proposal: other }) => other.likelihood - one.likelihood);
}

function proposalOf(
  path: string,
  text: TextLines,
  group: readonly LikelySite[],
  likelihoodOf: (features: SiteFeatures) => number,
): JudgedSites {
  const best = group.reduce((one, other) => (other.likelihood > one.likelihood ? other : one));
  // What is much less likely than its neighbour is no part of the step.
  const isTaken = ({ likelihood }: LikelySite) => likelihood > best.likelihood / 2;
  const taken = group.filter(isTaken);
  const edit = Edit.of(taken.map(({ site }) => withoutSameBlanks(site.edit, text.text)));
  const { key, examples } = best.site.match.rewrite;
  const support = new Set(examples.map((example) => example.edit)).size;
  const least = taken.reduce((one, other) => (other.likelihood < one.likelihood ? other : one));
  const leftOut = group.filter((site) => !isTaken(site)).map(({ likelihood }) => likelihood);
  const company = { together: taken.length, leftOut: Math.max(0, ...leftOut) };
  const features: SiteFeatures = { ...least.features, place: { ...least.features.place, ...company } };
  const proposal: Proposal = {
    ...{ origin: "example", path, edit },
    place: { start: edit.edits[0]!.start, end: edit.edits.at(-1)!.end },
    reason: support > 1 ? `like your last ${support} edits` : "like your last edit",
    likelihood: group.length > 1 ? likelihoodOf(features) : least.likelihood,
    judged: { trees: siteTrees, numbers: siteNumbers(features) },
    chain: `example ${key}`,
  };
  return { proposal, features };
}

/** An edit without the blanks that it leaves as they are at its ends. */
function withoutSameBlanks({ start, end, text }: TextEdit, source: string): TextEdit {
  const old = source.slice(start, end);
  const shorter = Math.min(old.length, text.length);
  const isSame = (at: number, other: number) => old[at] === text[other] && /[^\S\r\n]/.test(old[at]!);
  let front = 0;
  while (front < shorter && isSame(front, front)) front++;
  let back = 0;
  while (back < shorter - front && isSame(old.length - 1 - back, text.length - 1 - back)) back++;
  return { start: start + front, end: end - back, text: text.slice(front, text.length - back) };
}

/** The sites of which none touches another, in the order of the text. */
function withoutRivals(sites: readonly LikelySite[]): readonly LikelySite[] {
  const kept: LikelySite[] = [];
  const onLine = new Map<number, readonly Site[]>();
  const likely = sites.filter(({ likelihood }) => likelihood > leastLikelihood);
  for (const one of likely.sort((one, other) => other.likelihood - one.likelihood).slice(0, maxSites)) {
    const { site } = one;
    // The blanks of the line behind are part of what is replaced.
    const lines = Array.from({ length: site.end - site.first + 2 }, (_, i) => site.first - 1 + i);
    if (lines.some((line) => onLine.get(line)?.some(({ edit }) => touches(edit, site.edit)))) continue;
    kept.push(one);
    for (const line of lines) onLine.set(line, [...(onLine.get(line) ?? []), site]);
  }
  return kept.sort((one, other) => one.site.edit.start - other.site.edit.start);
}

/** Whether two replacements cannot both be made: what comes in at the edge of the other is another way to say the same. */
function touches(one: TextRange, other: TextRange): boolean {
  if (one.start === one.end || other.start === other.end) return one.start <= other.end && other.start <= one.end;
  return one.start < other.end && other.start < one.end;
}
