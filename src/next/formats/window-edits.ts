import type { TextEdit } from "../../text/index.ts";
import type { NextEditPromptInput } from "../providers/model/next-edit-prompt-input.ts";
import { type DiffEnd, type LinesEnd, streamDiff } from "./stream-diff.ts";
import { WindowLines } from "./window-lines.ts";

/**
 * Reads lines that replace the window of a prompt input, and yields the edits of its text, each as
 * soon as it is certain; see {@link streamDiff}, also for how the lines end.
 *
 * The edits are ascending and do not overlap; insertions at the same place belong in this order. A
 * file that ends with a line ending keeps it where the lines end without one.
 */
export async function* windowEdits(
  lines: AsyncGenerator<string, LinesEnd>,
  input: NextEditPromptInput,
): AsyncGenerator<TextEdit, DiffEnd> {
  const window = WindowLines.of(input);
  const rewritten = window.endsBehindLastBreak ? withLastBreak(lines) : lines;
  const changes = streamDiff(window.lines, rewritten, { cursorLine: window.cursor.line });
  try {
    for (;;) {
      const next = await changes.next();
      if (next.done) return next.value;
      yield window.toTextEdit(next.value);
    }
  } finally {
    await changes.return("cut");
  }
}

/** The lines with an empty one at the end: the text after the last line ending of a file. */
async function* withLastBreak(lines: AsyncGenerator<string, LinesEnd>): AsyncGenerator<string, LinesEnd> {
  let last: string | undefined;
  try {
    for (;;) {
      const next = await lines.next();
      if (next.done) {
        if (last !== "" && next.value !== "cut") yield "";
        return next.value;
      }
      last = next.value;
      yield last;
    }
  } finally {
    await lines.return("cut");
  }
}
