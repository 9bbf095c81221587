import type { PastEdit } from "../../../context/index.ts";
import { addToGroup, Edit, groupBy, type TextEdit, type TextRange } from "../../../text/index.ts";
import type { Proposal } from "../next-edit-provider.ts";
import type { Site } from "./find-sites.ts";
import type { Example, Rewrite } from "./rewrite.ts";
import { type Neighbours, type RewriteFacts, Series, type SiteFeatures, siteNumbers } from "./site-features.ts";
import { siteTrees } from "./site-trees.ts";
import type { TextLines } from "./text-lines.ts";

/** A site, and the likelihood that the person makes exactly its edit. */
export interface LikelySite {
  readonly site: Site;
  readonly features: SiteFeatures;
  readonly likelihood: number;
}

/** A proposal, and the features of its least likely site. */
export interface JudgedSites {
  readonly proposal: Proposal;
  readonly features: SiteFeatures;
}

/** Less likely sites are left out as guesses. */
const leastLikelihood = 0.03;
/** The most sites of a file that are proposed. */
const maxSites = 200;

/**
 * Returns the sites of a file as proposals, the likeliest first. Of overlapping sites the likeliest
 * is taken; sites on adjacent lines form one step.
 */
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
  // A site that is much less likely than its neighbour is left out of the step.
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
    place: edit.span,
    reason: support > 1 ? `like your last ${support} edits` : "like your last edit",
    likelihood: group.length > 1 ? likelihoodOf(features) : least.likelihood,
    judged: { trees: siteTrees, numbers: siteNumbers(features) },
    chain: `example ${key}`,
  };
  return { proposal, features };
}

/** Returns an edit without the blanks at its ends that it does not change. */
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

/** Returns sites that do not overlap, in the order of the text; the likelier one of two is kept. */
function withoutRivals(sites: readonly LikelySite[]): readonly LikelySite[] {
  const kept: LikelySite[] = [];
  const onLine = new Map<number, Site[]>();
  const likely = sites.filter(({ likelihood }) => likelihood > leastLikelihood);
  for (const one of likely.sort((one, other) => other.likelihood - one.likelihood).slice(0, maxSites)) {
    const { site } = one;
    // The blanks of the next line belong to the replaced range.
    const lines = Array.from({ length: site.end - site.first + 2 }, (_, i) => site.first - 1 + i);
    if (lines.some((line) => onLine.get(line)?.some(({ edit }) => touches(edit, site.edit)))) continue;
    kept.push(one);
    for (const line of lines) addToGroup(onLine, line, site);
  }
  return kept.sort((one, other) => one.site.edit.start - other.site.edit.start);
}

/**
 * Whether two replacements exclude each other. An insertion at the edge of another replacement
 * counts as an alternative to it.
 */
function touches(one: TextRange, other: TextRange): boolean {
  if (one.start === one.end || other.start === other.end) return one.start <= other.end && other.start <= one.end;
  return one.start < other.end && other.start < one.end;
}

/** An index of the sites of a file by line, over all rewrites. */
export class SiteNeighbours {
  readonly #onLine: ReadonlyMap<number, readonly Site[]>;

  constructor(sites: readonly Site[]) {
    this.#onLine = groupBy(sites, ({ first }) => first);
  }

  /**
   * Counts the other sites that begin on the line of a site and overlap it: with another new text,
   * with the same, and with a larger change.
   */
  of({ first, edit, match }: Site): Neighbours {
    let rivals = 0;
    let allies = 0;
    let larger = 0;
    for (const other of this.#onLine.get(first) ?? []) {
      if (other.match === match) continue;
      if (other.edit.start > edit.end || edit.start > other.edit.end) continue;
      const isSame = other.edit.start === edit.start && other.edit.end === edit.end && other.edit.text === edit.text;
      if (isSame) allies++;
      else rivals++;
      if (!isSame && other.edit.start <= edit.start && edit.end <= other.edit.end) larger++;
    }
    return { rivals, allies, larger };
  }
}

/**
 * Returns the edit whose lines are nearest to a site; of several the first. `edits` are those of
 * the site's file, the newest first. `undefined` where there are none.
 */
export function nearestEdit(site: Site, edits: readonly AgedEdit[]): PastEdit | undefined {
  let best: PastEdit | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const { edit } of edits) {
    const lines = linesBetween(site, edit);
    if (lines >= least) continue;
    best = edit;
    least = lines;
  }
  return best;
}

/**
 * Whether an edit's lines touch those of another edit among `edits`, which are of the same file.
 */
export function isNextToOther(edit: PastEdit, edits: readonly AgedEdit[]): boolean {
  const { start, end } = edit.lines;
  return edits.some(
    ({ edit: { lines }, edit: other }) => other !== edit && (lines.end === start || lines.start === end),
  );
}

/**
 * Returns the number of lines between a site and the lines of an edit; 0 where they touch or
 * overlap.
 */
export function linesBetween({ first, end }: Site, { lines }: PastEdit): number {
  return Math.max(0, first - lines.end, lines.start - end);
}

/** The recent edits by file and age, for one request. */
export interface Past {
  readonly editsOf: ReadonlyMap<string, readonly AgedEdit[]>;
  /** The features of each rewrite that are computed so far. */
  readonly facts: Map<Rewrite, RewriteFacts>;
  /** The order in which edits followed each other before. */
  series: Series;
  /** The number of edits since an example. */
  ageOf(this: void, example: Example): number;
}

/** An edit, and the number of edits since. */
export interface AgedEdit {
  readonly edit: PastEdit;
  readonly age: number;
}

/**
 * Builds a {@link Past} from a history with the oldest edit first. Ages count from 0, the newest
 * edit.
 */
export function pastOf(history: readonly PastEdit[]): Past {
  const editsOf = new Map<string, AgedEdit[]>();
  const ages = new Map<PastEdit, number>();
  for (const [age, edit] of history.toReversed().entries()) {
    ages.set(edit, age);
    addToGroup(editsOf, edit.path, { edit, age });
  }
  return { editsOf, facts: new Map(), series: new Series([]), ageOf: ({ edit }) => ages.get(edit)! };
}
