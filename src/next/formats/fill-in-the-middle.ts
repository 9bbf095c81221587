import { printPastEdit } from "../../context/index.ts";
import { contextComments } from "../../model/index.ts";
import { byteOrderMark, Lines, type TextRange } from "../../text/index.ts";
import type { ModelAnswer, NextEditFormat, NextEditQuestion, ReadEnd } from "../next-edit-format.ts";
import type { NextEditScene } from "../next-edit-scene.ts";
import type { LinesEnd } from "../stream-diff.ts";
import { windowEdits } from "../window-edits.ts";
import { WindowLines } from "../window-lines.ts";
import { answerRows } from "./answer-rows.ts";
import { ElisionStop } from "./elision-stop.ts";
import { SceneLines } from "./scene-lines.ts";

/**
 * Any model that fills in the middle. It is shown the file without the rest of the cursor's line and block, as far as
 * the window goes, so that it may write these anew; edits, what was looked at and diagnostics stand above as comments.
 *
 * No text is a mark here: whoever fills escapes the model's tokens.
 */
export const fillInTheMiddle: NextEditFormat = {
  name: "fill-in-the-middle",
  ask,
  async *read(answer, scene) {
    const hole = { ...scene, window: holeLines(scene) };
    const { lines, cursor } = WindowLines.of(hole);
    const filled = new FilledLines(lines[0]!.slice(0, cursor.column));
    const stop = new ElisionStop(scene);
    yield* windowEdits(stop.lines(filled.lines(answer)), hole);
    return stop.end ?? filled.end;
  },
};

function ask(scene: NextEditScene): NextEditQuestion {
  const { text, cursor, page, path, language } = scene;
  const shown = new SceneLines(scene);
  const lines = Lines.of(text);
  const edits = scene.history.map((edit) => ({
    path: edit.path,
    text: printPastEdit(edit, edit.path === path ? shown.cursor.line : undefined),
  }));
  const problems = scene.diagnostics.map(
    ({ line, severity, message }) => `line ${line + 1}: ${severity}: ${message}\n`,
  );
  const context = [...scene.viewed, ...edits, { path, text: problems.join("") }].filter((one) => one.text !== "");
  const before = text.slice(lines.start(page.start), cursor).replace(byteOrderMark, "");
  return {
    kind: "fill",
    prefix: contextComments(context, language) + before,
    suffix: text.slice(lines.end(holeLines(scene).end - 1), lines.endWithBreak(page.end - 1)),
    stop: [],
  };
}

/**
 * The lines that are partly or wholly the hole, `[start, end)`: the cursor's, and those below that are indented as far
 * or farther, up to a blank one or the window's end.
 */
export function holeLines(scene: NextEditScene): TextRange {
  const { texts, cursor } = new SceneLines(scene);
  const first = texts[cursor.line]!;
  const below = texts.slice(cursor.line + 1, scene.window.end);
  const isOutside = (line: string): boolean => line.trim() === "" || indentOf(line) < indentOf(first);
  const length = first.trim() === "" ? 0 : below.findIndex(isOutside);
  return { start: cursor.line, end: cursor.line + 1 + (length < 0 ? below.length : length) };
}

/** How many blanks a line begins with. */
function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The lines of the hole as an answer has them. */
class FilledLines {
  end: ReadEnd = { kind: "read" };
  /** What stands in front of the hole on its first line. */
  readonly #head: string;

  constructor(head: string) {
    this.#head = head;
  }

  /** Blank rows at the end are none, and an answer of blanks says nothing. */
  async *lines(answer: ModelAnswer): AsyncGenerator<string, LinesEnd> {
    const rows = answerRows(answer);
    let held: string[] = [];
    let isFirst = true;
    try {
      for (;;) {
        const next = await rows.next();
        if (next.done === true) {
          if (next.value.reason === "finished") return isFirst ? "cut" : "open";
          this.end = { kind: "cut", why: next.value.reason };
          return "cut";
        }
        held.push(next.value);
        if (next.value.trim() === "") continue;
        if (isFirst) held[0] = this.#head + held[0]!;
        isFirst = false;
        yield* held;
        held = [];
      }
    } finally {
      await rows.return({ reason: "finished" });
    }
  }
}
