import { fileLines, LineTable } from "../formats/index.ts";
import type { ChatMessage } from "../model/index.ts";
import type { Syntax } from "../syntax/index.ts";
import type { AddedIssue } from "./added-issues.ts";
import { editedLines, type LineRange, lineFinder } from "./line-range.ts";
import { type MendTask, mendPrompt } from "./mend-prompt.ts";
import { mendRange } from "./mend-range.ts";

/** A question for the lines of a block that a change broke. */
export interface BlockQuestion {
  readonly issue: AddedIssue;
  /** In lines of the text after the change, from 0. */
  readonly block: LineRange;
  readonly messages: readonly ChatMessage[];
}

/** Asks for the smallest block around the fault behind an error. */
export async function blockQuestion(
  issue: AddedIssue,
  said: Pick<MendTask, "instruction" | "earlier">,
  syntax: Syntax,
): Promise<BlockQuestion> {
  const { file, path, suspectLine, openerLine } = issue;
  const block = await mendRange({ ...file, suspectLine, openerLine }, syntax);
  const lines = fileLines(file.after);
  // What is missing at the end of a text is missing behind its last line.
  const clipped = (line: number) => Math.min(line, lines.length - 1);
  const messages = mendPrompt({
    ...said,
    ...{ path, lines, block },
    linesBefore: linesBefore(issue, block),
    edited: editedLines(file.after, file.edit),
    remarks: [
      ...(openerLine === undefined || openerLine === suspectLine ? [] : [{ line: openerLine, text: "opened here" }]),
      { line: clipped(suspectLine), text: "the mistake is probably here" },
    ],
    complaint: { line: clipped(lineFinder(file.after)(issue.issue.range).start), text: issue.issue.message },
  });
  return { issue, block, messages };
}

/** The lines of the text before the change that stood where a block of the text after it stands. */
function linesBefore({ file }: AddedIssue, block: LineRange): readonly string[] {
  const { before, after, edit } = file;
  const lines = LineTable.of(after);
  const range = { start: lines.start(block.start), end: lines.start(block.end) };
  const { start, end } = lineFinder(before)(edit.invert(before).mapRange(range, "include"));
  return fileLines(before).slice(start, end);
}
