import type { StepStanding } from "./plan-view.ts";

/** How a status is shown: by a symbol and words, not only by colour. */
export interface StandingLook {
  readonly mark: string;
  readonly words: string;
}

/** How each status is shown, on every page with a plan. */
export const standingLooks: Readonly<Record<StepStanding, StandingLook>> = {
  changed: { mark: "●", words: "initial change" },
  pending: { mark: "○", words: "to do" },
  asked: { mark: "◌", words: "waiting for the model" },
  done: { mark: "✓", words: "done" },
  unchanged: { mark: "=", words: "needs no change" },
  obligation: { mark: "!", words: "left to you" },
  rejected: { mark: "✗", words: "rejected" },
  dropped: { mark: "·", words: "dropped" },
};
