import { longestAllowed } from "../../grammar/index.ts";
import type { FillGuide } from "../../model/index.ts";
import type { SuggestionChange } from "../outcome.ts";
import type { BareAnswer } from "./bare-answer.ts";

/** How an answer is held to a guide. */
export interface ConstrainOptions {
  /** The change that is listed for a shortened answer. */
  readonly change: SuggestionChange;
  /** Whether no more of the answer comes. */
  readonly isWhole: boolean;
}

/**
 * An answer as far as its guide allows it, without a word that was cut in its middle or may not be
 * the last.
 */
export function constrainToGuide(
  answer: BareAnswer,
  guide: FillGuide,
  { change, isWhole }: ConstrainOptions,
): BareAnswer {
  const { text, changes } = answer;
  const length = longestAllowed(guide, text);
  const isCut = length < text.length;
  const allowed = text.slice(0, length);
  const isInWord =
    (isCut && /^[\p{L}\p{N}_$]/u.test(text.slice(length))) || ((isCut || isWhole) && !guide.mayEnd(allowed));
  if (!isCut && !isInWord) return answer;
  const kept = isInWord ? allowed.replace(/(\??\.\s*#?)?(?<![\p{L}\p{N}_$])[\p{L}\p{N}_$]*$/u, "") : allowed;
  return { ...answer, text: kept.trimEnd(), changes: [...changes, change] };
}
