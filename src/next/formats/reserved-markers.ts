import { invariant } from "../../text/index.ts";
import type { NextEditPromptInput } from "../providers/model/next-edit-prompt-input.ts";
import type { NextEditQuestion } from "./next-edit-format.ts";
import { PromptLines } from "./prompt-lines.ts";

/** Texts that have a special meaning to a format or the tokenizer of its models. */
export interface FormatMarks {
  /** Those that have it anywhere. */
  readonly anywhere: readonly string[];
  /** Those that have it as a whole line. */
  readonly asLine?: readonly string[];
}

/**
 * Returns a refusal if anything in the prompt contains one of the markers, or `undefined`: it would
 * be taken for the format's own, and so would its repetition in the answer. Throws `InvariantError`
 * where the window is not within the area, or that not within the excerpt.
 */
export function tryRefuse(
  input: NextEditPromptInput,
  marks: FormatMarks,
): Extract<NextEditQuestion, { kind: "refused" }> | undefined {
  const texts = shownTexts(input);
  const { anywhere, asLine = [] } = marks;
  const mark =
    anywhere.find((one) => texts.some((text) => text.includes(one))) ??
    asLine.find((one) => texts.some((text) => text.split(/\r\n|\r|\n/).some((line) => line.trimEnd() === one)));
  return mark === undefined ? undefined : { kind: "refused", reason: { kind: "says-mark", mark } };
}

function shownTexts(input: NextEditPromptInput): string[] {
  const { path, page, window, area, history, viewed, diagnostics } = input;
  const isNested =
    page.start <= area.start && area.start <= window.start && window.end <= area.end && area.end <= page.end;
  invariant(
    isNested,
    () => `The page holds the area and the area the window: ${JSON.stringify({ page, area, window })}`,
  );
  return [
    path,
    new PromptLines(input).show(page),
    ...history.flatMap((edit) => [edit.path, edit.before.join("\n"), edit.after.join("\n")]),
    ...viewed.flatMap((snippet) => [snippet.path, snippet.text]),
    ...diagnostics.map(({ message }) => message),
  ];
}
