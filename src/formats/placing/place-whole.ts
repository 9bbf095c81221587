import type { WholeFileEdit } from "../edit-operation.ts";
import { elidedRow } from "../reading/is-elision.ts";
import { type OperationOutcome, placed, refused } from "./operation-outcome.ts";
import { replaceStretch } from "./replace-stretch.ts";
import type { WorkingText } from "./working-text.ts";

/**
 * Replaces the complete text of a file; lines in both texts keep their bytes.
 *
 * Refuses elision rows. Whether the file shrinks is checked elsewhere.
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
