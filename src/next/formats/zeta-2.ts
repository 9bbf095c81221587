import { fillTemplateByName } from "../../model/index.ts";
import type { NextEditFormat } from "../next-edit-format.ts";
import type { NextEditScene } from "../next-edit-scene.ts";
import { pastEditDiff } from "./past-edit-diff.ts";
import { readWindow } from "./read-window.ts";
import { type FormatMarks, tryRefuse } from "./said-mark.ts";
import { SceneLines } from "./scene-lines.ts";

const file = "<filename>";
const current = "<<<<<<< CURRENT";
const separator = "=======";
const updated = ">>>>>>> UPDATED";
const cursor = "<|user_cursor|>";
const noEdits = "NO_EDITS";

/** What scenes for {@link zeta2} may not say: its marks, and the special tokens of Seed-Coder, which it was made from. */
export const zeta2Marks: FormatMarks = {
  anywhere: [file, current, updated, cursor, ...(fillTemplateByName("seed-coder")?.specialTokens ?? [])],
  asLine: [separator, noEdits],
};

/**
 * Zeta 2 (`V0211SeedCoder`), a Seed-Coder 8B. The window is one side of a merge conflict, and the answer the other; what
 * follows the window comes first. Later Zetas answer with numbered or hashed marks, which is another format.
 *
 * Source: `seed_coder.rs` and `context_rendering.rs` of zed-industries/zed, crate `zeta_prompt`.
 */
export const zeta2: NextEditFormat = {
  name: "zeta-2",
  ask: (scene) => tryRefuse(scene, zeta2Marks) ?? { kind: "raw", prompt: prompt(scene), stop: [] },
  read: (answer, scene) =>
    readWindow(answer, scene, {
      ...{ opens: [], closes: [updated, "<[end▁of▁sentence]>"], cursor, none: [noEdits], foreign: zeta2Marks.anywhere },
      ...{ fence: "never", unmarkedEnd: "open" },
    }),
};

function prompt(scene: NextEditScene): string {
  const { path, page, window } = scene;
  const shown = new SceneLines(scene);
  return [
    `<[fim-suffix]>${shown.show({ start: window.end, end: page.end }) || "\n"}`,
    "<[fim-prefix]>",
    ...[diagnostics(shown), ...viewed(scene), history(shown)].map((part) => (part === "" ? "" : `${part}\n`)),
    `${file}${path}\n${shown.show({ start: page.start, end: window.start })}`,
    `${current}\n${shown.show(window, cursor)}${separator}\n`,
    "<[fim-middle]>",
  ].join("");
}

/** The nearest first, each with its line. */
function diagnostics(shown: SceneLines): string {
  const { diagnostics } = shown.scene;
  if (diagnostics.length === 0) return "";
  const distance = (line: number): number => Math.abs(line - shown.cursor.line);
  const near = diagnostics.toSorted((one, other) => distance(one.line) - distance(other.line)).slice(0, maxDiagnostics);
  const parts = near.map(({ line, message }) => `*${message}*:\n\`\`\`\n${shown.texts[line] ?? ""}\n\`\`\`\n`);
  return `${file}diagnostics\n${parts.join("")}`;
}

/** What was looked at is a part of its file, so dots follow. */
function viewed({ viewed }: NextEditScene): string[] {
  if (viewed.length === 0) return [];
  return [viewed.map(({ path, text }) => `${file}${path}\n${text.replace(/\r?\n$/, "")}\n...\n`).join("")];
}

function history(shown: SceneLines): string {
  const { history } = shown.scene;
  if (history.length === 0) return "";
  const latest = history.slice(-maxEdits);
  const diffs = latest.map((edit) => `--- a/${edit.path}\n+++ b/${edit.path}\n${pastEditDiff(edit, shown)}`);
  return `${file}edit_history\n${diffs.join("")}`;
}

const maxDiagnostics = 10;
const maxEdits = 6;
