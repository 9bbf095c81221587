import type { TextEdit } from "../../text/index.ts";
import type { ModelAnswer, ReadEnd } from "../next-edit-format.ts";
import type { NextEditScene } from "../next-edit-scene.ts";
import { windowEdits } from "../window-edits.ts";
import { ElisionStop } from "./elision-stop.ts";
import { SceneLines } from "./scene-lines.ts";
import { type WindowAnswer, WindowRows } from "./window-rows.ts";

/**
 * Reads an answer that is the window's lines anew, as edits of the scene's text.
 *
 * `prefill` are the lines of the window with which the prompt ended, for the answer to go on from.
 */
export async function* readWindow(
  answer: ModelAnswer,
  scene: NextEditScene,
  shape: WindowAnswer,
  prefill: readonly string[] = [],
): AsyncGenerator<TextEdit, ReadEnd> {
  const { page, window } = scene;
  const { texts } = new SceneLines(scene);
  const rows = new WindowRows(texts.slice(window.start, window.end), shape, {
    above: texts.slice(page.start, window.start),
    below: texts.slice(window.end, page.end),
    prefill,
  });
  const stop = new ElisionStop(scene);
  const end = yield* windowEdits(stop.lines(rows.lines(answer)), scene);
  if (stop.end !== undefined) return stop.end;
  return end === "short" ? { kind: "unreadable", message: fewerLines } : rows.end;
}

const fewerLines = "The answer has fewer lines than there are to edit, and marks no end.";
