import type { NextEditPromptInput } from "../providers/model/next-edit-prompt-input.ts";
import { isBetweenBrackets, linesBetweenBrackets } from "./between-brackets.ts";
import { ElisionStop } from "./elision-stop.ts";
import type { ModelAnswer, ReadEdit, ReadEnd } from "./next-edit-format.ts";
import { PromptLines } from "./prompt-lines.ts";
import { stripRepeatedPrefix } from "./strip-repeated-prefix.ts";
import { WindowLines } from "./window-lines.ts";
import { type WindowAnswer, WindowRows } from "./window-rows.ts";

/**
 * Reads an answer that is text for the cursor: its first line is inserted at the cursor, before the
 * rest of the line, and further lines below.
 *
 * It yields two edits: the insertion at the cursor as soon as its line is complete, and the lines
 * below at the end. Between adjacent brackets it yields one, since the place of the closing bracket
 * depends on the lines below. Repeated text is not inserted twice: for the cursor's line see {@link
 * stripRepeatedPrefix}; lines at the end that already follow are dropped too.
 */
export async function* readInsertion(
  answer: ModelAnswer,
  input: NextEditPromptInput,
  shape: WindowAnswer,
): AsyncGenerator<ReadEdit, ReadEnd> {
  const window = WindowLines.of(input);
  const { line, column } = window.cursor;
  const known = window.lines[line]!;
  const before = known.slice(0, column);
  const rest = known.slice(column);
  // Before the empty line after the file's last line ending, so that it stays the last one.
  const isLast = window.endsBehindLastBreak && line === window.lines.length - 1;
  const { texts, cursor } = new PromptLines(input);
  const rows = new WindowRows([], shape, { below: texts.slice(cursor.line + 1, input.page.end) });
  const stop = new ElisionStop(input);
  const lines = stop.lines(rows.lines(answer));
  try {
    const first = await lines.next();
    if (first.done) return stop.end ?? rows.end;
    const added = stripRepeatedPrefix(first.value, { before, rest });
    const isWhole = isBetweenBrackets(before, rest, input.language);
    const firstEdit = { start: line, end: isLast ? line : line + 1, lines: [before + added + rest] };
    if (added !== "" && !isWhole) yield window.toTextEdit(firstEdit);
    const below: string[] = [];
    for (;;) {
      const next = await lines.next();
      if (!next.done) {
        below.push(next.value);
        continue;
      }
      if (next.value === "cut") return stop.end ?? rows.end;
      if (isWhole) {
        const [inside, ...others] = linesBetweenBrackets({ before, added, below, rest }, input.language);
        if (inside === known && others.length > 0)
          yield window.toTextEdit({ start: line + 1, end: line + 1, lines: others });
        else if (inside !== known) yield window.toTextEdit({ ...firstEdit, lines: [inside!, ...others] });
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
