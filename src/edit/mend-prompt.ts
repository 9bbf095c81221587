import { fenceFor } from "../formats/index.ts";
import type { ChatMessage } from "../model/index.ts";
import { type LineRemark, printCodeFrame } from "./code-frame.ts";
import type { LineRange } from "./line-range.ts";

/** A broken stretch of a file that a model is to write anew. All lines from 0, of the text after the change. */
export interface MendTask {
  readonly instruction: string;
  readonly path: string;
  readonly lines: readonly string[];
  /** The lines to write anew. */
  readonly block: LineRange;
  /** The lines that stood in the block's place before the change. */
  readonly linesBefore: readonly string[];
  readonly edited: readonly LineRange[];
  readonly remarks: readonly LineRemark[];
  /** What the parser says, and in which line it gave up. */
  readonly complaint: LineRemark;
  /** What came of this question before, in a sentence, and with what lines. */
  readonly earlier?: { readonly message: string; readonly lines: readonly string[] };
}

/**
 * Asks for the lines of one block.
 *
 * The block is answered whole, in a fence, and not as an edit with line numbers: it is short, its place is known, so no
 * second boundary can be mistaken, and nothing outside of it can be touched. The conversation is a new one, since the
 * rules for whole edits do not hold here.
 */
export function mendPrompt(task: MendTask): readonly ChatMessage[] {
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

/** How many lines around the block are shown. */
const contextLines = 3;

/** How many lines of the text before are shown at most. */
const maxLinesBefore = 120;

function fenced(code: string): string {
  const fence = fenceFor(code);
  return `${fence}\n${code}\n${fence}`;
}
