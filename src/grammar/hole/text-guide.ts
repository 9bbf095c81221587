import { isInsideCharacter } from "../../text/index.ts";
import type { UnknownMember } from "./members.ts";

/**
 * Says of texts what an answer may be.
 *
 * Law: where a text is allowed or can go on, so is and can each of its beginnings; an allowed text
 * with its ending may end.
 */
export interface TextGuide {
  /**
   * Whether an answer may begin with `text`, and come to an end within the budget if there is one.
   */
  allows(text: string): boolean;
  /** Whether an answer may begin with `text`, however long it becomes. */
  canGoOn(text: string): boolean;
  /** Whether `text` may be the whole answer. */
  mayEnd(text: string): boolean;
  /**
   * A shortest text that ends an answer which begins with `text`; `undefined` where none is found
   * that fits.
   */
  ending(text: string): string | undefined;
  /** Whether `text`, which is allowed, is nothing but white space and comments. */
  isTrivia?(text: string): boolean;
  /**
   * Finds out what takes time to know of `text` and its beginnings. It may speak against what was
   * allowed before.
   */
  prepare?(text: string): Promise<void>;
  /** The first name in `text` that is refused since it is no member of the text before its dot. */
  tryUnknownMember?(text: string): UnknownMember | undefined;
}

/**
 * How many UTF-16 units of `text` may stand behind `before`, which is allowed; whole characters.
 *
 * Source: binary search, since each beginning of an allowed text is allowed.
 */
export function longestAllowed(guide: Pick<TextGuide, "allows">, text: string, before = ""): number {
  if (guide.allows(before + text)) return text.length;
  let good = 0;
  let bad = text.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (guide.allows(before + text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return isInsideCharacter(text, good) ? good - 1 : good;
}
