import { printPastEdit } from "../context/index.ts";
import type { TokenCounter } from "../model/index.ts";
import { Lines, type TextRange } from "../text/index.ts";
import type { NextEditFormatName } from "./next-edit-format.ts";
import type { NextEditScene } from "./next-edit-scene.ts";

/** What a model was shown to predict the next edit, as plain data. Each format writes it in its own way. */
export interface ShownScene {
  readonly model: string;
  readonly format: NextEditFormatName;
  readonly parts: readonly ShownPart[];
  /** How many edits, snippets and diagnostics there was no room for. */
  readonly leftOut: Readonly<Record<"edits" | "viewed" | "diagnostics", number>>;
}

/** A part of what a model was shown. */
export interface ShownPart {
  /** `window`: the lines that it may write anew; `above` and `below` are those around them. */
  readonly kind: "above" | "window" | "below" | "edit" | "viewed" | "diagnostic";
  readonly path: string;
  /** Which lines of the file, `[start, end)` from 0. */
  readonly lines: TextRange;
  readonly text: string;
  /** As the model counts them, or estimated. */
  readonly tokens: number;
}

/** What a scene shows of all that could have been told. */
export function shownScene(
  scene: NextEditScene,
  told: Pick<NextEditScene, "history" | "viewed" | "diagnostics">,
  { model, format, counter }: Pick<ShownScene, "model" | "format"> & { readonly counter: TokenCounter },
): ShownScene {
  const { path, window, page, history, viewed, diagnostics } = scene;
  const lines = Lines.of(scene.text);
  const part = (kind: ShownPart["kind"], at: Pick<ShownPart, "path" | "lines" | "text">): ShownPart => ({
    ...{ kind, path: at.path, lines: at.lines, text: at.text },
    tokens: counter.count(at.text),
  });
  const ofFile = (kind: ShownPart["kind"], range: TextRange): readonly ShownPart[] => {
    if (range.end <= range.start) return [];
    const text = scene.text.slice(lines.start(range.start), lines.endWithBreak(range.end - 1));
    return [part(kind, { path, lines: range, text })];
  };
  return {
    ...{ model, format },
    parts: [
      ...viewed.map((snippet) => part("viewed", snippet)),
      ...history.map((edit) => part("edit", { ...edit, text: printPastEdit(edit) })),
      ...diagnostics.map(({ line, severity, message }) =>
        part("diagnostic", { path, lines: { start: line, end: line + 1 }, text: `${severity}: ${message}` }),
      ),
      ...ofFile("above", { start: page.start, end: window.start }),
      ...ofFile("window", window),
      ...ofFile("below", { start: window.end, end: page.end }),
    ],
    leftOut: {
      edits: told.history.length - history.length,
      viewed: told.viewed.length - viewed.length,
      diagnostics: told.diagnostics.length - diagnostics.length,
    },
  };
}
