import { fillTemplateByName } from "../../model/index.ts";
import type { NextEditPromptInput } from "../providers/model/next-edit-prompt-input.ts";
import type { NextEditFormat } from "./next-edit-format.ts";
import { type FormatMarks, PromptLines, pastEditDiff, tryRefuse } from "./prompt-lines.ts";
import { readWindow } from "./read-window.ts";

const start = "<|editable_region_start|>";
const end = "<|editable_region_end|>";
const cursor = "<|user_cursor_is_here|>";
const startOfFile = "<|start_of_file|>";

/**
 * Markers that no prompt input for {@link zeta} may contain: its own, and the special tokens of
 * Qwen2.5-Coder, its base model.
 */
export const zetaMarks: FormatMarks = {
  anywhere: [start, end, cursor, startOfFile, ...(fillTemplateByName("qwen")?.specialTokens ?? [])],
};

/**
 * The format of the first Zeta, an instruction-tuned Qwen2.5-Coder 7B. It is sent the history and
 * the area around the window only: it was trained without other files and diagnostics.
 *
 * The end marker is no stop sequence, so that the answer shows whether it is complete. Source:
 * `zeta1.rs` of zed-industries/zed; the instruction is in our own words.
 */
export const zeta: NextEditFormat = {
  name: "zeta",
  ask: (input) => tryRefuse(input, zetaMarks) ?? { kind: "raw", prompt: prompt(input), stop: [] },
  read: (answer, input) =>
    readWindow(answer, input, {
      ...{ opens: [start], closes: [end, "<|endoftext|>"], cursor, none: [], foreign: zetaMarks.anywhere },
      ...{ fence: "maybe", unmarkedEnd: "open" },
    }),
};

function prompt(input: NextEditPromptInput): string {
  const { path, area, window, history } = input;
  const shown = new PromptLines(input);
  const edits = history.map((edit) => `User edited "${edit.path}":\n\`\`\`diff\n${pastEditDiff(edit, shown)}\n\`\`\``);
  const excerpt = [
    `\`\`\`${path}\n`,
    area.start === 0 ? `${startOfFile}\n` : "",
    shown.show({ start: area.start, end: window.start }),
    `${start}\n${shown.show(window, cursor)}${end}\n`,
    shown.show({ start: window.end, end: area.end }),
    "```",
  ].join("");
  return [
    "### Instruction:",
    `Rewrite the part of the excerpt between ${start} and ${end} as its author will leave it after the next edit. The latest edits tell what they are about, and the cursor where they are.`,
    "",
    "### User Edits:",
    "",
    edits.join("\n\n"),
    "",
    "### User Excerpt:",
    "",
    excerpt,
    "",
    "### Response:",
    "",
  ].join("\n");
}
