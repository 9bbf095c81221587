import type { TextRange } from "../text/index.ts";
import type { EditOutcome } from "./edit-outcome.ts";
import type { NoGuideReason } from "./region-guides.ts";
import type { RegionProblem } from "./region-place.ts";
import type { NoTextReason, RegionRefusal, WrittenRegion } from "./region-text.ts";

/** What came of rewriting regions. */
export type RewriteOutcome =
  /** Each region has a new text, and the edit that puts them in was judged as every other. */
  | { readonly kind: "judged"; readonly outcome: EditOutcome; readonly regions: readonly RegionReport[] }
  /** The ranges are no regions of the text. No model was asked. */
  | { readonly kind: "bad-region"; readonly problem: RegionProblem }
  /** A region is to be held to a grammar and cannot be. */
  | { readonly kind: "not-held"; readonly range: TextRange; readonly reason: NoGuideReason }
  /** No text came for a region; `said` is what came last. */
  | {
      readonly kind: "no-text";
      readonly range: TextRange;
      readonly reason: NoTextReason;
      readonly said: string;
      readonly requests: number;
      readonly refusals: readonly RegionRefusal[];
    };

/** How the new text of a region came about. */
export interface RegionReport extends Pick<WrittenRegion, "kind" | "ending" | "changes"> {
  /** Where it stood, in UTF-16 units of the text as it was given. */
  readonly range: TextRange;
  /** Whether it was held to a grammar, or why not. */
  readonly held: { readonly kind: "grammar" } | { readonly kind: "none"; readonly reason: NoGuideReason };
  /** How often the model was asked for it. */
  readonly requests: number;
  /** What was refused of what the model wanted to write. */
  readonly refusals: readonly RegionRefusal[];
}
