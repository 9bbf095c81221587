import type { NextEditPromptInput } from "../providers/model/next-edit-prompt-input.ts";
import type { NextEditFormat } from "./next-edit-format.ts";
import { PromptLines } from "./prompt-lines.ts";
import { readWindow } from "./read-window.ts";
import { type FormatMarks, tryRefuse } from "./reserved-markers.ts";
import { zetaCursor as cursor, endOfText, fileMark, seedCoderMarks, seedCoderPrompt } from "./seed-coder-prompt.ts";

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
      ...{ opens: [], closes: [updated, endOfText], cursor, none: [noEdits], foreign: zeta2Marks.anywhere },
      ...{ fence: "never", unmarkedEnd: "open" },
    }),
};

function prompt(input: NextEditPromptInput): string {
  const shown = new PromptLines(input);
  const excerpt = `${current}\n${shown.show(input.window, cursor)}${separator}\n`;
  return seedCoderPrompt(shown, excerpt, [diagnostics(shown)]);
}

/** The diagnostics, the nearest first, each with its line. */
function diagnostics(shown: PromptLines): string {
  const { diagnostics } = shown.input;
  if (diagnostics.length === 0) return "";
  const distance = (line: number): number => Math.abs(line - shown.cursor.line);
  const near = diagnostics.toSorted((one, other) => distance(one.line) - distance(other.line)).slice(0, maxDiagnostics);
  const parts = near.map(({ line, message }) => `*${message}*:\n\`\`\`\n${shown.texts[line] ?? ""}\n\`\`\`\n`);
  return `${fileMark}diagnostics\n${parts.join("")}`;
}

const maxDiagnostics = 10;
