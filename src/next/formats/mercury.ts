import type { NextEditFormat } from "../next-edit-format.ts";
import type { NextEditScene } from "../next-edit-scene.ts";
import { pastEditDiff } from "./past-edit-diff.ts";
import { readWindow } from "./read-window.ts";
import { type FormatMarks, tryRefuse } from "./said-mark.ts";
import { SceneLines } from "./scene-lines.ts";
import { closing, opening, type UnifiedTag, unifiedCursor } from "./unified-marks.ts";

/** The tags of the unified format that it has too. */
const tags = [
  "recently_viewed_code_snippets",
  "recently_viewed_code_snippet",
  "current_file_content",
  "code_to_edit",
  "edit_diff_history",
] as const satisfies readonly UnifiedTag[];

/** What scenes for {@link mercury} may not say. */
export const mercuryMarks: FormatMarks = {
  anywhere: [...tags.flatMap((tag) => [opening(tag), closing(tag)]), unifiedCursor],
};

/**
 * Inception's Mercury, at its route for edits: one message of tags, and no instructions. It answers with the window's
 * lines in a fence, with or without their tag, or with `None`. Diagnostics have no place in it.
 *
 * Sources: `mercury.rs` of zed-industries/zed; `core/nextEdit` of continuedev/continue.
 */
export const mercury: NextEditFormat = {
  name: "mercury",
  ask: (scene) =>
    tryRefuse(scene, mercuryMarks) ?? { kind: "chat", messages: [{ role: "user", text: user(scene) }], stop: [] },
  read: (answer, scene) =>
    readWindow(answer, scene, {
      ...{ opens: [opening("code_to_edit")], closes: [closing("code_to_edit")], cursor: unifiedCursor, none: ["None"] },
      ...{ foreign: mercuryMarks.anywhere, fence: "maybe", unmarkedEnd: "whole" },
    }),
};

function user(scene: NextEditScene): string {
  const { path, page, window, viewed, history } = scene;
  const shown = new SceneLines(scene);
  const snippets = viewed.map(({ path, text }) =>
    tagged("recently_viewed_code_snippet", `code_snippet_file_path: ${path}\n${text.replace(/\r?\n$/, "")}\n`),
  );
  const content = [
    `current_file_path: ${path}\n`,
    shown.show({ start: page.start, end: window.start }),
    tagged("code_to_edit", shown.show(window, unifiedCursor)),
    shown.show({ start: window.end, end: page.end }),
  ].join("");
  const edits = history
    .slice(-maxEdits)
    .map((edit) => `--- ${edit.path}\n+++ ${edit.path}\n${pastEditDiff(edit, shown)}\n`);
  return [
    tagged("recently_viewed_code_snippets", snippets.join("")),
    tagged("current_file_content", content),
    tagged("edit_diff_history", edits.join("")),
  ].join("\n");
}

/** Whole lines between the tags. */
function tagged(tag: (typeof tags)[number], lines: string): string {
  return `${opening(tag)}\n${lines}${closing(tag)}\n`;
}

const maxEdits = 5;
