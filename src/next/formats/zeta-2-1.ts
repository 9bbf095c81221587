import type { TextEdit } from "../../text/index.ts";
import type { ModelAnswer, NextEditFormat, ReadEnd } from "../next-edit-format.ts";
import type { NextEditScene } from "../next-edit-scene.ts";
import { windowEdits } from "../window-edits.ts";
import { WindowLines } from "../window-lines.ts";
import { ElisionStop } from "./elision-stop.ts";
import { blockBorders, blockMark, blockMarkStart } from "./numbered-blocks.ts";
import { NumberedRows } from "./numbered-rows.ts";
import { type FormatMarks, tryRefuse } from "./said-mark.ts";
import { SceneLines } from "./scene-lines.ts";
import { endOfText, seedCoderMarks, seedCoderPrompt, zetaCursor } from "./seed-coder-prompt.ts";

/** What scenes for {@link zeta21} may not say. */
export const zeta21Marks: FormatMarks = { anywhere: [...seedCoderMarks, blockMarkStart] };

/**
 * Zeta 2.1 (`V0318SeedMultiRegions`), a Seed-Coder 8B. Numbered marks stand between the blocks of the window, and the answer has only what stands between
 * two of them. There was no place for diagnostics in its training.
 *
 * Source: `multi_region.rs` and `zeta_prompt.rs` of zed-industries/zed, crate `zeta_prompt`.
 */
export const zeta21: NextEditFormat = {
  name: "zeta-2.1",
  ask: (scene) => tryRefuse(scene, zeta21Marks) ?? { kind: "raw", prompt: prompt(scene), stop: [] },
  read,
};

function prompt(scene: NextEditScene): string {
  const shown = new SceneLines(scene);
  const { start } = scene.window;
  const borders = blockBorders(WindowLines.of(scene));
  const blocks = borders.map((border, i) => {
    const block = { start: start + border, end: start + (borders[i + 1] ?? border) };
    return blockMark(i + 1) + shown.show(block, zetaCursor);
  });
  return seedCoderPrompt(shown, `${blocks.join("")}\n`);
}

async function* read(answer: ModelAnswer, scene: NextEditScene): AsyncGenerator<TextEdit, ReadEnd> {
  const window = WindowLines.of(scene);
  const shape = { borders: blockBorders(window), cursor: zetaCursor, end: endOfText, foreign: zeta21Marks.anywhere };
  const rows = new NumberedRows(window.lines, shape);
  const stop = new ElisionStop(scene);
  yield* windowEdits(stop.lines(rows.lines(answer)), scene);
  return stop.end ?? rows.end;
}
