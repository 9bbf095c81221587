import { languageById } from "../../syntax/index.ts";
import type { Place } from "../place.ts";

/**
 * Whether angle brackets around type arguments that are closed right behind the cursor are closed
 * once when `inserted` takes the place of the first `covered` UTF-16 units there. True where there
 * are none, as where `<` compares.
 *
 * Most languages use the same signs for both, so that their brackets do not count as such.
 */
export function keepsAngles(
  inserted: string,
  covered: number,
  { lineBefore, rest, language }: Pick<Place, "lineBefore" | "rest" | "language">,
): boolean {
  const closers = /^>+(?!=)/.exec(rest)?.[0].length ?? 0;
  const isMarkup = languageById(language)?.quirks.markup === true;
  if (closers === 0 || isMarkup || !/[\p{L}\p{N}_:]<[^<>;]*$/u.test(lineBefore)) return true;
  let depth = 0;
  let closed = 0;
  for (const [angle] of inserted.matchAll(/[=-]>|[<>]/g)) {
    if (angle === "<") depth++;
    else if (angle === ">") depth--;
    closed = Math.max(closed, -depth);
  }
  const taken = Math.min(covered, closers);
  return closed === 0 ? taken === 0 && depth === 0 : taken === Math.min(closed, closers);
}
