import type { TextRange } from "../../text/index.ts";
import type { EditOutcome } from "../edit-outcome.ts";
import type { NoGuideReason } from "./region-guides.ts";
import type { RegionProblem } from "./region-place.ts";
import type { NoTextReason, RegionRefusal, WrittenRegion } from "./region-text.ts";

/** The outcome of rewriting regions. */
export type RewriteOutcome =
  /** Each region has a new text; `outcome` is the checked edit. */
  | { readonly kind: "judged"; readonly outcome: EditOutcome; readonly regions: readonly RegionReport[] }
  /** The ranges are not valid regions of the text. No request was sent. */
  | { readonly kind: "bad-region"; readonly problem: RegionProblem }
  /** Guidance is `always`, and no grammar can constrain a region. */
  | { readonly kind: "not-held"; readonly range: TextRange; readonly reason: NoGuideReason }
  /** There is no text for a region; `said` is the last answer. */
  | {
      readonly kind: "no-text";
      readonly range: TextRange;
      readonly reason: NoTextReason;
      readonly said: string;
      readonly requests: number;
      readonly refusals: readonly RegionRefusal[];
    };

/** How the new text of a region was obtained. */
export interface RegionReport extends Pick<WrittenRegion, "kind" | "ending" | "changes"> {
  /** The region, in UTF-16 code units of the original text. */
  readonly range: TextRange;
  /** Whether a grammar constrained the text, or why not. */
  readonly held: { readonly kind: "grammar" } | { readonly kind: "none"; readonly reason: NoGuideReason };
  /** The number of requests sent for the region. */
  readonly requests: number;
  /** The texts of the model that were refused. */
  readonly refusals: readonly RegionRefusal[];
}
