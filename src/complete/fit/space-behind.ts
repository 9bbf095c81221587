import { languageById, nearContext, plaintext, Structure } from "../../syntax/index.ts";
import type { CursorPlace } from "./only-repeats.ts";

/**
 * The white space between `text` and what follows the cursor on its line: one blank where the model
 * wrote `end`, blanks or a line break, behind `text`, and a text follows that is separate from it;
 * else nothing.
 *
 * A closer, terminator or separator comes right behind a text, and so does everything behind an
 * opening bracket or a dot. A line break only keeps two words apart.
 */
export function spaceBehind(text: string, end: string, place: CursorPlace): string {
  const { suffix } = place;
  if (end === "" || !isSeparate.test(suffix) || joinsNext.test(text)) return "";
  if (!/^[ \t]/.test(end) && !joinsWords(text, suffix)) return "";
  return /^["'`]/.test(suffix) && endsInString(text, place) ? "" : " ";
}

/** Whether the last word of a text becomes one word with the first one of what follows. */
export function joinsWords(text: string, following: string): boolean {
  return /[\p{L}\p{N}_$]$/u.test(text) && /^[\p{L}\p{N}_$]/u.test(following);
}

/** A word, an argument or an operator; not a closer, a separator, or the end of a tag. */
const isSeparate = /^(?![)\]};,.:]|\?\.|\/?>(?![=\s]))\S/;

const joinsNext = /[([.]$/;

/** Whether a string is open at the end of `text`, so that a quote behind it closes that. */
function endsInString(text: string, place: CursorPlace): boolean {
  const whole = nearContext(place) + text;
  return Structure.of(whole, languageById(place.language) ?? plaintext).isInsideString(whole.length);
}
