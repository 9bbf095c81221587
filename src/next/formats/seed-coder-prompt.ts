import { fillTemplateByName } from "../../model/index.ts";
import { pastEditDiff } from "./past-edit-diff.ts";
import type { PromptLines } from "./prompt-lines.ts";

/** The token in front of each file name, and of sections shown like files. */
export const fileMark = "<filename>";

/** The cursor marker of Zeta's prompts. */
export const zetaCursor = "<|user_cursor|>";

/** The token that ends an answer of Seed-Coder. */
export const endOfText = "<[end▁of▁sentence]>";

/**
 * Markers of every Zeta that was made from Seed-Coder: its special tokens, and those of the prompt.
 */
export const seedCoderMarks: readonly string[] = [
  ...new Set([fileMark, zetaCursor, endOfText, ...(fillTemplateByName("seed-coder")?.specialTokens ?? [])]),
];

/**
 * Returns the prompt of a Zeta that was made from Seed-Coder: the text after the window, then
 * `first`, the recently viewed snippets, the latest edits, the file up to the window, and the
 * window as `excerpt`.
 *
 * Source: `seed_coder.rs` and `context_rendering.rs` of zed-industries/zed, crate `zeta_prompt`.
 */
export function seedCoderPrompt(shown: PromptLines, excerpt: string, first: readonly string[] = []): string {
  const { path, page, window } = shown.input;
  return [
    `<[fim-suffix]>${shown.show({ start: window.end, end: page.end }) || "\n"}`,
    "<[fim-prefix]>",
    ...[...first, viewed(shown), history(shown)].map((part) => (part === "" ? "" : `${part}\n`)),
    `${fileMark}${path}\n${shown.show({ start: page.start, end: window.start })}`,
    excerpt,
    "<[fim-middle]>",
  ].join("");
}

/** A snippet is a part of its file, so dots follow. */
function viewed({ input: { viewed } }: PromptLines): string {
  return viewed.map(({ path, text }) => `${fileMark}${path}\n${text.replace(/\r?\n$/, "")}\n...\n`).join("");
}

function history(shown: PromptLines): string {
  const { history } = shown.input;
  if (history.length === 0) return "";
  const latest = history.slice(-maxEdits);
  const diffs = latest.map((edit) => `--- a/${edit.path}\n+++ b/${edit.path}\n${pastEditDiff(edit, shown)}`);
  return `${fileMark}edit_history\n${diffs.join("")}`;
}

const maxEdits = 6;
