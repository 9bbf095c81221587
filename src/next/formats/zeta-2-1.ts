import type { TextEdit } from "../../text/index.ts";
import type { NextEditPromptInput } from "../providers/model/next-edit-prompt-input.ts";
import { ElisionStop } from "./elision-stop.ts";
import type { ModelAnswer, NextEditFormat, ReadEnd } from "./next-edit-format.ts";
import { blockBorders, blockMark, blockMarkStart } from "./numbered-blocks.ts";
import { NumberedRows } from "./numbered-rows.ts";
import { PromptLines } from "./prompt-lines.ts";
import { type FormatMarks, tryRefuse } from "./reserved-markers.ts";
import { endOfText, seedCoderMarks, seedCoderPrompt, zetaCursor } from "./seed-coder-prompt.ts";
import { windowEdits } from "./window-edits.ts";
import { WindowLines } from "./window-lines.ts";

/** Markers that no prompt input for {@link zeta21} may contain. */
export const zeta21Marks: FormatMarks = { anywhere: [...seedCoderMarks, blockMarkStart] };

/**
 * The format of Zeta 2.1 (`V0318SeedMultiRegions`), a Seed-Coder 8B. Numbered markers are between
 * the blocks of the window, and the answer has only the text between two of them. It was trained
 * without diagnostics.
 *
 * Source: `multi_region.rs` and `zeta_prompt.rs` of zed-industries/zed, crate `zeta_prompt`.
 */
export const zeta21: NextEditFormat = {
  name: "zeta-2.1",
  ask: (input) => tryRefuse(input, zeta21Marks) ?? { kind: "raw", prompt: prompt(input), stop: [] },
  read,
};

function prompt(input: NextEditPromptInput): string {
  const shown = new PromptLines(input);
  const { start } = input.window;
  const borders = blockBorders(WindowLines.of(input));
  const blocks = borders.map((border, i) => {
    const block = { start: start + border, end: start + (borders[i + 1] ?? border) };
    return blockMark(i + 1) + shown.show(block, zetaCursor);
  });
  return seedCoderPrompt(shown, `${blocks.join("")}\n`);
}

async function* read(answer: ModelAnswer, input: NextEditPromptInput): AsyncGenerator<TextEdit, ReadEnd> {
  const window = WindowLines.of(input);
  const shape = { borders: blockBorders(window), cursor: zetaCursor, end: endOfText, foreign: zeta21Marks.anywhere };
  const rows = new NumberedRows(window.lines, shape);
  const stop = new ElisionStop(input);
  yield* windowEdits(stop.lines(rows.lines(answer)), input);
  return stop.end ?? rows.end;
}
