import { Edit } from "../../text/index.ts";
import { onlyAddsBehind } from "./arbitration.ts";
import { trySlide } from "./try-slide.ts";

/**
 * Returns an edit of the same effect that only inserts behind the cursor on its line, so that it
 * can be shown as ghost text; `undefined` where the edit does anything else.
 *
 * Parts that change nothing are removed. An insertion may slide to the cursor or the line's end:
 * lines inserted in front of the next line are lines behind this one.
 */
export function tryBehindCursor(text: string, cursor: number, edit: Edit): Edit | undefined {
  const plain = edit.normalize(text);
  if (onlyAddsBehind(text, cursor, plain)) return plain;
  const [only, ...others] = plain.edits;
  if (only === undefined || others.length > 0 || only.start !== only.end) return undefined;
  const feed = text.indexOf("\n", cursor);
  const lineEnd = feed < 0 ? text.length : text[feed - 1] === "\r" && feed > cursor ? feed - 1 : feed;
  for (const at of [cursor, lineEnd]) {
    if (Math.abs(at - only.start) > only.text.length) continue;
    const slid = trySlide(text, only, at);
    const there = slid && Edit.of([slid]);
    if (there !== undefined && onlyAddsBehind(text, cursor, there)) return there;
  }
  return undefined;
}
