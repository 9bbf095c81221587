import { invariant } from "../../text/index.ts";
import type { NextEditQuestion } from "../next-edit-format.ts";
import type { NextEditScene } from "../next-edit-scene.ts";
import { SceneLines } from "./scene-lines.ts";

/** Texts to which a format, or the tokeniser of its models, gives a meaning of its own. */
export interface FormatMarks {
  /** Those that mean it wherever they stand. */
  readonly anywhere: readonly string[];
  /** Those that mean it where they are a whole line. */
  readonly asLine?: readonly string[];
}

/**
 * A refusal, if anything that the model would be shown says one of the marks: it would be taken for the format's own,
 * and so would its repetition in the answer.
 */
export function tryRefuse(
  scene: NextEditScene,
  marks: FormatMarks,
): Extract<NextEditQuestion, { kind: "refused" }> | undefined {
  const texts = shownTexts(scene);
  const { anywhere, asLine = [] } = marks;
  const mark =
    anywhere.find((one) => texts.some((text) => text.includes(one))) ??
    asLine.find((one) => texts.some((text) => text.split(/\r\n|\r|\n/).some((line) => line.trimEnd() === one)));
  return mark === undefined ? undefined : { kind: "refused", reason: { kind: "says-mark", mark } };
}

function shownTexts(scene: NextEditScene): string[] {
  const { path, page, window, area, history, viewed, diagnostics } = scene;
  const isNested =
    page.start <= area.start && area.start <= window.start && window.end <= area.end && area.end <= page.end;
  invariant(
    isNested,
    () => `The page holds the area and the area the window: ${JSON.stringify({ page, area, window })}`,
  );
  return [
    path,
    new SceneLines(scene).show(page),
    ...history.flatMap((edit) => [edit.path, edit.before.join("\n"), edit.after.join("\n")]),
    ...viewed.flatMap((snippet) => [snippet.path, snippet.text]),
    ...diagnostics.map(({ message }) => message),
  ];
}
