import { chanceOf } from "../boosted-trees.ts";
import type { RewriteFeatures, SiteFeatures } from "./site-features.ts";
import { siteTrees } from "./site-trees.ts";

/**
 * Returns the likelihood that exactly this edit is made at a site, in [0, 1].
 *
 * `scripts/fit-next-examples.ts` fits the trees to hunks of recorded commits, replayed in the order
 * of their diffs.
 */
export function siteLikelihood(features: SiteFeatures): number {
  return chanceOf(siteTrees, siteNumbers(features));
}

/**
 * Returns the features of a site in the order of the trees, without the features of earlier
 * feedback, which follow them.
 */
export function siteNumbers({ rewrite, place }: SiteFeatures): readonly number[] {
  return numbersOf(rewrite).concat(Object.values(place));
}

/** Returns the names of {@link siteNumbers}. */
export function siteNames({ rewrite, place }: SiteFeatures): readonly string[] {
  return [...Object.keys(rewrite), ...Object.keys(place)];
}

/** Cached, because a rewrite has many sites. */
const numbers = new WeakMap<RewriteFeatures, readonly number[]>();

function numbersOf(rewrite: RewriteFeatures): readonly number[] {
  const known = numbers.get(rewrite);
  if (known !== undefined) return known;
  const made = Object.values(rewrite);
  numbers.set(rewrite, made);
  return made;
}
