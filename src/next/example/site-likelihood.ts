import { chanceOf } from "../boosted-trees.ts";
import type { RewriteFeatures, SiteFeatures } from "./site-features.ts";
import { siteTrees } from "./site-trees.ts";

/**
 * How likely a place is written anew just so, from 0 to 1.
 *
 * `scripts/fit-next-examples.ts` fits the trees to hunks of recorded commits that were gone through in the order of their diffs.
 */
export function siteLikelihood(features: SiteFeatures): number {
  return chanceOf(siteTrees, siteNumbers(features));
}

/** What a place is judged by, in the order that trees are asked in, before what was answered. */
export function siteNumbers({ rewrite, place }: SiteFeatures): readonly number[] {
  return numbersOf(rewrite).concat(Object.values(place));
}

/** The names of {@link siteNumbers}. */
export function siteNames({ rewrite, place }: SiteFeatures): readonly string[] {
  return [...Object.keys(rewrite), ...Object.keys(place)];
}

/** A rewrite has many places. */
const numbers = new WeakMap<RewriteFeatures, readonly number[]>();

function numbersOf(rewrite: RewriteFeatures): readonly number[] {
  const known = numbers.get(rewrite);
  if (known !== undefined) return known;
  const made = Object.values(rewrite);
  numbers.set(rewrite, made);
  return made;
}
