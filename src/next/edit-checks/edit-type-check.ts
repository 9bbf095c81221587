import type { FileDiagnostic } from "../../analysis/index.ts";
import type { AbortOptions, Clock } from "../../async/index.ts";
import type { PastEdit } from "../../context/index.ts";
import type { Edit } from "../../text/index.ts";
import { answerWithin } from "../engine/answer-within.ts";

/** Checks the types of proposed edits, where a type checker knows the file. */
export interface EditTypeCheck {
  /**
   * Compares the type errors with an edit to those without it, in the edited file and in its
   * dependents. `text` is the present text of the file at `path`; other files have the texts the
   * checker was given. Resolves to `unknown` where no checker can tell.
   */
  judge(
    proposed: {
      readonly path: string;
      readonly text: string;
      readonly edit: Edit;
      /**
       * New texts of other files that belong to the same change, such as the rest of a rename, by
       * path.
       */
      readonly together?: ReadonlyMap<string, string>;
      /**
       * Recent edits of the user like this one. An undeclared name that they also cause belongs to
       * the user's unfinished change.
       */
      readonly alike?: readonly PastEdit[];
    },
    options?: AbortOptions,
  ): Promise<TypeVerdict>;

  /**
   * Whether these files have errors that an edit might fix; much cheaper than {@link judge}.
   * `false` where no checker knows the files or it does not answer. Where this method is absent,
   * each edit is checked.
   */
  hasErrors?(paths: readonly string[], options?: AbortOptions): Promise<boolean>;
}

/** The result of a type check. */
export type TypeVerdict =
  /** No checker knows the file, or it did not answer in time. */
  | { readonly kind: "unknown" }
  /**
   * The edit adds no errors, and fixes `mended` of the old ones. `left` errors are in its lines
   * after it, such as those that it only reveals; absent for none.
   */
  | { readonly kind: "fits"; readonly mended: number; readonly left?: number }
  /**
   * The edit adds these errors, all for names that the user's recent edits also left undeclared:
   * the change is unfinished. Ranges are in the text after the edit.
   */
  | { readonly kind: "unfinished"; readonly findings: readonly FileDiagnostic[] }
  /** The edit adds these errors. Ranges are in the text after the edit. */
  | { readonly kind: "worse"; readonly findings: readonly FileDiagnostic[] };

/**
 * Wraps a type check with a timeout of `ms` milliseconds, as {@link answerWithin} does. On timeout
 * `judge` resolves to `unknown` and `hasErrors` to `false`; `hasErrors` resolves to `true` where
 * the wrapped check has none.
 */
export function typeCheckWithin(judge: EditTypeCheck, clock: Clock, ms: number): EditTypeCheck {
  const within = answerWithin(clock, () => ms);
  return {
    judge: (proposed, options = {}) =>
      within(proposed.path, { kind: "unknown" }, (signal) => judge.judge(proposed, { signal }), options.signal),
    hasErrors: (paths, options = {}) =>
      within(paths[0], false, async (signal) => (await judge.hasErrors?.(paths, { signal })) ?? true, options.signal),
  };
}
