import type { ModelAnswer, ReadEdit, ReadEnd } from "../next-edit-format.ts";
import type { NextEditScene } from "../next-edit-scene.ts";
import { WindowLines } from "../window-lines.ts";
import { isBetweenBrackets, linesBetweenBrackets } from "./between-brackets.ts";
import { ElisionStop } from "./elision-stop.ts";
import { withoutSaidAgain } from "./said-again.ts";
import { SceneLines } from "./scene-lines.ts";
import { type WindowAnswer, WindowRows } from "./window-rows.ts";

/**
 * Reads an answer that is text for the cursor: its first line goes in there, in front of what remains of the line, and further lines below.
 *
 * It is told in two: what goes in at the cursor as soon as its line is there, and the lines below at the end. Between brackets that stand side by side it is
 * told in one, for it depends on the lines below where the closing one belongs. What is said again is not put in twice: of the cursor's line see {@link withoutSaidAgain}, and lines
 * at the end that stand below it.
 */
export async function* readInsertion(
  answer: ModelAnswer,
  scene: NextEditScene,
  shape: WindowAnswer,
): AsyncGenerator<ReadEdit, ReadEnd> {
  const window = WindowLines.of(scene);
  const { line, column } = window.cursor;
  const known = window.lines[line]!;
  const before = known.slice(0, column);
  const rest = known.slice(column);
  // In front of the empty line behind the file's last line ending, so that it stays the last one.
  const isLast = window.endsBehindLastBreak && line === window.lines.length - 1;
  const { texts, cursor } = new SceneLines(scene);
  const rows = new WindowRows([], shape, { below: texts.slice(cursor.line + 1, scene.page.end) });
  const stop = new ElisionStop(scene);
  const lines = stop.lines(rows.lines(answer));
  try {
    const first = await lines.next();
    if (first.done) return stop.end ?? rows.end;
    const added = withoutSaidAgain(first.value, { before, rest });
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
        const more = window.toTextEdit({ start: at, end: at, lines: below });
        yield added === "" ? more : { ...more, isRest: true };
      }
      return stop.end ?? rows.end;
    }
  } finally {
    await lines.return("cut");
  }
}
