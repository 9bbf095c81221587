import type { RefusedCandidate, TextGuide } from "../../grammar/index.ts";
import type { TextRange } from "../../text/index.ts";
import type { EditOutcome } from "../edit-outcome.ts";
import type { NoGuideReason, RegionGuide } from "./region-guides.ts";
import type { RegionPlace, RegionProblem } from "./region-place.ts";
import type { RegionQuestion } from "./region-prompt.ts";
import type { RegionChange } from "./region-reader.ts";

/** A region to write, with its limits. */
export interface RegionTask {
  readonly question: RegionQuestion;
  readonly place: RegionPlace;
  /** Constrains the text; `undefined` allows any text. */
  readonly guide: RegionGuide | undefined;
  /** The most requests. */
  readonly maxRequests: number;
  /** The most bytes of the new text, in UTF-8. */
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
}

/** Text of the model that the guide refused. */
export interface RegionRefusal extends RefusedCandidate {
  /** The names of the terminals that are possible there. */
  readonly expected: readonly string[];
}

/** The new text of a region, and how it was obtained. */
export interface WrittenRegion {
  /** The text, with `\n` line endings. */
  readonly text: string;
  /**
   * `whole`: as the model wrote it. `closed`: `ending` was added. `cut-back`: it ends before the
   * refused text, or before an end that never came, at the last place where it can.
   */
  readonly kind: "whole" | "closed" | "cut-back";
  readonly ending?: string;
  readonly changes: readonly RegionChange[];
  /**
   * Other possible ends of a text that the model did not end, longest kept text first, for checks
   * beyond the grammar.
   */
  readonly otherEnds?: () => Iterable<WrittenRegion>;
}

/** The result of writing a region. */
export interface RegionAnswer {
  /** The text, or the reason why there is none with the last answer in `lastAnswer`. */
  readonly result:
    | ({ readonly isWritten: true } & WrittenRegion)
    | { readonly isWritten: false; readonly reason: NoTextReason; readonly lastAnswer: string };
  readonly requests: number;
  readonly refusals: readonly RegionRefusal[];
}

/** Why there is no text for a region. */
export type NoTextReason =
  /** The model refused to answer. */
  | "declined"
  /** The answer has no text for the region. */
  | "no-text"
  /** The answer has several texts, and it is unclear which one is meant. */
  | "several-texts"
  /** The answer was cut off and could not be continued. */
  | "cut-off"
  /** No part of the answer fits the place, even with an ending added. */
  | "nothing-fits";

/** An event while a region is written. */
export type RegionEvent =
  | { readonly kind: "asking"; readonly why: "first" | "refused" | "broken" | "continued" }
  /** A piece of the model's answer, as it streams in. */
  | { readonly kind: "text"; readonly text: string }
  /** The whole text of the region so far, with `\n` line endings. */
  | { readonly kind: "so-far"; readonly text: string };

/** A guide that accepts every text of at most `maxBytes` bytes of UTF-8, which may end anywhere. */
export function anyText(maxBytes: number): RegionGuide {
  const fits = (text: string) => text.length * 3 <= maxBytes || new TextEncoder().encode(text).length <= maxBytes;
  const guide: TextGuide = {
    allows: fits,
    canContinue: () => true,
    mayEnd: fits,
    ending: (text) => (fits(text) ? "" : undefined),
  };
  return { ...guide, expected: () => [] };
}

/** The outcome of rewriting regions. */
export type RewriteOutcome =
  /** Each region has a new text; `outcome` is the checked edit. */
  | { readonly kind: "judged"; readonly outcome: EditOutcome; readonly regions: readonly RegionReport[] }
  /** The ranges are not valid regions of the text. No request was sent. */
  | { readonly kind: "bad-region"; readonly problem: RegionProblem }
  /** Guidance is `always`, and no grammar can constrain a region. */
  | { readonly kind: "no-grammar"; readonly range: TextRange; readonly reason: NoGuideReason }
  /** There is no text for a region; `answer` is the last one. */
  | {
      readonly kind: "no-text";
      readonly range: TextRange;
      readonly reason: NoTextReason;
      readonly answer: string;
      readonly requests: number;
      readonly refusals: readonly RegionRefusal[];
    };

/** How the new text of a region was obtained. */
export interface RegionReport extends Pick<WrittenRegion, "kind" | "ending" | "changes"> {
  /** The region, in UTF-16 code units of the original text. */
  readonly range: TextRange;
  /** Whether a grammar constrained the text, or why not. */
  readonly constraint: { readonly kind: "grammar" } | { readonly kind: "none"; readonly reason: NoGuideReason };
  /** The number of requests sent for the region. */
  readonly requests: number;
  /** The texts of the model that were refused. */
  readonly refusals: readonly RegionRefusal[];
}
