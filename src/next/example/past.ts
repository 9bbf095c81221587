import type { PastEdit } from "../../context/index.ts";
import type { Example, Rewrite } from "./rewrite.ts";
import { Series } from "./series.ts";
import type { RewriteStanding } from "./site-features.ts";

/** What was done where, for one moment. */
export interface Past {
  readonly editsOf: ReadonlyMap<string, readonly AgedEdit[]>;
  /** What is known by now of each rewrite. */
  readonly standings: Map<Rewrite, RewriteStanding>;
  /** In which order what was done was done before. */
  series: Series;
  /** How many edits were made since an example. */
  ageOf(this: void, example: Example): number;
}

/** An edit, and how many were made since. */
export interface AgedEdit {
  readonly edit: PastEdit;
  readonly age: number;
}

/** What was done where, by a history with the oldest edit first. */
export function pastOf(history: readonly PastEdit[]): Past {
  const editsOf = new Map<string, AgedEdit[]>();
  const ages = new Map<PastEdit, number>();
  for (const [age, edit] of history.toReversed().entries()) {
    ages.set(edit, age);
    const known = editsOf.get(edit.path);
    if (known === undefined) editsOf.set(edit.path, [{ edit, age }]);
    else known.push({ edit, age });
  }
  return { editsOf, standings: new Map(), series: new Series([]), ageOf: ({ edit }) => ages.get(edit)! };
}
