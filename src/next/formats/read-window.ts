import type { TextEdit } from "../../text/index.ts";
import type { NextEditPromptInput } from "../providers/model/next-edit-prompt-input.ts";
import { ElisionStop } from "./elision-stop.ts";
import type { ModelAnswer, ReadEnd } from "./next-edit-format.ts";
import { PromptLines } from "./prompt-lines.ts";
import { windowEdits } from "./window-lines.ts";
import { type WindowAnswer, WindowRows } from "./window-rows.ts";

/**
 * Reads an answer that rewrites the window's lines, and yields the edits of the prompt input's
 * text.
 *
 * `prefill` are the lines of the window with which the prompt ended, and from which the answer
 * continues.
 */
export async function* readWindow(
  answer: ModelAnswer,
  input: NextEditPromptInput,
  shape: WindowAnswer,
  prefill: readonly string[] = [],
): AsyncGenerator<TextEdit, ReadEnd> {
  const { page, window } = input;
  const shown = new PromptLines(input);
  const rows = new WindowRows(shown.texts(window), shape, {
    above: shown.texts({ start: page.start, end: window.start }),
    below: shown.texts({ start: window.end, end: page.end }),
    prefill,
  });
  const stop = new ElisionStop(input);
  const end = yield* windowEdits(stop.lines(rows.lines(answer)), input);
  if (stop.end !== undefined) return stop.end;
  return end === "short" ? { kind: "unreadable", message: fewerLines } : rows.end;
}

const fewerLines = "The answer has fewer lines than there are to edit, and marks no end.";
