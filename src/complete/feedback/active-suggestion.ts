import { isSubsequence } from "../../text/index.ts";
import type { Suggestion } from "../outcome.ts";
import type { Place } from "../place.ts";

/** A suggestion that was handed out, with the text it makes. */
export interface ActiveSuggestion {
  readonly suggestion: Suggestion;
  readonly uri: string;
  readonly path: string;
  /** The language's id. */
  readonly language: string;
  /**
   * The document in front of what the suggestion writes, what it writes, and the document behind
   * it.
   */
  readonly before: string;
  readonly text: string;
  readonly after: string;
  /** The number of the request that it answers; see `ModelRequestLog`. */
  readonly ask?: number | undefined;
}

/** What is left of an offer. */
export interface SuggestionRest {
  /**
   * The text that is still to be typed, with the line endings of the document; empty where all of
   * it is there.
   */
  readonly text: string;
  /** How many UTF-16 units behind the cursor it replaces. */
  readonly covered: number;
}

/**
 * What is left of an offer at a place where the person has typed exactly what was offered so far;
 * `undefined` where the document has become something else.
 *
 * Closers that the editor added to what was typed are covered, if the offer has them too.
 * Law: accepting the rest makes the document that accepting the offer would have made.
 */
export function restOfSuggestion(
  { uri, before, text, after }: Pick<ActiveSuggestion, "uri" | "before" | "text" | "after">,
  place: Pick<Place, "uri" | "prefix" | "suffix">,
): SuggestionRest | undefined {
  const { prefix, suffix } = place;
  const typed = prefix.length - before.length;
  const covered = suffix.length - after.length;
  if (place.uri !== uri || typed < 0 || typed > text.length || covered < 0) return undefined;
  if (!suffix.endsWith(after) || !prefix.startsWith(before) || !prefix.endsWith(text.slice(0, typed))) return undefined;
  const rest = text.slice(typed);
  const replaced = suffix.slice(0, covered);
  return /[\r\n]/.test(replaced) || !isSubsequence(replaced, rest) ? undefined : { text: rest, covered };
}
