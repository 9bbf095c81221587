import { hideSecrets, messageLanguage } from "../../context/index.ts";
import { fileLines, LineTable } from "../../formats/index.ts";
import type { ChatMessage } from "../../model/index.ts";
import type { Syntax } from "../../syntax/index.ts";
import { editedLines, type LineRange, lineFinder } from "../line-range.ts";
import type { AddedIssue } from "../repair/added-issues.ts";
import { repairPrompt } from "../repair/repair-prompt.ts";
import { repairRange } from "../repair/repair-range.ts";

/** A request to a model for the lines of a block that a change broke. */
export interface BlockQuestion {
  readonly issue: AddedIssue;
  /** The block, in lines of the text after the change, from 0. */
  readonly block: LineRange;
  readonly messages: readonly ChatMessage[];
}

/**
 * What the prompt for a block contains besides the code: the instruction, and what was wrong with
 * an earlier answer.
 */
export interface BlockRequest {
  readonly instruction: string;
  readonly earlier?: { readonly message: string; readonly lines: readonly string[] };
}

/** Builds the request for the smallest block around the fault behind an error. */
export async function blockQuestion(
  issue: AddedIssue,
  { instruction, earlier }: BlockRequest,
  syntax: Syntax,
): Promise<BlockQuestion> {
  const { file, path, suspectLine, openerLine } = issue;
  const block = await repairRange({ ...file, suspectLine, openerLine }, syntax);
  const lines = fileLines(file.after);
  // An error at the end of a text is shown on its last line.
  const clipped = (line: number) => Math.min(line, lines.length - 1);
  const messages = repairPrompt({
    instruction,
    ...(earlier && { earlier: { ...earlier, message: hideSecrets(earlier.message, messageLanguage).text } }),
    ...{ path, lines, block },
    linesBefore: linesBefore(issue, block),
    edited: editedLines(file.after, file.edit),
    remarks: [
      ...(openerLine === undefined || openerLine === suspectLine ? [] : [{ line: openerLine, text: "opened here" }]),
      { line: clipped(suspectLine), text: "the mistake is probably here" },
    ],
    complaint: {
      line: clipped(lineFinder(file.after)(issue.issue.range).start),
      text: hideSecrets(issue.issue.message, messageLanguage).text,
    },
  });
  return { issue, block, messages };
}

/** The lines of the text before the change that the block replaced. */
function linesBefore({ file }: AddedIssue, block: LineRange): readonly string[] {
  const { before, after, edit } = file;
  const lines = LineTable.of(after);
  const range = { start: lines.start(block.start), end: lines.start(block.end) };
  const { start, end } = lineFinder(before)(edit.invert(before).mapRange(range, "include"));
  return fileLines(before).slice(start, end);
}
