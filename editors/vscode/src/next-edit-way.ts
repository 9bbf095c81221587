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
 * How a next edit is shown, and reached from the cursor: as `ghost-text`; `here`, on the cursor's
 * line; `away` in the same document; or `elsewhere`, in another document.
 */
export type NextEditWay = "ghost-text" | "here" | "away" | "elsewhere";

/** The input of {@link nextEditWay}. */
export interface NextEditSight {
  readonly isElsewhere: boolean;
  readonly range: Span;
  /** The cursor position at which the edit can be shown as ghost text, if any. */
  readonly ghostAt?: Place | undefined;
  readonly cursor: Place;
  /** Whether the suggestion has edits; without edits it is only a place to review. */
  readonly hasEdits: boolean;
}

/**
 * Computes how a next edit is shown.
 *
 * Law: only for `here` and `ghost-text` does the next key change the text, on the cursor's lines.
 */
export function nextEditWay({ isElsewhere, range, ghostAt, cursor, hasEdits }: NextEditSight): NextEditWay {
  if (isElsewhere) return "elsewhere";
  if (!hasEdits) return "away";
  if (ghostAt !== undefined && ghostAt.line === cursor.line && ghostAt.character === cursor.character) {
    return "ghost-text";
  }
  // Ghost text at another position: the next key moves the cursor there first.
  const isOnLine = range.start.line <= cursor.line && cursor.line <= range.end.line;
  return isOnLine ? "here" : "away";
}
