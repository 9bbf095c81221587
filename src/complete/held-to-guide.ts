import { longestAllowed } from "../grammar/index.ts";
import type { FillGuide } from "../model/index.ts";
import type { BareAnswer } from "./bare-answer.ts";

/** An answer as far as its guide allows it, without a word that was cut in its middle. */
export function heldToGuide(answer: BareAnswer, guide: FillGuide): BareAnswer {
  const { text, changes } = answer;
  const length = longestAllowed(guide, text);
  if (length === text.length) return answer;
  const isInWord = /^[\p{L}\p{N}_$]/u.test(text.slice(length));
  const kept = isInWord ? text.slice(0, length).replace(/[\p{L}\p{N}_$]+$/u, "") : text.slice(0, length);
  return { ...answer, text: kept.trimEnd(), changes: [...changes, "shortened-for-syntax"] };
}
