import type { PastEdit } from "../../../context/index.ts";
import type { Example, Rewrite } from "./rewrite.ts";
import { type RewriteFacts, Series } from "./site-features.ts";

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
    const known = editsOf.get(edit.path);
    if (known === undefined) editsOf.set(edit.path, [{ edit, age }]);
    else known.push({ edit, age });
  }
  return { editsOf, facts: new Map(), series: new Series([]), ageOf: ({ edit }) => ages.get(edit)! };
}
