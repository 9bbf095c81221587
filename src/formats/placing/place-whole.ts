import { diffSequences } from "../../text/index.ts";
import type { WholeFileEdit } from "../edit-operation.ts";
import { elidedRow } from "../reading/is-elision.ts";
import { type OperationOutcome, placed, refused } from "./operation-outcome.ts";
import type { LineSplice } from "./placement.ts";
import type { WorkingText } from "./working-text.ts";

/**
 * Replaces the complete text of a file; lines in both texts keep their bytes.
 *
 * Refuses elision rows, and a text that changes nothing. Whether the file shrinks is checked
 * elsewhere.
 */
export function placeWhole({ lines, finalNewline }: WholeFileEdit, text: WorkingText, path: string): OperationOutcome {
  const left = elidedRow(lines, { known: [text.texts], path });
  if (left !== undefined) {
    return refused("elided-code", `${JSON.stringify(lines[left]!.trim())} stands for code; write the whole file.`);
  }
  const { count } = text;
  const endsWithBreak = text.endsWithBreak;
  const splices = replaceStretch(text, { start: 0, end: count, lines });
  if (splices === undefined && (finalNewline ?? endsWithBreak) === endsWithBreak) {
    return refused("no-change", "The file would stay as it is.");
  }
  if (finalNewline !== undefined) text.setFinalNewline(finalNewline);
  return placed(splices ?? []);
}

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
