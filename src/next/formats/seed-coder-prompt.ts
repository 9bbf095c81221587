import { fillTemplateByName } from "../../model/index.ts";
import { pastEditDiff } from "./past-edit-diff.ts";
import type { SceneLines } from "./scene-lines.ts";

/** In front of the name of each file, and of what is shown like one. */
export const fileMark = "<filename>";

/** Where the cursor is in what Zetas are shown. */
export const zetaCursor = "<|user_cursor|>";

/** The end of all that a Seed-Coder says. */
export const endOfText = "<[end▁of▁sentence]>";

/** What means something to every Zeta that was made from Seed-Coder: its special tokens, and the marks of the prompt. */
export const seedCoderMarks: readonly string[] = [
  ...new Set([fileMark, zetaCursor, endOfText, ...(fillTemplateByName("seed-coder")?.specialTokens ?? [])]),
];

/**
 * The prompt of a Zeta that was made from Seed-Coder: what follows the window, then `first`, what was looked at, the latest edits, the file up to the
 * window, and the window as `excerpt`.
 *
 * Source: `seed_coder.rs` and `context_rendering.rs` of zed-industries/zed, crate `zeta_prompt`.
 */
export function seedCoderPrompt(shown: SceneLines, excerpt: string, first: readonly string[] = []): string {
  const { path, page, window } = shown.scene;
  return [
    `<[fim-suffix]>${shown.show({ start: window.end, end: page.end }) || "\n"}`,
    "<[fim-prefix]>",
    ...[...first, viewed(shown), history(shown)].map((part) => (part === "" ? "" : `${part}\n`)),
    `${fileMark}${path}\n${shown.show({ start: page.start, end: window.start })}`,
    excerpt,
    "<[fim-middle]>",
  ].join("");
}

/** What was looked at is a part of its file, so dots follow. */
function viewed({ scene: { viewed } }: SceneLines): string {
  return viewed.map(({ path, text }) => `${fileMark}${path}\n${text.replace(/\r?\n$/, "")}\n...\n`).join("");
}

function history(shown: SceneLines): string {
  const { history } = shown.scene;
  if (history.length === 0) return "";
  const latest = history.slice(-maxEdits);
  const diffs = latest.map((edit) => `--- a/${edit.path}\n+++ b/${edit.path}\n${pastEditDiff(edit, shown)}`);
  return `${fileMark}edit_history\n${diffs.join("")}`;
}

const maxEdits = 6;
