/**
 * Ghost text that is seen: what is to be inserted, and where. Offsets are of the document as it was
 * when it came.
 */
export interface SeenGhostText {
  readonly offset: number;
  readonly text: string;
}

/** A change of the document that holds {@link SeenGhostText}. */
export interface TextChange {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** What an editor inserts by itself when the first of them is typed. */
const pairs = new Set(["()", "[]", "{}", '""', "''", "``", "<>"]);

/**
 * How many characters of ghost text were taken by a key, such as the one that accepts a word;
 * `undefined` where the change is typing or anything else. The stable API of the editor does not
 * tell.
 *
 * A key that is typed adds one character, or a pair that the editor closes; who takes a word of one
 * character is not told from who types it.
 */
export function tryAcceptedLength({ offset, text }: SeenGhostText, change: TextChange): number | undefined {
  const isPart = change.length === 0 && change.offset === offset && text.startsWith(change.text);
  const isTyped = change.text.length < 2 || pairs.has(change.text);
  return !isPart || isTyped || change.text.length === text.length ? undefined : change.text.length;
}
