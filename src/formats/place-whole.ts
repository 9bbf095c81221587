import type { WholeAsk } from "./ask.ts";
import { type AskOutcome, placed, refused } from "./ask-outcome.ts";
import { elidedRow } from "./elided-row.ts";
import { replaceStretch } from "./replace-stretch.ts";
import type { WorkingText } from "./working-text.ts";

/**
 * Puts the whole new text of a file in the place of the old one; lines that are in both keep their bytes.
 *
 * Rows that stand for code are not code. How much of the file goes is not looked at here.
 */
export function placeWhole({ lines, finalNewline }: WholeAsk, text: WorkingText, path: string): AskOutcome {
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
