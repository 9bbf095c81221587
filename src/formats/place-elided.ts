import type { ElidedAsk } from "./ask.ts";
import { type AskOutcome, refused } from "./ask-outcome.ts";

/** Puts the new text of a part of a file in its place. */
export function placeElided(ask: ElidedAsk): AskOutcome {
  return refused("not-found", `The place of ${ask.lines.length} lines is not sure.`);
}
