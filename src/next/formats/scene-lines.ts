import { Lines, type TextRange } from "../../text/index.ts";
import type { NextEditScene } from "../next-edit-scene.ts";
import { type WindowCursor, WindowLines } from "../window-lines.ts";

/** The lines of a scene's file as models are shown them: without their endings, and without a byte order mark. */
export class SceneLines {
  readonly scene: NextEditScene;
  readonly texts: readonly string[];
  /** Where it is in the file. */
  readonly cursor: WindowCursor;

  constructor(scene: NextEditScene) {
    const file = WindowLines.of({ ...scene, window: { start: 0, end: Lines.of(scene.text).count } });
    this.scene = scene;
    this.texts = file.lines;
    this.cursor = file.cursor;
  }

  /**
   * The lines `[start, end)`, each with a `\n`, with `mark` where the cursor is, if it is there. What follows the file's
   * last line ending is no line to show, unless the cursor is there and has a mark.
   */
  show({ start, end }: TextRange, mark = ""): string {
    const { line: cursorLine, column } = this.cursor;
    const shown = this.texts.slice(start, end).map((text, i) => {
      const line = start + i;
      if (mark !== "" && line === cursorLine) return `${text.slice(0, column)}${mark}${text.slice(column)}\n`;
      return text === "" && line === this.texts.length - 1 ? "" : `${text}\n`;
    });
    return shown.join("");
  }
}
