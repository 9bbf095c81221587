import { hideSecrets, messageLanguage, printPastEdit } from "../../context/index.ts";
import { contextComments } from "../../model/index.ts";
import { indentLength, languageOf } from "../../syntax/index.ts";
import { byteOrderMark, Lines, type TextRange } from "../../text/index.ts";
import type { NextEditPromptInput } from "../providers/model/next-edit-prompt-input.ts";
import type { ModelAnswer, NextEditFormat, NextEditQuestion, ReadEnd } from "./next-edit-format.ts";
import { PromptLines } from "./prompt-lines.ts";
import { answerRows, ElisionStop } from "./row-stream.ts";
import type { LinesEnd } from "./stream-diff.ts";
import { WindowLines, windowEdits } from "./window-lines.ts";

/**
 * The format for any fill-in-the-middle model. It is sent the file without the rest of the cursor's
 * line and block, within the editable region, and may write these again. Edits, recently viewed
 * snippets and diagnostics are comments above.
 *
 * There are no markers: the fill-in-the-middle template escapes the model's special tokens.
 */
export const fillInTheMiddle: NextEditFormat = {
  name: "fill-in-the-middle",
  ask: writePrompt,
  async *read(answer, input) {
    const hole = { ...input, window: holeLines(input) };
    const { lines, cursor } = WindowLines.of(hole);
    const filled = new FilledLines(lines[0]!.slice(0, cursor.column));
    const stop = new ElisionStop(input);
    yield* windowEdits(stop.lines(filled.lines(answer)), hole);
    return stop.end ?? filled.end;
  },
};

function writePrompt(input: NextEditPromptInput): NextEditQuestion {
  const { text, cursor, page, path, language } = input;
  const shown = new PromptLines(input);
  const lines = Lines.of(text);
  const edits = input.history.map((edit) => ({
    path: edit.path,
    text: hideSecrets(printPastEdit(edit, edit.path === path ? shown.cursor.line : undefined), languageOf(edit.path).id)
      .text,
  }));
  const problems = input.diagnostics.map(
    ({ line, severity, message }) => `line ${line + 1}: ${severity}: ${message}\n`,
  );
  const context = [
    ...input.viewed,
    ...edits,
    { path, text: hideSecrets(problems.join(""), messageLanguage).text },
  ].filter((one) => one.text !== "");
  const before = text.slice(lines.start(page.start), cursor).replace(byteOrderMark, "");
  return {
    kind: "fill",
    prefix: contextComments(context, language) + before,
    suffix: text.slice(lines.end(holeLines(input).end - 1), lines.endWithBreak(page.end - 1)),
    stop: [],
  };
}

/**
 * Returns the lines of the hole, `[start, end)`, counted from 0 in the file: the cursor's line, and
 * those below with at least its indentation, up to a blank line or the end of the editable region.
 * Where the cursor's line is blank, it is the only one.
 */
export function holeLines(input: NextEditPromptInput): TextRange {
  const shown = new PromptLines(input);
  const { cursor } = shown;
  const [first = "", ...below] = shown.texts({ start: cursor.line, end: Math.max(cursor.line + 1, input.window.end) });
  const isOutside = (line: string): boolean => line.trim() === "" || indentLength(line) < indentLength(first);
  const length = first.trim() === "" ? 0 : below.findIndex(isOutside);
  return { start: cursor.line, end: cursor.line + 1 + (length < 0 ? below.length : length) };
}

/** Reads the lines of the hole from an answer. */
class FilledLines {
  end: ReadEnd = { kind: "read" };
  /** The text before the hole on its first line. */
  readonly #head: string;

  constructor(head: string) {
    this.#head = head;
  }

  /**
   * Yields the lines, without blank ones at the end. An answer of white space only has no lines.
   */
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
