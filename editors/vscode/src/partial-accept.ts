/**
 * Shown ghost text: the text to insert and its offset, in the document at the time of the
 * suggestion.
 */
export interface SeenGhostText {
  readonly offset: number;
  readonly text: string;
}

/** A change of the document with {@link SeenGhostText}. */
export interface TextChange {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** Pairs that VS Code inserts when the first character is typed. */
const pairs = new Set(["()", "[]", "{}", '""', "''", "``", "<>"]);

/**
 * The number of characters of ghost text that a change accepted, for example by the key that
 * accepts a word; `undefined` for typing or any other change. The stable API does not report this.
 *
 * Typing adds one character or an automatically closed pair, so accepting a word of one character
 * cannot be distinguished from typing it.
 */
export function tryAcceptedLength({ offset, text }: SeenGhostText, change: TextChange): number | undefined {
  const isPart = change.length === 0 && change.offset === offset && text.startsWith(change.text);
  const isTyped = change.text.length < 2 || pairs.has(change.text);
  return !isPart || isTyped || change.text.length === text.length ? undefined : change.text.length;
}
