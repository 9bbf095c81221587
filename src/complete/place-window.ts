import { languageById, plaintext, Structure } from "../syntax/index.ts";
import type { Place } from "./place.ts";

/** A part of a text around a place that can be parsed by itself. */
export interface PlaceWindow {
  /** Where it begins in the text. */
  readonly from: number;
  /** Its text before the place, and behind it. */
  readonly prefix: string;
  readonly suffix: string;
}

/**
 * The declaration around a place, from its first line to its last: what a parser has to see to tell
 * statements apart there, however long the file is. `undefined` where that is more than
 * `maxWindow`.
 *
 * It begins with a line that is not indented and continues nothing, in front of every bracket open
 * at the place.
 */
export function tryPlaceWindow({
  prefix,
  suffix,
  language: id,
}: Pick<Place, "prefix" | "suffix" | "language">): PlaceWindow | undefined {
  const language = languageById(id) ?? plaintext;
  const near = prefix.length - maxWindow;
  const outermost = Structure.of(prefix + suffix, language).openersBefore(prefix.length)[0];
  let from = Math.min(outermost?.offset ?? prefix.length, prefix.length);
  do {
    from = prefix.lastIndexOf("\n", from - 1) + 1;
    if (from < near) return undefined;
    if (beginsAnew.test(prefix.slice(from, from + 20))) break;
    from--;
  } while (from > 0);
  from = Math.max(0, from);

  const closed = (outermost?.partner ?? prefix.length) - prefix.length;
  let end = Math.max(0, closed);
  do {
    const feed = suffix.indexOf("\n", end);
    end = feed < 0 ? suffix.length : feed + 1;
    if (end > maxWindow) return undefined;
  } while (end < suffix.length && !beginsAnew.test(suffix.slice(end, end + 20)));
  const island = from > 0 && language.quirks.island !== undefined ? `${language.quirks.island[0]}php ` : "";
  return {
    from: from - island.length,
    prefix: island + prefix.slice(from),
    suffix: suffix.slice(0, end),
  };
}

/** The most UTF-16 units on either side: more take longer to parse than a key may take. */
const maxWindow = 30_000;

/** A line that is not indented and does not go on with the one above. */
const beginsAnew =
  /^(?!<\/|(?:else|elif|elsif|catch|except|finally|rescue|ensure|then|do|done|end|fi|esac|and|or|when|where)\b)[^\s)\]}>,.?:|&#*=]/;
