import type { StepStanding } from "./plan-view.ts";

/** How a standing is shown: by a mark and in words, never by colour alone. */
export interface StandingLook {
  readonly mark: string;
  readonly words: string;
}

/** How each standing is shown, on every page with a plan. */
export const standingLooks: Readonly<Record<StepStanding, StandingLook>> = {
  changed: { mark: "●", words: "where it began" },
  pending: { mark: "○", words: "to do" },
  asked: { mark: "◌", words: "being asked" },
  done: { mark: "✓", words: "done" },
  unchanged: { mark: "=", words: "needs nothing" },
  obligation: { mark: "!", words: "left to you" },
  rejected: { mark: "✗", words: "rejected" },
  dropped: { mark: "·", words: "dropped" },
};
