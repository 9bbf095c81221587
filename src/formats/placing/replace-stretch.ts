import { diffSequences } from "../../text/index.ts";
import type { LineSplice } from "./placement.ts";
import type { WorkingText } from "./working-text.ts";

/**
 * Replaces a stretch of current lines; lines in both versions keep their bytes.
 *
 * Returns the changes of the snapshot, as `WorkingText.replaceLines` does, or `undefined` where
 * nothing changes.
 */
export function replaceStretch(
  text: WorkingText,
  { start, end, lines }: LineSplice,
): readonly LineSplice[] | undefined {
  const old = text.texts.slice(start, end);
  const changes = diffSequences(old, lines);
  if (changes.length === 0) return undefined;
  return text.replaceLines(
    changes.map((change) => ({
      start: start + change.beforeStart,
      end: start + change.beforeEnd,
      lines: lines.slice(change.afterStart, change.afterEnd),
    })),
  );
}
