import { fillTemplateByName } from "../../model/index.ts";
import type { NextEditFormat } from "../next-edit-format.ts";
import type { NextEditScene } from "../next-edit-scene.ts";
import { pastEditDiff } from "./past-edit-diff.ts";
import { readWindow } from "./read-window.ts";
import { type FormatMarks, tryRefuse } from "./said-mark.ts";
import { SceneLines } from "./scene-lines.ts";

const start = "<|editable_region_start|>";
const end = "<|editable_region_end|>";
const cursor = "<|user_cursor_is_here|>";
const startOfFile = "<|start_of_file|>";

/** What scenes for {@link zeta} may not say: its marks, and the special tokens of Qwen2.5-Coder, which it was made from. */
export const zetaMarks: FormatMarks = {
  anywhere: [start, end, cursor, startOfFile, ...(fillTemplateByName("qwen")?.specialTokens ?? [])],
};

/**
 * The first Zeta, a Qwen2.5-Coder 7B trained on instructions. It is shown the history and the area around the window, and
 * nothing else: there was no place for other files and diagnostics in its training.
 *
 * The mark of the end is no stop, so that the answer itself says whether it came to its end.
 * Source: `zeta1.rs` of zed-industries/zed; the instruction is in our own words.
 */
export const zeta: NextEditFormat = {
  name: "zeta",
  ask: (scene) => tryRefuse(scene, zetaMarks) ?? { kind: "raw", prompt: prompt(scene), stop: [] },
  read: (answer, scene) =>
    readWindow(answer, scene, {
      ...{ opens: [start], closes: [end, "<|endoftext|>"], cursor, none: [], foreign: zetaMarks.anywhere },
      ...{ fence: "maybe", unmarkedEnd: "open" },
    }),
};

function prompt(scene: NextEditScene): string {
  const { path, area, window, history } = scene;
  const shown = new SceneLines(scene);
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
