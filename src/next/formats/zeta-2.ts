import type { NextEditFormat } from "../next-edit-format.ts";
import type { NextEditScene } from "../next-edit-scene.ts";
import { readWindow } from "./read-window.ts";
import { type FormatMarks, tryRefuse } from "./said-mark.ts";
import { SceneLines } from "./scene-lines.ts";
import { zetaCursor as cursor, endOfText, fileMark, seedCoderMarks, seedCoderPrompt } from "./seed-coder-prompt.ts";

const current = "<<<<<<< CURRENT";
const separator = "=======";
const updated = ">>>>>>> UPDATED";
const noEdits = "NO_EDITS";

/** What scenes for {@link zeta2} may not say. */
export const zeta2Marks: FormatMarks = {
  anywhere: [...seedCoderMarks, current, updated],
  asLine: [separator, noEdits],
};

/**
 * Zeta 2 (`V0211SeedCoder`), a Seed-Coder 8B. The window is one side of a merge conflict, and the answer the other; what
 * follows the window comes first. Later Zetas answer with numbered marks, see `zeta21`, or hashed ones, which is another format.
 *
 * Source: `seed_coder.rs` and `context_rendering.rs` of zed-industries/zed, crate `zeta_prompt`.
 */
export const zeta2: NextEditFormat = {
  name: "zeta-2",
  ask: (scene) => tryRefuse(scene, zeta2Marks) ?? { kind: "raw", prompt: prompt(scene), stop: [] },
  read: (answer, scene) =>
    readWindow(answer, scene, {
      ...{ opens: [], closes: [updated, endOfText], cursor, none: [noEdits], foreign: zeta2Marks.anywhere },
      ...{ fence: "never", unmarkedEnd: "open" },
    }),
};

function prompt(scene: NextEditScene): string {
  const shown = new SceneLines(scene);
  const excerpt = `${current}\n${shown.show(scene.window, cursor)}${separator}\n`;
  return seedCoderPrompt(shown, excerpt, [diagnostics(shown)]);
}

/** The nearest first, each with its line. */
function diagnostics(shown: SceneLines): string {
  const { diagnostics } = shown.scene;
  if (diagnostics.length === 0) return "";
  const distance = (line: number): number => Math.abs(line - shown.cursor.line);
  const near = diagnostics.toSorted((one, other) => distance(one.line) - distance(other.line)).slice(0, maxDiagnostics);
  const parts = near.map(({ line, message }) => `*${message}*:\n\`\`\`\n${shown.texts[line] ?? ""}\n\`\`\`\n`);
  return `${fileMark}diagnostics\n${parts.join("")}`;
}

const maxDiagnostics = 10;
