/** A place in a text; lines and characters count from 0. */
export interface Place {
  readonly line: number;
  readonly character: number;
}

/** A half-open range of a text. */
export interface Span {
  readonly start: Place;
  readonly end: Place;
}

/**
 * How the person comes to a next edit from where the cursor is: it is seen as `ghost-text`; it is
 * `here`, on the cursor's line; it is `away` in the same document; or `elsewhere`, in another.
 */
export type NextEditWay = "ghost-text" | "here" | "away" | "elsewhere";

/** What the way depends on. */
export interface NextEditSight {
  readonly isElsewhere: boolean;
  readonly range: Span;
  /** Where it can be seen as ghost text, if at all. */
  readonly ghostAt?: Place | undefined;
  readonly cursor: Place;
  /**
   * Whether there is something to be done there; a place that is only to be looked at is reached,
   * and that is all.
   */
  readonly hasEdits: boolean;
}

/**
 * Law: only `here` and `ghost-text` change a text by the next key, and then on lines where the
 * cursor is.
 */
export function nextEditWay({ isElsewhere, range, ghostAt, cursor, hasEdits }: NextEditSight): NextEditWay {
  if (isElsewhere) return "elsewhere";
  if (!hasEdits) return "away";
  if (ghostAt !== undefined && ghostAt.line === cursor.line && ghostAt.character === cursor.character) {
    return "ghost-text";
  }
  // What is seen as ghost text somewhere else is gone to first.
  const isOnLine = range.start.line <= cursor.line && cursor.line <= range.end.line;
  return isOnLine ? "here" : "away";
}
