import { fenceFor } from "../../formats/index.ts";
import type { ChatMessage, RedactedText } from "../../model/index.ts";
import type { LineRange } from "../line-range.ts";

/**
 * A broken stretch of a file that a model is to rewrite. All lines count from 0, in the text after
 * the change.
 */
export interface RepairTask {
  readonly instruction: string;
  readonly path: string;
  readonly lines: readonly string[];
  /** The lines to rewrite. */
  readonly block: LineRange;
  /** The lines in the block's place before the change. */
  readonly linesBefore: readonly string[];
  readonly edited: readonly LineRange[];
  readonly remarks: readonly LineRemark[];
  /** The parser's message, and the line where it gave up. */
  readonly complaint: LineRemark & { readonly text: RedactedText };
  /**
   * The result of an earlier request for this block: one sentence, and the lines that the model
   * wrote.
   */
  readonly earlier?: { readonly message: RedactedText; readonly lines: readonly string[] };
}

/**
 * Builds the messages that ask a model for the lines of one block.
 *
 * The answer is the complete block in a fence, not an edit with line numbers: the block is short
 * and its place is known, so no boundary can be mistaken and nothing outside of it can change. It
 * is a new conversation, since the rules for edits do not apply here.
 */
export function repairPrompt(task: RepairTask): readonly ChatMessage[] {
  const { lines, block, path, linesBefore, earlier, complaint } = task;
  const code = lines.slice(block.start, block.end);
  const shown = {
    start: Math.max(0, block.start - contextLines),
    end: Math.min(lines.length, block.end + contextLines),
  };
  const span = block.end - block.start === 1 ? `Line ${block.end}` : `Lines ${block.start + 1} to ${block.end}`;
  const changed = linesBefore.join("\n") !== code.join("\n") && linesBefore.length <= maxLinesBefore;
  const sections = [
    `A change was made for this instruction:\n\n${task.instruction.trimEnd()}`,
    `Now the syntax of ${path} is broken. The parser gave up in line ${complaint.line + 1}: ${complaint.text}`,
    "Lines with a + were written for the change.",
    fenced(printCodeFrame({ ...task, shown })),
    ...(changed && linesBefore.length > 0
      ? ["Before the change, this is what stood there:", fenced(linesBefore.join("\n"))]
      : []),
    ...(earlier === undefined
      ? []
      : [
          `An earlier answer did not help: ${earlier.message}`,
          ...(earlier.lines.length === 0 ? [] : [fenced(earlier.lines.join("\n"))]),
        ]),
    `${span} as they are now:`,
    fenced(code.join("\n")),
    `Write ${span.replace("L", "l")} as they should be, in one fence, and nothing else.`,
  ];
  return [
    { role: "system", text: `${rules}\n` },
    { role: "user", text: `${sections.join("\n\n")}\n` },
  ];
}

const rules = `You mend the syntax of source code that a change has broken. You are shown a part of a file and write that part anew.

- Answer with the lines of the part, all of them, in one fence, without line numbers and marks.
- Mend what is broken and keep what the change is for. Leave every other line as it is, with its indentation.
- Mostly a bracket was lost or doubled at an edge of the change: compare with what stood there before.
- Never put dots or a remark in the place of code.`;

/** Lines shown around the block. */
const contextLines = 3;

/** The most lines shown of the text before the change. */
const maxLinesBefore = 120;

function fenced(code: string): string {
  const fence = fenceFor(code);
  return `${fence}\n${code}\n${fence}`;
}

/** A stretch of a text with marks and remarks. All lines count from 0. */
export interface CodeFrame {
  /** All lines of the text. */
  readonly lines: readonly string[];
  /** The lines that are printed. */
  readonly shown: LineRange;
  /** Lines that an edit inserted or replaced; they are marked with `+`. */
  readonly edited: readonly LineRange[];
  /** Remarks, printed at the end of their lines. */
  readonly remarks: readonly LineRemark[];
}

/** A remark on one line. */
interface LineRemark {
  readonly line: number;
  readonly text: string;
}

/**
 * Prints lines with their numbers from 1, to show a person or a model where something is wrong:
 *
 * ```
 *   7 | if (a) {   <-- this { is never closed
 * + 8 |   b();
 * ```
 */
export function printCodeFrame({ lines, shown, edited, remarks }: CodeFrame): string {
  const width = String(shown.end).length;
  const rows: string[] = [];
  for (let line = shown.start; line < shown.end; line++) {
    const mark = edited.some(({ start, end }) => start <= line && line < end) ? "+" : " ";
    const texts = remarks.filter((remark) => remark.line === line).map(({ text }) => text);
    const remark = texts.length === 0 ? "" : `   <-- ${texts.join("; ")}`;
    rows.push(`${mark} ${String(line + 1).padStart(width)} | ${lines[line] ?? ""}${remark}`.trimEnd());
  }
  return rows.join("\n");
}
