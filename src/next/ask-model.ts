import type { ReadEnd, SceneRefusal } from "./next-edit-format.ts";

/** What came of asking a model. The edits given before are sound in any case. */
export type AskEnd =
  | ReadEnd
  /** The model failed; `code` is a `ModelFailure`, or `unknown`. The message says what helps. */
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  /** The first edit, or the next one, or the end took longer than it may. */
  | { readonly kind: "timed-out"; readonly afterMs: number }
  /** The place cannot be shown in the model's format. */
  | { readonly kind: "refused"; readonly reason: SceneRefusal }
  /** The model cannot be asked at all. The message says what helps. */
  | { readonly kind: "cannot"; readonly message: string };
