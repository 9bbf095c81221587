import type { TextEdit } from "../../text/index.ts";
import type { ModelAnswer, ReadEnd } from "../next-edit-format.ts";
import type { NextEditScene } from "../next-edit-scene.ts";
import { WindowLines } from "../window-lines.ts";
import { isBetweenBrackets, linesBetweenBrackets } from "./between-brackets.ts";
import { ElisionStop } from "./elision-stop.ts";
import { type WindowAnswer, WindowRows } from "./window-rows.ts";

/**
 * Reads an answer that is text for the cursor: its first line goes in there, in front of what remains of the line, and further lines below.
 *
 * It is told in two: what goes in at the cursor as soon as its line is there, and the lines below at the end. Between brackets that stand side by side it is
 * told in one, for it depends on the lines below where the closing one belongs. Blanks in front of the cursor are not put in twice where they are said again.
 */
export async function* readInsertion(
  answer: ModelAnswer,
  scene: NextEditScene,
  shape: WindowAnswer,
): AsyncGenerator<TextEdit, ReadEnd> {
  const window = WindowLines.of(scene);
  const { line, column } = window.cursor;
  const known = window.lines[line]!;
  const before = known.slice(0, column);
  const rest = known.slice(column);
  // In front of the empty line behind the file's last line ending, so that it stays the last one.
  const isLast = window.endsBehindLastBreak && line === window.lines.length - 1;
  const rows = new WindowRows([], shape);
  const stop = new ElisionStop(scene);
  const lines = stop.lines(rows.lines(answer));
  try {
    const first = await lines.next();
    if (first.done) return stop.end ?? rows.end;
    const isSaidAgain = before.trim() === "" && first.value.startsWith(before);
    const added = isSaidAgain ? first.value.slice(column) : first.value;
    const isWhole = isBetweenBrackets(before, rest, scene.language);
    const told = { start: line, end: isLast ? line : line + 1, lines: [before + added + rest] };
    if (added !== "" && !isWhole) yield window.toTextEdit(told);
    const below: string[] = [];
    for (;;) {
      const next = await lines.next();
      if (!next.done) {
        below.push(next.value);
        continue;
      }
      if (next.value === "cut") return stop.end ?? rows.end;
      if (isWhole) {
        const [inside, ...others] = linesBetweenBrackets({ before, added, below, rest }, scene.language);
        if (inside === known && others.length > 0)
          yield window.toTextEdit({ start: line + 1, end: line + 1, lines: others });
        else if (inside !== known) yield window.toTextEdit({ ...told, lines: [inside!, ...others] });
      } else if (below.length > 0) {
        const at = isLast ? line : line + 1;
        yield window.toTextEdit({ start: at, end: at, lines: below });
      }
      return stop.end ?? rows.end;
    }
  } finally {
    await lines.return("cut");
  }
}
