import { printPastEdit } from "../../../context/index.ts";
import type { TokenCounter } from "../../../model/index.ts";
import { Lines, type TextRange } from "../../../text/index.ts";
import type { NextEditFormatName } from "../../formats/next-edit-format.ts";
import type { NextEditPromptInput } from "./next-edit-prompt-input.ts";

/**
 * What a model was shown to predict the next edit, as plain data. Each format writes it in its own
 * way.
 */
export interface ShownPromptInput {
  readonly model: string;
  readonly format: NextEditFormatName;
  readonly parts: readonly ShownPart[];
  /** The number of edits, snippets and diagnostics that did not fit. */
  readonly leftOut: Readonly<Record<"edits" | "viewed" | "diagnostics", number>>;
}

/** A part of what a model was shown. */
export interface ShownPart {
  /**
   * `window` is the editable region; `above` and `below` are the lines of the excerpt around it.
   */
  readonly kind: "above" | "window" | "below" | "edit" | "viewed" | "diagnostic";
  readonly path: string;
  /** The lines of the file, `[start, end)` from 0. */
  readonly lines: TextRange;
  readonly text: string;
  /** Tokens as the model counts them, or estimated. */
  readonly tokens: number;
}

/**
 * Lists the parts of a prompt input with their tokens. The second argument is what the request
 * offered, from which {@link ShownPromptInput.leftOut} is counted.
 */
export function shownPromptInput(
  promptInput: NextEditPromptInput,
  offered: Readonly<Record<"history" | "viewed" | "diagnostics", readonly unknown[]>>,
  { model, format, counter }: Pick<ShownPromptInput, "model" | "format"> & { readonly counter: TokenCounter },
): ShownPromptInput {
  const { path, window, page, history, viewed, diagnostics } = promptInput;
  const lines = Lines.of(promptInput.text);
  const part = (kind: ShownPart["kind"], at: Pick<ShownPart, "path" | "lines" | "text">): ShownPart => ({
    ...{ kind, path: at.path, lines: at.lines, text: at.text },
    tokens: counter.count(at.text),
  });
  const ofFile = (kind: ShownPart["kind"], range: TextRange): readonly ShownPart[] => {
    if (range.end <= range.start) return [];
    const text = promptInput.text.slice(lines.start(range.start), lines.endWithBreak(range.end - 1));
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
      edits: offered.history.length - history.length,
      viewed: offered.viewed.length - viewed.length,
      diagnostics: offered.diagnostics.length - diagnostics.length,
    },
  };
}
