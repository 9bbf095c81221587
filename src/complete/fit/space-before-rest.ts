import { languageById, nearContext, plaintext, Structure } from "../../syntax/index.ts";
import type { Place } from "../place.ts";

/**
 * The white space between `text` and the rest of the cursor's line: one blank where the model ended
 * `text` with `end`, blanks or a line break, and a text follows that is separate from it; else
 * nothing.
 *
 * A closer, terminator or separator comes right behind a text, and so does everything behind an
 * opening bracket or a dot. A line break only keeps two words apart.
 */
export function keptSpace(text: string, end: string, place: Pick<Place, "prefix" | "language" | "rest">): string {
  const { rest } = place;
  if (end === "" || !standsApart.test(rest) || joinsNext.test(text)) return "";
  if (!/^[ \t]/.test(end) && !(/^[\p{L}\p{N}_$]/u.test(rest) && /[\p{L}\p{N}_$]$/u.test(text))) return "";
  return /^["'`]/.test(rest) && endsInString(text, place) ? "" : " ";
}

/** A word, an argument or an operator; not a closer, a separator, or the end of a tag. */
const standsApart = /^(?![)\]};,.:]|\?\.|\/?>(?![=\s]))\S/;

const joinsNext = /[([.]$/;

/** Whether a string is open at the end of `text`, so that a quote behind it closes that. */
function endsInString(text: string, place: Pick<Place, "prefix" | "language">): boolean {
  const whole = nearContext(place) + text;
  return Structure.of(whole, languageById(place.language) ?? plaintext).isInsideString(whole.length);
}
