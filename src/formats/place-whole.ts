import type { WholeAsk } from "./ask.ts";
import { type AskOutcome, placed, refused } from "./ask-outcome.ts";
import { replaceStretch } from "./replace-stretch.ts";
import type { WorkingText } from "./working-text.ts";

/** Puts the whole new text of a file in the place of the old one; lines that are in both keep their bytes. */
export function placeWhole({ lines, finalNewline }: WholeAsk, text: WorkingText): AskOutcome {
  const splices = replaceStretch(text, { start: 0, end: text.lines.length, lines });
  if (splices === undefined && finalNewline === undefined) return refused("no-change", "The file would stay as it is.");
  if (finalNewline !== undefined) text.setFinalNewline(finalNewline);
  return placed(splices ?? []);
}
