import type { Refusal, TextGuide } from "../grammar/index.ts";
import type { RegionGuide } from "./region-guides.ts";
import type { RegionPlace } from "./region-place.ts";
import type { RegionQuestion } from "./region-prompt.ts";
import type { RegionChange } from "./region-reader.ts";

/** A region whose new text is wanted. */
export interface RegionTask {
  readonly question: RegionQuestion;
  readonly place: RegionPlace;
  /** What its text is held to; anything goes without. */
  readonly guide: RegionGuide | undefined;
  /** The most requests. */
  readonly maxRequests: number;
  /** The most bytes of UTF-8 of the new text. */
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
}

/** A text of the model that the grammar did not let pass, and what could have stood there. */
export interface RegionRefusal extends Refusal {
  /** The beginning of the region's text that it was to stand behind. */
  readonly behind: string;
  /** The names of the terminals that could stand there. */
  readonly expected: readonly string[];
}

/** The new text of a region, and how it came about. */
export interface WrittenRegion {
  /** With `\n` for each line ending. */
  readonly text: string;
  /**
   * `whole`: as the model wrote it. `closed`: `ending` was put behind it. `cut-back`: it ends where it could before what was
   * refused, or had no end.
   */
  readonly kind: "whole" | "closed" | "cut-back";
  readonly ending?: string;
  readonly changes: readonly RegionChange[];
  /** Where the model did not end it: other ends, the one that keeps most first, for whoever knows more than the grammar. */
  readonly otherEnds?: () => Iterable<WrittenRegion>;
}

/** What came of asking for a region. */
export interface RegionAnswer {
  /** The text, or why there is none. */
  readonly result:
    | ({ readonly isWritten: true } & WrittenRegion)
    | { readonly isWritten: false; readonly reason: NoTextReason; readonly said: string };
  readonly requests: number;
  readonly refusals: readonly RegionRefusal[];
}

/** Why a model gave no text for a region. */
export type NoTextReason =
  /** It, or whoever runs it, would not answer. */
  | "declined"
  /** It talked, or said nothing, where a text was wanted. */
  | "no-text"
  /** It gave several texts, and nobody can tell which is meant. */
  | "several-texts"
  /** It was cut off, and could not be gone on with. */
  | "cut-off"
  /** Nothing of what it wrote can stand there, not even with an ending. */
  | "nothing-fits";

/** What happens while a region is written. */
export type RegionEvent =
  | { readonly kind: "asking"; readonly why: "first" | "refused" | "broken" | "continued" }
  /** The model's words, as they come. */
  | { readonly kind: "text"; readonly text: string }
  /** All of the region's text so far, with `\n`. */
  | { readonly kind: "so-far"; readonly text: string };

/** Lets every text pass that has at most so many bytes of UTF-8. */
export function anyText(maxBytes: number): RegionGuide {
  const fits = (text: string) => text.length * 3 <= maxBytes || new TextEncoder().encode(text).length <= maxBytes;
  const guide: TextGuide = {
    allows: fits,
    canGoOn: () => true,
    mayEnd: fits,
    ending: (text) => (fits(text) ? "" : undefined),
  };
  return { ...guide, expected: () => [] };
}
