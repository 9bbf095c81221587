import type { TextEdit } from "../text/index.ts";
import type { NextEditScene } from "./next-edit-scene.ts";
import { type DiffEnd, type LinesEnd, streamDiff } from "./stream-diff.ts";
import { WindowLines } from "./window-lines.ts";

/**
 * Reads lines that a model writes in the place of a scene's window, and gives the edits of the scene's text that they come to,
 * each as soon as it is sure: see {@link streamDiff}, and for how the lines end too.
 *
 * The edits are ascending and do not overlap; where two insert at the same place they belong in their order. A file that
 * ends with a line ending keeps it where the lines end without one.
 */
export async function* windowEdits(
  lines: AsyncGenerator<string, LinesEnd>,
  scene: NextEditScene,
): AsyncGenerator<TextEdit, DiffEnd> {
  const window = WindowLines.of(scene);
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

/** The lines with an empty one at their end, which is what stands behind the last line ending of a file. */
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
