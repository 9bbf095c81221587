import { fillTemplateByName } from "../../model/index.ts";
import type { NextEditPromptInput } from "../providers/model/next-edit-prompt-input.ts";
import type { NextEditFormat } from "./next-edit-format.ts";
import { type FormatMarks, PromptLines, pastEditDiff, tryRefuse } from "./prompt-lines.ts";
import { readWindow } from "./read-window.ts";

/** The token in front of each file name, and of sections shown like files. */
const fileMark = "<filename>";

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

const current = "<<<<<<< CURRENT";
const separator = "=======";
const updated = ">>>>>>> UPDATED";
const noEdits = "NO_EDITS";

/** Markers that no prompt input for {@link zeta2} may contain. */
export const zeta2Marks: FormatMarks = {
  anywhere: [...seedCoderMarks, current, updated],
  asLine: [separator, noEdits],
};

/**
 * The format of Zeta 2 (`V0211SeedCoder`), a Seed-Coder 8B. The window is one side of a merge
 * conflict, and the answer the other; the text after the window comes first. Later Zetas answer
 * with numbered markers, see `zeta21`, or hashed ones, another format.
 *
 * Source: `seed_coder.rs` and `context_rendering.rs` of zed-industries/zed, crate `zeta_prompt`.
 */
export const zeta2: NextEditFormat = {
  name: "zeta-2",
  ask: (input) => tryRefuse(input, zeta2Marks) ?? { kind: "raw", prompt: prompt(input), stop: [] },
  read: (answer, input) =>
    readWindow(answer, input, {
      ...{ opens: [], closes: [updated, endOfText], cursor: zetaCursor, none: [noEdits], foreign: zeta2Marks.anywhere },
      ...{ fence: "never", unmarkedEnd: "open" },
    }),
};

function prompt(input: NextEditPromptInput): string {
  const shown = new PromptLines(input);
  const excerpt = `${current}\n${shown.show(input.window, zetaCursor)}${separator}\n`;
  return seedCoderPrompt(shown, excerpt, [diagnostics(shown)]);
}

/** The diagnostics, the nearest first, each with its line. */
function diagnostics(shown: PromptLines): string {
  const { diagnostics } = shown.input;
  if (diagnostics.length === 0) return "";
  const distance = (line: number): number => Math.abs(line - shown.cursor.line);
  const near = diagnostics.toSorted((one, other) => distance(one.line) - distance(other.line)).slice(0, maxDiagnostics);
  const parts = near.map(
    ({ line, message }) => `*${message}*:\n\`\`\`\n${shown.texts({ start: line, end: line + 1 })[0] ?? ""}\n\`\`\`\n`,
  );
  return `${fileMark}diagnostics\n${parts.join("")}`;
}

const maxDiagnostics = 10;
