import { isInsideCharacter } from "../../text/index.ts";

/**
 * Decides which texts a model's answer may be.
 *
 * Law: where a text is allowed or can go on, so can each of its prefixes; an allowed text with its
 * ending may end.
 */
export interface TextGuide {
  /**
   * Whether an answer may begin with `text` and be completed within the budget, if there is one.
   */
  allows(text: string): boolean;
  /** Whether an answer may begin with `text`, without regard to a budget. */
  canContinue(text: string): boolean;
  /** Whether `text` may be the whole answer. */
  mayEnd(text: string): boolean;
  /**
   * A shortest ending for an answer that begins with `text`; `undefined` where none that fits is
   * found.
   */
  ending(text: string): string | undefined;
  /** Whether `text`, which is allowed, consists of white space and comments. */
  isTrivia?(text: string): boolean;
  /**
   * Loads what the checks of `text` and its prefixes need. Afterwards the guide may refuse what it
   * allowed before.
   */
  prepare?(text: string): Promise<void>;
  /**
   * The first name in `text` that is refused since it is not a member of the expression before its
   * dot.
   */
  tryUnknownMember?(text: string): UnknownMember | undefined;
}

/** A name that is not a member of the expression before its dot. */
export interface UnknownMember {
  /**
   * The start of the name, in UTF-16 code units from the start of the answer; negative where it
   * begins before the hole.
   */
  readonly offset: number;
  readonly name: string;
  /** The type or namespace that has no such member. */
  readonly of: string;
  /** The existing members, sorted. */
  readonly names: readonly string[];
}

/**
 * The length of the longest allowed prefix of `text` after `before`, which is allowed; in UTF-16
 * code units, and whole characters.
 *
 * Binary search is valid, since each prefix of an allowed text is allowed.
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
